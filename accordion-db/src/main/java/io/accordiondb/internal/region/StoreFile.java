// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.region;

import io.accordiondb.encoding.CellComparator;
import io.accordiondb.encoding.CellCursor;
import io.accordiondb.encoding.CellSource;
import io.accordiondb.encoding.FoundCell;
import io.accordiondb.internal.manifest.FileRecord;
import io.accordiondb.internal.manifest.FileView;
import io.accordiondb.internal.sstable.SortedTable;
import io.accordiondb.internal.sstable.SortedTableProperties;
import io.accordiondb.retention.RangeTombstone;
import io.accordiondb.retention.RangeTombstones;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A sorted table of a store, or the part of a sorted table that a store sees. Immutable; shares the
 * table's reference count.
 */
public final class StoreFile {
  private final SortedTable table;
  private final SortedTableProperties properties;
  private final FileRecord record;

  /**
   * Wraps an open table. {@link #release} releases the reference to it.
   *
   * @param record the record that the manifest has, or will have, of it
   */
  StoreFile(SortedTable table, FileRecord record) {
    this.table = table;
    this.properties = table.properties();
    this.record = record;
  }

  /**
   * Wraps a table that was just opened. Takes over the reference to it; if this fails, it is
   * released.
   */
  static StoreFile of(SortedTable table, FileRecord record) {
    StoreFile file = null;
    try {
      file = new StoreFile(table, record);
      return file;
    } finally {
      if (file == null) {
        table.release();
      }
    }
  }

  /**
   * Wraps a table that was just opened, all of which its store shows. Takes over the reference to
   * it; if this fails, it is released, because a file that is open cannot be deleted.
   */
  static StoreFile of(SortedTable table, StoreId store, int level) {
    StoreFile file = null;
    try {
      SortedTableProperties properties = table.properties();
      file =
          new StoreFile(
              table,
              new FileRecord(
                  properties.fileNumber(),
                  store.regionId(),
                  store.familyId(),
                  properties.fileBytes(),
                  properties.sequenceMin(),
                  properties.sequenceMax(),
                  level,
                  null));
      return file;
    } finally {
      if (file == null) {
        table.release();
      }
    }
  }

  /**
   * Returns the same file with the sequence number that all its cells have. One reference to the
   * table stands for both.
   */
  public StoreFile ingestedAs(long sequence) {
    return new StoreFile(table, record.ingestedAs(sequence));
  }

  /** Returns the bytes of several files together. */
  public static long bytesOf(List<StoreFile> files) {
    return files.stream().mapToLong(StoreFile::bytes).sum();
  }

  /** Returns the record of the file in the manifest. */
  public FileRecord record() {
    return record;
  }

  /** Returns the identity of the file, which never changes. */
  public long fileNumber() {
    return record.fileNumber();
  }

  /** Returns the highest sequence number in the file. */
  public long maxSequence() {
    return record.maxSequence();
  }

  /**
   * Returns the sequence number up to which range tombstones are known to delete no cell. It may be
   * lower than that of the newest cell, for example if a reader has kept deleted cells.
   */
  public long appliedUpTo() {
    return Math.min(properties.appliedUpTo(), maxSequence());
  }

  /** Returns the length of the file in bytes; for a view, approximately the bytes that it shows. */
  public long bytes() {
    return record.bytes();
  }

  /** Returns whether it has no delete markers, and only timestamps below the given one. */
  public boolean hasOnlyPutsBefore(long timestamp) {
    return properties.timestampMax() < timestamp && !hasMarkers();
  }

  /** Returns whether it has cells other than puts without a time to live of their own. */
  boolean hasMarkers() {
    return properties.markerCount() > 0 || properties.familyMarkerCount() > 0;
  }

  /** Returns the number of cells. */
  public long cellCount() {
    return properties.cellCount();
  }

  /** Returns what the whole file says about itself. */
  public SortedTableProperties properties() {
    return properties;
  }

  /** Returns the first row that the file shows, or may show. */
  public byte[] firstRow() {
    byte[] first = properties.firstRow();
    FileView view = record.view();
    return view != null && Arrays.compareUnsigned(view.startKey(), first) > 0
        ? view.startKey()
        : first;
  }

  /** Returns a row at or after the last one that the file shows. */
  public byte[] lastRow() {
    byte[] last = properties.lastRow();
    FileView view = record.view();
    return view != null
            && view.endKey().length > 0
            && Arrays.compareUnsigned(view.endKey(), last) < 0
        ? view.endKey()
        : last;
  }

  /** Returns whether the file shows no row at all, as after changes of regions, or a repair. */
  boolean showsNoRow() {
    return endsBefore(firstRow());
  }

  /** Returns whether the file shows no row at or after a row. */
  boolean endsBefore(byte[] row) {
    FileView view = record.view();
    return CellComparator.compareRow(properties.lastCell(), 0, row) < 0
        || (view != null
            && view.endKey().length > 0
            && Arrays.compareUnsigned(view.endKey(), row) <= 0);
  }

  /** Returns whether the file shows no row at or after the row of a key. */
  boolean endsBefore(ByteBuffer key, int keyOffset) {
    FileView view = record.view();
    return CellComparator.compareRows(properties.lastCell(), 0, key, keyOffset) < 0
        || (view != null
            && view.endKey().length > 0
            && CellComparator.compareRow(key, keyOffset, view.endKey()) >= 0);
  }

  /** Returns whether the file may show cells that a range tombstone deletes. */
  boolean hasOlderCells(RangeTombstone tombstone) {
    return record.minSequence() < tombstone.sequence()
        && mayShowRows(tombstone.start(), tombstone.end());
  }

  /** Returns whether the file may show a row from one to another, exclusive; empty for no end. */
  private boolean mayShowRows(byte[] first, byte[] end) {
    return !endsBefore(first) && (end.length == 0 || beginsBefore(end));
  }

  private boolean beginsBefore(byte[] row) {
    FileView view = record.view();
    return CellComparator.compareRow(properties.firstCell(), 0, row) < 0
        && (view == null || Arrays.compareUnsigned(view.startKey(), row) < 0);
  }

  /** Returns whether range tombstones up to a sequence number delete every cell that it shows. */
  public boolean isDeletedBy(RangeTombstones ranges, long upTo) {
    return ranges.cover(firstRow(), lastRow(), maxSequence(), upTo);
  }

  /** Returns whether a range tombstone above a sequence number covers rows that it may show. */
  public boolean isTouchedBy(RangeTombstones ranges, long aboveSequence) {
    byte[] last = lastRow();
    return ranges.touches(firstRow(), Arrays.copyOf(last, last.length + 1), aboveSequence);
  }

  /**
   * Returns whether range tombstones up to a sequence number delete more than half of the file,
   * counting whole blocks, which are not read.
   */
  public boolean isMostlyDeletedBy(RangeTombstones ranges, long upTo) throws IOException {
    return table.deletedBytes(ranges, appliedUpTo(), upTo) > table.properties().dataBytes() / 2;
  }

  /** Returns a row near the middle of the file. */
  public byte[] middleRow() throws IOException {
    return table.middleRow();
  }

  /** Returns up to a number of rows, in order, that are spread evenly over the whole file. */
  public List<byte[]> spreadRows(int max) throws IOException {
    return table.spreadRows(max);
  }

  /** Returns the file as a source of cells. */
  public CellSource source(boolean fillCache) {
    return new Source(fillCache);
  }

  /** Deletes the file when its last reader has released it. The caller must hold a reference. */
  void deleteWhenUnused(Runnable delete) {
    table.markObsolete(delete);
  }

  /** Releases blocks as {@link SortedTable#letGoKept} does. The caller must hold a reference. */
  public void letGoKept() {
    table.letGoKept();
  }

  /** Adds a holder; the caller is one. */
  public void retain() {
    table.retain();
  }

  /** Removes a holder. The last call closes the file. */
  public void release() {
    table.release();
  }

  private final class Source implements CellSource {
    private final boolean fillCache;
    private final @Nullable FileView view = record.view();

    Source(boolean fillCache) {
      this.fillCache = fillCache;
    }

    @Override
    public CellCursor cursor() {
      CellCursor cursor = table.cursor(fillCache);
      if (view == null) {
        return cursor;
      }
      CellCursor viewed = null;
      try {
        viewed = new ViewCursor(cursor, view);
        return viewed;
      } finally {
        if (viewed == null) {
          cursor.close();
        }
      }
    }

    @Override
    public boolean mayContainRow(ByteBuffer key, int keyOffset) throws IOException {
      return shows(key, keyOffset) && table.mayContainRow(key, keyOffset);
    }

    @Override
    public boolean mayContainRows(byte[] first, byte[] end) {
      return mayShowRows(first, end);
    }

    @Override
    public boolean mayContainColumn(ByteBuffer key, int keyOffset) throws IOException {
      return shows(key, keyOffset) && table.mayContainColumn(key, keyOffset);
    }

    @Override
    public boolean find(ByteBuffer key, int keyOffset, long readPoint, FoundCell found)
        throws IOException {
      return view == null
          ? table.find(key, keyOffset, readPoint, fillCache, found)
          : CellSource.super.find(key, keyOffset, readPoint, found);
    }

    private boolean shows(ByteBuffer key, int keyOffset) {
      return view == null
          || (CellComparator.compareRow(key, keyOffset, view.startKey()) >= 0
              && (view.endKey().length == 0
                  || CellComparator.compareRow(key, keyOffset, view.endKey()) < 0));
    }

    @Override
    public long cellCount() {
      return properties.cellCount();
    }

    @Override
    public long deleteMarkerCount() {
      return properties.markerCount();
    }

    @Override
    public long minTimestamp() {
      return properties.timestampMin();
    }

    @Override
    public long maxTimestamp() {
      return properties.timestampMax();
    }

    @Override
    public long minSequence() {
      return record.minSequence();
    }

    @Override
    public long maxSequence() {
      return record.maxSequence();
    }
  }
}
