// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.region;

import io.accordiondb.FamilyDescriptor;
import io.accordiondb.FileReading;
import io.accordiondb.encoding.CellCursor;
import io.accordiondb.encoding.MergingCursor;
import io.accordiondb.event.FileAddedEvent;
import io.accordiondb.internal.cache.BlockCache;
import io.accordiondb.internal.manifest.FileOwner;
import io.accordiondb.internal.manifest.FileRecord;
import io.accordiondb.internal.metrics.Telemetry;
import io.accordiondb.internal.sstable.SortedTable;
import io.accordiondb.internal.sstable.SortedTableOptions;
import io.accordiondb.internal.sstable.SortedTableWriter;
import io.accordiondb.internal.storage.ReopeningStorage;
import io.accordiondb.internal.storage.Storage;
import io.accordiondb.retention.CellFilter;
import io.accordiondb.retention.ColumnFold;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Queue;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.IntPredicate;
import java.util.function.LongConsumer;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes, opens and deletes the sorted tables of a database. Thread-safe. */
public final class StoreFiles implements Closeable {
  /** The directory of all sorted tables. */
  public static final String DIRECTORY = "sst";

  private static final CellFilter KEEP_ALL = (buffer, offset, length, sequence) -> true;
  private static final Logger LOG = LoggerFactory.getLogger(StoreFiles.class);

  /** Bytes of cells that are read between two calls of the throttle. */
  private static final int BYTES_PER_QUESTION = 64 << 10;

  private final ReopeningStorage storage;
  private final BlockCache cache;
  private final LongPredicate isUsed;
  private final Executor deletions;
  private final Telemetry telemetry;

  /** Numbers of files that no version has, unless the manifest has failed while it got them. */
  private final Queue<Long> givenUp = new ConcurrentLinkedQueue<>();

  private volatile boolean closed;

  /**
   * Creates access to the tables below a storage.
   *
   * @param reading how they are read
   * @param tooManyOpen returns whether a number of open tables is too high; then some are closed
   * @param isUsed returns whether any store sees the file with a number; it is then not deleted
   * @param deletions runs deletions that a reader must not wait for
   * @param telemetry receives files that are added and deleted
   */
  public StoreFiles(
      Storage storage,
      FileReading reading,
      IntPredicate tooManyOpen,
      BlockCache cache,
      LongPredicate isUsed,
      Executor deletions,
      Telemetry telemetry) {
    this.telemetry = telemetry;
    this.deletions = deletions;
    this.storage = new ReopeningStorage(storage, reading, tooManyOpen);
    this.cache = cache;
    this.isUsed = isUsed;
  }

  /** Returns the name of the file with a number. */
  public static String nameOf(long fileNumber) {
    return String.format(Locale.ROOT, "%s/%012d.sst", DIRECTORY, fileNumber);
  }

  /** Opens a table. */
  public StoreFile open(FileRecord record) throws IOException {
    return StoreFile.of(
        SortedTable.open(storage, nameOf(record.backingNumber()), record.numberInFile(), cache),
        record);
  }

  /**
   * Makes the cache give memory back after writing a table has found no direct memory.
   *
   * @throws OutOfMemoryError the given error, if it is about the heap
   */
  void giveBackAfter(OutOfMemoryError error) {
    cache.directMemory().giveBackAfter(error);
  }

  /** Closes all tables, including those that are still being read; further reads throw. */
  @Override
  public void close() {
    closed = true;
    storage.close();
  }

  /**
   * How tables are written.
   *
   * @param level level of the tables
   * @param bytesMax length at which a table ends, after its current row, and another one begins
   */
  public record Layout(int level, long bytesMax) {
    /** One table of level 0. */
    public static final Layout ONE_TABLE = new Layout(0, Long.MAX_VALUE);
  }

  /**
   * Writes the cells that a filter keeps into new tables, and opens them. The files are on the
   * device, and so are their names, when this returns.
   *
   * @param store the store to which they belong
   * @param origin what the tables record
   * @param cursor the cells; the call moves the cursor and does not close it
   * @param throttle called regularly; may end the work
   * @return the tables; none if no cell was kept or the work was cancelled; then no file is left
   */
  public List<StoreFile> write(
      FileNumberSource numbers,
      Store store,
      TableOrigin origin,
      MergingCursor cursor,
      CellFilter filter,
      WriteThrottle throttle,
      Layout layout)
      throws IOException {
    ColumnFold fold = filter.columnFold();
    if (fold != null) {
      MergingCursor folded = new MergingCursor(List.of(new FoldingCursor(cursor, fold)));
      return write(numbers, store, origin, folded, KEEP_ALL, throttle, layout);
    }
    List<StoreFile> written = new ArrayList<>();
    boolean whole = false;
    try {
      boolean more = cursor.seekToFirst();
      while (more
          && writeOne(numbers.next(), store, origin, cursor, filter, throttle, layout, written)) {
        more = cursor.isValid();
      }
      whole = !more;
    } finally {
      if (!whole) {
        for (StoreFile file : written) {
          file.release();
          discard(file.fileNumber());
        }
      }
    }
    return whole ? written : List.of();
  }

  /** Writes one table, unless no cell is kept; returns false if the work is given up. */
  private boolean writeOne(
      long fileNumber,
      Store store,
      TableOrigin origin,
      MergingCursor cursor,
      CellFilter filter,
      WriteThrottle throttle,
      Layout layout,
      List<StoreFile> written)
      throws IOException {
    SortedTableOptions options = optionsOf(store.descriptor());
    SortedTableWriter writer = null;
    boolean finished = false;
    try {
      writer = new SortedTableWriter(storage, nameOf(fileNumber), fileNumber, options);
      boolean goesOn = writeKept(writer, cursor, filter, throttle, layout.bytesMax);
      if (goesOn && writer.cellCount() > 0) {
        // Only the last table may stand for the inputs, because a crash may come before it.
        writer.setOwner((cursor.isValid() ? origin.owner().ofPart() : origin.owner()).encode());
        writer.setAppliedUpTo(origin.appliedUpTo());
        writer.finish();
        storage.syncDirectory(DIRECTORY);
        add(written, open(store.id(), fileNumber, layout.level));
        finished = true;
      }
      return goesOn;
    } finally {
      if (!finished) {
        if (writer != null) {
          writer.abandon();
        }
        discard(fileNumber);
      }
    }
  }

  /** Reports tables that are recorded, and installed next. Never throws: they come into use. */
  public void tellAdded(Store store, List<StoreFile> files) {
    try {
      for (StoreFile file : files) {
        telemetry.fileAdded(
            new FileAddedEvent(
                nameOf(file.record().backingNumber()),
                store.tableName(),
                store.descriptor().name(),
                store.id().regionId(),
                file.record().level(),
                file.bytes()));
      }
    } catch (OutOfMemoryError e) {
      // The files come into use, but are not reported.
    }
  }

  /**
   * Returns the numbers of files that a compaction merges, and of those that had been merged into
   * them, as far as they still exist.
   */
  public Set<Long> mergedInto(List<StoreFile> inputs) throws IOException {
    Set<Long> merged = new TreeSet<>();
    for (StoreFile input : inputs) {
      String name = nameOf(input.record().backingNumber());
      FileOwner owner = FileOwner.decode(input.properties().owner(), storage.path(name));
      for (long earlier : owner == null ? Set.<Long>of() : owner.merged()) {
        if (storage.exists(nameOf(earlier))) {
          merged.add(earlier);
        }
      }
      merged.add(input.record().backingNumber());
    }
    return merged;
  }

  /** Returns how the tables of a family are written. */
  public static SortedTableOptions optionsOf(FamilyDescriptor family) {
    return new SortedTableOptions(
        family.blockSizeBytes(),
        SortedTableOptions.RESTART_INTERVAL_DEFAULT,
        family.compression(),
        family.bloomFilter());
  }

  private StoreFile open(StoreId store, long fileNumber, int level) throws IOException {
    return StoreFile.of(
        SortedTable.open(storage, nameOf(fileNumber), fileNumber, cache), store, level);
  }

  /** Adds a file that was just opened, or closes it if that fails. */
  private static void add(List<StoreFile> opened, StoreFile file) {
    boolean added = false;
    try {
      added = opened.add(file);
    } finally {
      if (!added) {
        file.release();
      }
    }
  }

  /** Writes cells until the table is full; returns false if the work is given up. */
  private static boolean writeKept(
      SortedTableWriter writer,
      MergingCursor cursor,
      CellFilter filter,
      WriteThrottle throttle,
      long bytesMax)
      throws IOException {
    long bytes = BYTES_PER_QUESTION;
    for (boolean valid = true; valid; valid = cursor.next()) {
      if (bytes >= BYTES_PER_QUESTION) {
        if (!throttle.mayContinue(bytes)) {
          return false;
        }
        bytes = 0;
      }
      CellCursor cell = cursor.current();
      if (writer.bytesWritten() >= bytesMax && !writer.isInLastRow(cell.buffer(), cell.offset())) {
        return true;
      }
      bytes += cell.length();
      long sequence = cell.sequenceNumber();
      // After a repair, a cell may be in several files.
      if (filter.keeps(cell.buffer(), cell.offset(), cell.length(), sequence)
          && !writer.endsWith(cell.buffer(), cell.offset(), sequence)) {
        writer.add(cell.buffer(), cell.offset(), cell.length(), sequence);
      }
    }
    return true;
  }

  /**
   * Deletes tables that could not be recorded.
   *
   * @param isCertain whether no version has them; if not, {@link #deleteGivenUp} deletes them
   */
  public void giveUp(List<Long> numbers, boolean isCertain) {
    if (isCertain) {
      numbers.forEach(this::discard);
    } else {
      givenUp.addAll(numbers);
    }
  }

  /** Returns the tables that were given up, and that the manifest may nevertheless have. */
  public List<Long> givenUp() {
    return List.copyOf(givenUp);
  }

  /**
   * Deletes tables that were given up.
   *
   * @param numbers what {@link #givenUp} has returned before the manifest was resumed; of those
   *     that were given up since, it may have recorded some in its new file
   */
  public void deleteGivenUp(List<Long> numbers) {
    for (Long number : numbers) {
      if (givenUp.remove(number)) {
        discard(number);
      }
    }
  }

  /**
   * Returns what deletes a table that no store sees any more, by its number. The file system may
   * take a tenth of a second to delete a large file, so other threads than this one, which may be
   * reading, leave that to a thread in the background.
   */
  public LongConsumer deletion() {
    return new Deletion();
  }

  /**
   * Drops stores and deletes their tables. Those that are being read are deleted in the background
   * afterwards, even if this thread is the last to read them.
   */
  public void drop(List<Store> stores) {
    Deletion deletion = new Deletion();
    stores.forEach(store -> store.drop(deletion));
    deletion.own = null;
  }

  private final class Deletion implements LongConsumer {
    /** The thread that may wait; null if none may any more. */
    private volatile @Nullable Thread own = Thread.currentThread();

    @Override
    public void accept(long backingNumber) {
      if (Thread.currentThread() == own) {
        delete(backingNumber);
      } else {
        deleteLater(backingNumber);
      }
    }
  }

  private void deleteLater(long backingNumber) {
    try {
      deletions.execute(() -> delete(backingNumber));
    } catch (RejectedExecutionException | OutOfMemoryError e) {
      // The database is being closed, or there is no memory for a thread.
      delete(backingNumber);
    }
  }

  /** Deletes a table that no store sees any more; else the next opening of the database does. */
  private void delete(long backingNumber) {
    if (discard(backingNumber)) {
      telemetry.fileDeleted(nameOf(backingNumber));
    }
  }

  /** Same, but tells nobody; for tables that were never in use. Returns whether it has deleted. */
  private boolean discard(long backingNumber) {
    String name = nameOf(backingNumber);
    // The folder may have another owner by now, or a last reader may be left, which deletes it.
    if (closed || isUsed.test(backingNumber) || storage.hasReaders(name)) {
      return false;
    }
    try {
      if (storage.exists(name)) {
        storage.delete(name);
        return true;
      }
    } catch (NoSuchFileException e) {
      // Another thread has just deleted it, for another view of the same file.
    } catch (IOException | UncheckedIOException e) {
      LOG.warn("could not delete {}, which is in no version any more", storage.path(name), e);
    }
    return false;
  }
}
