// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/**
 * Tables cut into regions, regions into stores: where the cells of one family of one range of rows
 * live, in memory and in files, and how they move from the one to the other.
 *
 * <p>Start with {@link io.accordiondb.internal.region.Store}. This package does not know how writes
 * are logged and ordered, nor when a flush is due; it is told.
 */
@NullMarked
package io.accordiondb.internal.region;

import org.jspecify.annotations.NullMarked;
