// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/**
 * Moves tables to and from HBase by its own files: {@link
 * io.accordiondb.hbase.tools.transfer.HFileExporter} writes HFiles for its bulk load, {@link
 * io.accordiondb.hbase.tools.transfer.HFileImporter} reads HFiles and exported snapshots. Knows the
 * database by its public interface, and HBase by the classes with which it reads and writes files;
 * no cluster takes part. Start reading at {@link
 * io.accordiondb.hbase.tools.transfer.HBaseTransfer}.
 */
@NullMarked
package io.accordiondb.hbase.tools.transfer;

import org.jspecify.annotations.NullMarked;
