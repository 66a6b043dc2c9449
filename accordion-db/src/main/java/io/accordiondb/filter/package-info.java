// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/**
 * Filters that a query may carry, and how to compose them. Start with {@link
 * io.accordiondb.filter.Filters}.
 */
@NullMarked
package io.accordiondb.filter;

import org.jspecify.annotations.NullMarked;
