// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/**
 * The open tables and their regions, and what changes them: create, alter, truncate, drop, split,
 * merge.
 *
 * <p>Start with {@link io.accordiondb.internal.catalog.Catalog}. This package does not know how
 * writes are committed.
 */
@NullMarked
package io.accordiondb.internal.catalog;

import org.jspecify.annotations.NullMarked;
