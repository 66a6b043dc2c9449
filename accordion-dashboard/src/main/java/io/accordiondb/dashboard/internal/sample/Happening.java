// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.dashboard.internal.sample;

/** One finding of a comparison: its kind and a description. */
record Happening(TimelineEvent.Kind kind, String text) {}
