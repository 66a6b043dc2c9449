// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/**
 * Reads the figures of databases at intervals on one daemon thread, derives what has happened
 * between two readings, writes both as JSON, and keeps ten minutes of it for {@code internal.http}.
 * It knows no network. Start reading at {@link io.accordiondb.dashboard.internal.sample.Sampler}.
 */
@NullMarked
package io.accordiondb.dashboard.internal.sample;

import org.jspecify.annotations.NullMarked;
