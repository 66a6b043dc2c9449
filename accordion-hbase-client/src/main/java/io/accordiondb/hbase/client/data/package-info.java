// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/**
 * Reads and writes of rows by HBase's client interfaces: tables, scanners and mutators, synchronous
 * and asynchronous. {@link io.accordiondb.hbase.client.data.RowOperations} is where each operation
 * comes down to the database; {@link io.accordiondb.hbase.client.data.ScanRows} is where a scan
 * becomes rows. Nothing here knows how tables are created or described.
 */
@NullMarked
package io.accordiondb.hbase.client.data;

import org.jspecify.annotations.NullMarked;
