// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.inspect;

import io.accordiondb.CorruptionException;
import io.accordiondb.FileReading;
import io.accordiondb.FormatVersionException;
import io.accordiondb.encoding.CellComparator;
import io.accordiondb.encoding.CellCursor;
import io.accordiondb.encoding.CellType;
import io.accordiondb.encoding.KeyValueLayout;
import io.accordiondb.encoding.MergingCursor;
import io.accordiondb.inspect.Damage;
import io.accordiondb.inspect.StoreSize;
import io.accordiondb.internal.cache.BlockCache;
import io.accordiondb.internal.catalog.StoreOpener;
import io.accordiondb.internal.manifest.FamilyRecord;
import io.accordiondb.internal.manifest.FileRecord;
import io.accordiondb.internal.manifest.TableRecord;
import io.accordiondb.internal.metrics.Telemetry;
import io.accordiondb.internal.read.CellKey;
import io.accordiondb.internal.region.Store;
import io.accordiondb.internal.region.StoreFile;
import io.accordiondb.internal.region.StoreFiles;
import io.accordiondb.internal.storage.Storage;
import io.accordiondb.retention.CellFilter;
import io.accordiondb.retention.DeletedRanges;
import io.accordiondb.retention.DeletedRangesFilter;
import io.accordiondb.retention.RangeTombstones;
import io.accordiondb.retention.RetentionFilter;
import io.accordiondb.retention.VersionRules;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Measures how much of the stores' files a major compaction would keep, by merging a whole store or
 * a sample without writing anything. In a family with a merge operator an operand counts as a value
 * that replaces the one before, which is close to the result of combining them. Belongs to one
 * thread.
 */
final class StoreMeasurement implements Closeable {
  /** Places in a store at which a sample is taken. */
  private static final int SAMPLES = 32;

  /** Approximate number of cells of the largest file between two rows that may bound a sample. */
  private static final long SAMPLE_CELLS = 2000;

  /** Maximum number of such rows, however large the store is. */
  private static final long BOUNDS_MAX = 8192;

  /** Files that may be open at a time, beyond those that are being read. */
  private static final int OPEN_FILES_MAX = 256;

  private final Storage storage;
  private final StoreFiles files;
  private final boolean exact;
  private final long nowMillis;
  private final Consumer<Damage> damage;

  private RangeTombstones ranges = RangeTombstones.NONE;
  private long cells;
  private long bytes;
  private long liveCells;
  private long liveBytes;

  StoreMeasurement(Storage storage, boolean exact, long nowMillis, Consumer<Damage> damage) {
    this.storage = storage;
    this.files =
        new StoreFiles(
            storage,
            FileReading.PLAIN,
            open -> open > OPEN_FILES_MAX,
            new BlockCache(0),
            number -> true,
            Runnable::run,
            Telemetry.silent());
    this.exact = exact;
    this.nowMillis = nowMillis;
    this.damage = damage;
  }

  StoreSize measure(
      String table,
      long region,
      FamilyRecord family,
      List<FileRecord> records,
      RangeTombstones deleted)
      throws IOException {
    ranges = deleted;
    cells = 0;
    bytes = 0;
    liveCells = 0;
    liveBytes = 0;
    StoreOpener.checkKnown(List.of(new TableRecord(0, table, List.of(family))), "the manifest");
    List<StoreFile> open = new ArrayList<>();
    try {
      for (FileRecord record : records) {
        open(record, open);
      }
      VersionRules rules = StoreOpener.descriptorOf(family).versionRules();
      merge(open, rules);
      return new StoreSize(
          table,
          region,
          family.name(),
          levelsOf(records),
          records.size(),
          records.stream().mapToLong(FileRecord::bytes).sum(),
          open.stream().mapToLong(StoreFile::cellCount).sum(),
          open.stream().mapToLong(file -> file.properties().markerCount()).sum(),
          cells,
          bytes,
          liveCells,
          liveBytes);
    } finally {
      Store.release(open);
    }
  }

  private void open(FileRecord record, List<StoreFile> open) throws IOException {
    String path = storage.path(StoreFiles.nameOf(record.backingNumber()));
    try {
      open.add(files.open(record));
    } catch (NoSuchFileException e) {
      damage.accept(
          new Damage(
              path,
              Damage.NOWHERE,
              path + " is missing; if the database is in use, it was merged just now: try again"));
    } catch (CorruptionException e) {
      damage.accept(new Damage(path, e.offset(), String.valueOf(e.getMessage())));
    } catch (FormatVersionException e) {
      damage.accept(new Damage(path, Damage.NOWHERE, String.valueOf(e.getMessage())));
    }
  }

  private static List<StoreSize.Level> levelsOf(List<FileRecord> records) {
    TreeMap<Integer, StoreSize.Level> levels = new TreeMap<>();
    for (FileRecord record : records) {
      levels.merge(
          record.level(),
          new StoreSize.Level(record.level(), 1, record.bytes()),
          (a, b) -> new StoreSize.Level(a.level(), a.files() + b.files(), a.bytes() + b.bytes()));
    }
    return List.copyOf(levels.values());
  }

  private void merge(List<StoreFile> open, VersionRules rules) throws IOException {
    if (open.isEmpty()) {
      return;
    }
    try (MergingCursor cursor =
        new MergingCursor(open.stream().map(file -> file.source(false).cursor()).toList())) {
      long all = open.stream().mapToLong(StoreFile::cellCount).sum();
      if (exact || all <= SAMPLES * SAMPLE_CELLS) {
        if (cursor.seekToFirst()) {
          count(cursor, rules, null);
        }
        return;
      }
      StoreFile largest =
          open.stream().max(Comparator.comparingLong(StoreFile::cellCount)).orElseThrow();
      List<byte[]> bounds =
          largest.spreadRows((int) Math.min(BOUNDS_MAX, largest.cellCount() / SAMPLE_CELLS + 1));
      int stride = Math.max(1, bounds.size() / SAMPLES);
      for (int i = 0; i + 1 < bounds.size(); i += stride) {
        if (cursor.seek(CellKey.firstOfRow(bounds.get(i)).buffer(), 0)) {
          count(cursor, rules, bounds.get(i + 1));
        }
      }
    } catch (CorruptionException e) {
      damage.accept(new Damage(e.file(), e.offset(), String.valueOf(e.getMessage())));
    }
  }

  /** Counts the cells from the cursor to a row, or to the end. */
  private void count(MergingCursor cursor, VersionRules rules, byte @Nullable [] endRow)
      throws IOException {
    CellFilter filter =
        new DeletedRangesFilter(
            new RetentionFilter(rules, Long.MAX_VALUE, nowMillis, true),
            DeletedRanges.NONE.and(ranges),
            Long.MAX_VALUE);
    do {
      CellCursor cell = cursor.current();
      ByteBuffer buffer = cell.buffer();
      int offset = cell.offset();
      if (endRow != null && CellComparator.compareRow(buffer, offset, endRow) >= 0) {
        return;
      }
      cells++;
      bytes += cell.length();
      boolean isOperand = KeyValueLayout.typeCode(buffer, offset) == CellType.MERGE.code();
      ByteBuffer put = isOperand ? asPut(buffer, offset) : buffer;
      if (filter.keeps(
          put,
          isOperand ? 0 : offset,
          isOperand ? put.capacity() : cell.length(),
          cell.sequenceNumber())) {
        liveCells++;
        liveBytes += cell.length();
      }
    } while (cursor.next());
  }

  /** Returns a put with the key of an operand, which the rules of versions do not know. */
  private static ByteBuffer asPut(ByteBuffer operand, int offset) {
    return KeyValueLayout.withValue(operand, offset, CellType.PUT.code(), new byte[0]);
  }

  @Override
  public void close() {
    files.close();
  }
}
