// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/**
 * What a database says of itself: the records of the tree that {@link
 * io.accordiondb.Database#statistics} returns, its kinds and its latency histogram. All of them are
 * immutable.
 */
@NullMarked
package io.accordiondb.statistics;

import org.jspecify.annotations.NullMarked;
