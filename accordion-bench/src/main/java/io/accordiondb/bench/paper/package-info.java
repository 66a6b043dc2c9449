// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/**
 * The paper's evaluation (section 4) as experiments: what each runs, what the paper found, and how
 * what was measured here compares. Runs know nothing of experiments, so that experiments share
 * them. Start with {@link io.accordiondb.bench.paper.Experiment}.
 */
@NullMarked
package io.accordiondb.bench.paper;

import org.jspecify.annotations.NullMarked;
