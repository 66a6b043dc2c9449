// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/** Plots of a run of YCSB's client. Start with {@link io.accordiondb.cli.ycsb.PlottedRun}. */
@NullMarked
package io.accordiondb.cli.ycsb;

import org.jspecify.annotations.NullMarked;
