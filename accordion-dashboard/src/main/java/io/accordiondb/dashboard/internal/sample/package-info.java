// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/**
 * Reads the figures of databases at intervals, sees what has happened between two readings, writes
 * both as JSON, and keeps ten minutes of it. Knows no network. Start reading at {@link
 * io.accordiondb.dashboard.internal.sample.Sampler}.
 */
@NullMarked
package io.accordiondb.dashboard.internal.sample;

import org.jspecify.annotations.NullMarked;
