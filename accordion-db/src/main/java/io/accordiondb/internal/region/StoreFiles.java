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
import java.util.function.LongPredicate;
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
  private final LongPredicate isUsed;

  /**
   * Creates access to the tables below a storage.
   *
   * @param isUsed tells whether any store sees the file of a number, which is then not deleted
   */
  public StoreFiles(Storage storage, BlockCache cache, LongPredicate isUsed) {
    this.storage = storage;
    this.cache = cache;
    this.isUsed = isUsed;
  }

  /** Returns the name of the file with a number. */
  public static String nameOf(long fileNumber) {
    return String.format("%s/%012d.sst", DIRECTORY, fileNumber);
  }

  /** Opens a table. */
  public StoreFile open(FileRecord record) throws IOException {
    return new StoreFile(
        SortedTable.open(storage, nameOf(record.backingNumber()), record.numberInFile(), cache),
        record);
  }

  /**
   * Writes the cells that a filter keeps into a new table, and opens it. The file is on the device,
   * and so is its name, when this returns.
   *
   * @param store to whom it belongs
   * @param cursor the cells; is moved, not closed
   * @param cancelled asked now and then; true ends the work
   * @return the table; null when no cell was kept, or the work was cancelled, and then there is no
   *     file
   */
  public @Nullable StoreFile write(
      long fileNumber,
      Store store,
      MergingCursor cursor,
      RetentionFilter filter,
      BooleanSupplier cancelled)
      throws IOException {
    SortedTableWriter writer =
        new SortedTableWriter(
            storage, nameOf(fileNumber), fileNumber, optionsOf(store.descriptor()));
    writer.setOwner(store.owner().encode());
    StoreFile written = null;
    try {
      boolean wasCancelled = writeKept(writer, cursor, filter, cancelled);
      if (!wasCancelled && writer.cellCount() > 0) {
        writer.finish();
        storage.syncDirectory(DIRECTORY);
        written = open(store.id(), fileNumber);
      }
      return written;
    } finally {
      if (written == null) {
        writer.abandon();
        delete(fileNumber);
      }
    }
  }

  /** Returns how the tables of a family are written. */
  public static SortedTableOptions optionsOf(FamilyDescriptor family) {
    return new SortedTableOptions(
        family.blockSizeBytes(),
        SortedTableOptions.RESTART_INTERVAL_DEFAULT,
        family.compression(),
        family.bloomFilter());
  }

  private StoreFile open(StoreId store, long fileNumber) throws IOException {
    SortedTable table = SortedTable.open(storage, nameOf(fileNumber), fileNumber, cache);
    SortedTableProperties properties = table.properties();
    return new StoreFile(
        table,
        new FileRecord(
            fileNumber,
            store.regionId(),
            store.familyId(),
            properties.fileBytes(),
            properties.sequenceMin(),
            properties.sequenceMax()));
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
      // After a repair, a cell may be in several files.
      if (filter.keeps(cell.buffer(), cell.offset(), cell.length(), sequence)
          && !writer.endsWith(cell.buffer(), cell.offset(), sequence)) {
        writer.add(cell.buffer(), cell.offset(), cell.length(), sequence);
      }
    }
    return false;
  }

  /**
   * Deletes a table that no store sees any more; if that fails, the next opening of the database
   * does it.
   */
  public void delete(long backingNumber) {
    if (isUsed.test(backingNumber)) {
      return;
    }
    String name = nameOf(backingNumber);
    try {
      if (storage.exists(name)) {
        storage.delete(name);
      }
    } catch (IOException | UncheckedIOException e) {
      LOG.warn("could not delete {}, which is in no version any more", storage.path(name), e);
    }
  }
}
