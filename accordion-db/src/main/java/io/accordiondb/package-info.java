// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/**
 * The embedded database: open one with {@link io.accordiondb.Database#open}, then work on {@link
 * io.accordiondb.Table}s, or on a {@link io.accordiondb.KeyValueStore} if you need no columns.
 *
 * <p>The terms are those of HBase's client: a row has cells, which belong to a column family, a
 * qualifier and a timestamp.
 */
@NullMarked
package io.accordiondb;

import org.jspecify.annotations.NullMarked;
