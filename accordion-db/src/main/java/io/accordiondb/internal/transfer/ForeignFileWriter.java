// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.transfer;

import io.accordiondb.CellLimits;
import io.accordiondb.ClosedException;
import io.accordiondb.FamilyDescriptor;
import io.accordiondb.SortedFileWriter;
import io.accordiondb.encoding.CellType;
import io.accordiondb.encoding.KeyValueLayout;
import io.accordiondb.internal.manifest.FileView;
import io.accordiondb.internal.region.StoreFiles;
import io.accordiondb.internal.sstable.SortedTableWriter;
import io.accordiondb.internal.storage.Storage;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Writes a sorted table outside any database, to be ingested later. */
public final class ForeignFileWriter implements SortedFileWriter {
  private static final byte[] NO_FAMILY = {};

  private final Storage storage;
  private final SortedTableWriter writer;
  private final String name;
  private ByteBuffer cell = ByteBuffer.allocate(1 << 10);
  private boolean ended;

  public ForeignFileWriter(Storage storage, String name, FamilyDescriptor family)
      throws IOException {
    this.storage = storage;
    this.name = name;
    this.writer =
        new SortedTableWriter(storage, name, FileView.FOREIGN_NUMBER, StoreFiles.optionsOf(family));
  }

  @Override
  public void add(byte[] row, byte[] qualifier, long timestamp, byte[] value) throws IOException {
    checkOpen();
    CellLimits.checkRow("add", row);
    CellLimits.checkQualifier(qualifier);
    CellLimits.checkTimestamp(timestamp);
    int length = KeyValueLayout.length(row.length, 0, qualifier.length, value.length);
    if (cell.capacity() < length) {
      cell = ByteBuffer.allocate(length);
    }
    KeyValueLayout.write(
        cell, 0, row, NO_FAMILY, qualifier, timestamp, CellType.PUT.code() & 0xFF, value);
    writer.add(cell, 0, length, 0);
  }

  @Override
  public void finish() throws IOException {
    checkOpen();
    writer.finish();
    ended = true;
    storage.syncDirectory("");
  }

  @Override
  public void close() {
    ended = true;
    writer.abandon();
  }

  private void checkOpen() {
    if (ended) {
      throw new ClosedException("the sorted file " + name);
    }
  }
}
