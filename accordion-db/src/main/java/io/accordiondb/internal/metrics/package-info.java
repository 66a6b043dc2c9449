// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/**
 * What a database counts, times and tells while it works. Parts of the engine are given what they
 * need of {@link io.accordiondb.internal.metrics.Telemetry}; this package knows none of them.
 */
@NullMarked
package io.accordiondb.internal.metrics;

import org.jspecify.annotations.NullMarked;
