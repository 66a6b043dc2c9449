// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/**
 * The statistics of a database: the records of the tree that {@link
 * io.accordiondb.Database#statistics} returns, the kinds of operations, and the latency histogram.
 * All of them are immutable.
 */
@NullMarked
package io.accordiondb.statistics;

import org.jspecify.annotations.NullMarked;
