// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/**
 * Measurements: the same keys, values and batches for every engine, and the demonstration. Start
 * with {@link io.accordiondb.bench.BenchRunner}.
 */
@NullMarked
package io.accordiondb.bench;

import org.jspecify.annotations.NullMarked;
