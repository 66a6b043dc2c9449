// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/**
 * The API of the embedded database. Open one with {@link io.accordiondb.Database#open}, then work
 * on {@link io.accordiondb.KeyValueStore}s, which map keys to values, or on {@link
 * io.accordiondb.Table}s, which have columns. {@link io.accordiondb.Administration} has what is
 * done with tables and databases as a whole.
 *
 * <p>The terms are those of HBase's client: a row has cells, and a cell belongs to a column family,
 * a qualifier and a timestamp. Interfaces are safe for use by many threads unless they say
 * otherwise; mutations, queries and builders belong to one thread. Arrays that a caller passes in
 * are not copied and must not change while the call runs.
 */
@NullMarked
package io.accordiondb;

import org.jspecify.annotations.NullMarked;
