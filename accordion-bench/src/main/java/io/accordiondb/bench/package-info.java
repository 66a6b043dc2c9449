// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/**
 * Measurements with the same keys, values and batches for every engine. Each run that is compared
 * is a process of its own, and reports show medians of several runs. {@code accordion bench} calls
 * this package, which measures the stores of {@code bench.engine} and passes its results to {@code
 * bench.report}. Start with {@link io.accordiondb.bench.BenchRunner}.
 */
@NullMarked
package io.accordiondb.bench;

import org.jspecify.annotations.NullMarked;
