// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.region;

import io.accordiondb.FamilyDescriptor;
import io.accordiondb.cell.CellCursor;
import io.accordiondb.cell.MergingCursor;
import io.accordiondb.internal.manifest.FileRecord;
import io.accordiondb.internal.sstable.BlockCache;
import io.accordiondb.internal.sstable.SortedTable;
import io.accordiondb.internal.sstable.SortedTableOptions;
import io.accordiondb.internal.sstable.SortedTableProperties;
import io.accordiondb.internal.sstable.SortedTableWriter;
import io.accordiondb.internal.storage.Storage;
import io.accordiondb.retention.RetentionFilter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes, opens and deletes the sorted tables of a database. Thread-safe. */
public final class StoreFiles {
  /** The directory of all sorted tables. */
  public static final String DIRECTORY = "sst";

  private static final Logger LOG = LoggerFactory.getLogger(StoreFiles.class);

  /** Cells between two looks at the cancellation flag. */
  private static final int CANCELLATION_STEP = 1024;

  private final Storage storage;
  private final BlockCache cache;

  /** Creates access to the tables below a storage. */
  public StoreFiles(Storage storage, BlockCache cache) {
    this.storage = storage;
    this.cache = cache;
  }

  /** Returns the name of the file with a number. */
  public static String nameOf(long fileNumber) {
    return String.format("%s/%012d.sst", DIRECTORY, fileNumber);
  }

  /** Opens a table. */
  public StoreFile open(long fileNumber) throws IOException {
    return new StoreFile(SortedTable.open(storage, nameOf(fileNumber), fileNumber, cache));
  }

  /**
   * Writes the cells that a filter keeps into a new table, and opens it. The file is on the device,
   * and so is its name, when this returns.
   *
   * @param cursor the cells; is moved, not closed
   * @param cancelled asked now and then; true ends the work
   * @return the table; null when no cell was kept, or the work was cancelled, and then there is no
   *     file
   */
  public @Nullable StoreFile write(
      long fileNumber,
      FamilyDescriptor family,
      MergingCursor cursor,
      RetentionFilter filter,
      BooleanSupplier cancelled)
      throws IOException {
    String name = nameOf(fileNumber);
    SortedTableOptions options =
        new SortedTableOptions(
            family.blockSizeBytes(),
            SortedTableOptions.RESTART_INTERVAL_DEFAULT,
            family.compression(),
            family.bloomFilter());
    SortedTableWriter writer = new SortedTableWriter(storage, name, fileNumber, options);
    StoreFile written = null;
    try {
      boolean wasCancelled = writeKept(writer, cursor, filter, cancelled);
      if (!wasCancelled && writer.cellCount() > 0) {
        writer.finish();
        storage.syncDirectory(DIRECTORY);
        written = open(fileNumber);
      }
      return written;
    } finally {
      if (written == null) {
        writer.abandon();
        delete(fileNumber);
      }
    }
  }

  private static boolean writeKept(
      SortedTableWriter writer,
      MergingCursor cursor,
      RetentionFilter filter,
      BooleanSupplier cancelled)
      throws IOException {
    long cells = 0;
    for (boolean valid = cursor.seekToFirst(); valid; valid = cursor.next()) {
      if (cells++ % CANCELLATION_STEP == 0 && cancelled.getAsBoolean()) {
        return true;
      }
      CellCursor cell = cursor.current();
      long sequence = cell.sequenceNumber();
      if (filter.keeps(cell.buffer(), cell.offset(), cell.length(), sequence)) {
        writer.add(cell.buffer(), cell.offset(), cell.length(), sequence);
      }
    }
    return false;
  }

  /** Deletes a table; if that fails, the next opening of the database does it. */
  public void delete(long fileNumber) {
    String name = nameOf(fileNumber);
    try {
      if (storage.exists(name)) {
        storage.delete(name);
      }
    } catch (IOException | UncheckedIOException e) {
      LOG.warn("could not delete {}, which is in no version any more", storage.path(name), e);
    }
  }

  /** Returns what the manifest records of a table. */
  public static FileRecord recordOf(StoreId store, StoreFile file) {
    SortedTableProperties properties = file.properties();
    return new FileRecord(
        file.fileNumber(),
        store.regionId(),
        store.familyId(),
        file.bytes(),
        properties.sequenceMin(),
        properties.sequenceMax());
  }
}
