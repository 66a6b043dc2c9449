// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/**
 * Filters that a query may carry, and how to compose them. Start with {@link
 * io.accordiondb.filter.Filters}.
 *
 * <p>The database applies a filter row by row, on the thread of the reader, to the cells that the
 * query has found: a filter leaves out results, and does not save reading them. Bounds, columns and
 * time ranges of the query do. These filters are immutable, and any number of queries and threads
 * can share one.
 */
@NullMarked
package io.accordiondb.filter;

import org.jspecify.annotations.NullMarked;
