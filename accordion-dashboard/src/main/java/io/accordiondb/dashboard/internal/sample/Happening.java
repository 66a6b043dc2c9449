// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.dashboard.internal.sample;

/** What one comparison has found: its kind, and words for it. */
record Happening(TimelineEvent.Kind kind, String text) {}
