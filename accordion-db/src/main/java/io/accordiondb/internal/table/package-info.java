// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/**
 * Reads and writes of tables: the implementation of {@link io.accordiondb.Table} and {@link
 * io.accordiondb.KeyValueStore}.
 *
 * <p>Start with {@link io.accordiondb.internal.table.TableHandle}. Writes go through {@link
 * io.accordiondb.internal.table.TableWriter} and {@link
 * io.accordiondb.internal.table.MutationEncoder}, which checks lengths, finds each row's region and
 * encodes the cells once, to the commit pipeline. Reads go through {@link
 * io.accordiondb.internal.table.TableReader}. A get from a key-value store creates no cells and no
 * result, only the value. A cursor moves the same scanner in both directions, so scanners that move
 * in one direction pay nothing for cursors.
 *
 * <p>This package does not know how a database is opened.
 */
@NullMarked
package io.accordiondb.internal.table;

import org.jspecify.annotations.NullMarked;
