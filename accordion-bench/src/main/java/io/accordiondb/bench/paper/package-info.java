// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/**
 * The paper's evaluation (section 4) as experiments: what each one runs, what the paper found, and
 * how the results here compare. Runs know nothing about experiments, so that experiments can share
 * them. Start with {@link io.accordiondb.bench.paper.Experiment}.
 */
@NullMarked
package io.accordiondb.bench.paper;

import org.jspecify.annotations.NullMarked;
