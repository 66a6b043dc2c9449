// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/**
 * Reads and writes of tables: what {@link io.accordiondb.Table} and {@link
 * io.accordiondb.KeyValueStore} do.
 *
 * <p>Start with {@link io.accordiondb.internal.table.TableHandle}. Writes go through {@link
 * io.accordiondb.internal.table.TableWriter} and {@link
 * io.accordiondb.internal.table.MutationEncoder} to the commit pipeline, reads through {@link
 * io.accordiondb.internal.table.TableReader}. This package does not know how a database is opened.
 */
@NullMarked
package io.accordiondb.internal.table;

import org.jspecify.annotations.NullMarked;
