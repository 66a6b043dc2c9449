// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/**
 * Draws plots of a run of YCSB's client: it times the operations of each thread and writes the
 * plots when the run ends. Start with {@link io.accordiondb.cli.ycsb.PlottedRun}.
 */
@NullMarked
package io.accordiondb.cli.ycsb;

import org.jspecify.annotations.NullMarked;
