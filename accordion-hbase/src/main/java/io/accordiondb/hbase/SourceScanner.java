// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase;

import io.accordiondb.encoding.CellComparator;
import io.accordiondb.encoding.CellCursor;
import io.accordiondb.encoding.CellSource;
import io.accordiondb.encoding.KeyValueLayout;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.ByteBufferKeyValue;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.NoTagsByteBufferKeyValue;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.io.TimeRange;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.KeyValueScanner;
import org.apache.hadoop.hbase.regionserver.NonLazyKeyValueScanner;
import org.apache.hadoop.hbase.regionserver.Shipper;
import org.jspecify.annotations.Nullable;

/**
 * Implements HBase's scanner over one segment, up to a read point. The cells that it returns are in
 * chunk memory and stay valid until {@link #close}, which HBase calls after {@link
 * Shipper#shipped}. Belongs to one thread.
 */
class SourceScanner extends NonLazyKeyValueScanner {
  /**
   * The number of steps of a reseek before it searches, because most move only a few cells ahead.
   */
  private static final int RESEEK_STEPS_MAX = 8;

  private final CellSource source;
  private final CellCursor cursor;
  private final long readPoint;
  private final SharedView view;
  private final long order;

  /** Newer segments, if they and this one may have cells of one sequence number. */
  private final List<? extends CellSource> newer;

  private final long lowestInNewer;

  /** Those, once a cell was looked up in them. */
  private @Nullable List<NewerSegment> openNewer;

  private final SeekKey key;

  /** The cell that the cursor is on, once it was requested. */
  private @Nullable Cell current;

  private boolean placed;
  private boolean valid;
  private boolean closed;

  /**
   * Creates a scanner before the first cell.
   *
   * @param readPoint the highest sequence number of cells to return
   * @param view has the source; the scanner holds it too, until it is closed
   * @param order rank among scanners on equal cells; the scanner of the highest rank comes first
   * @param newer segments that may have replaced cells of the source
   * @param lowestInNewer the lowest sequence number in those
   */
  private SourceScanner(
      CellSource source,
      long readPoint,
      SharedView view,
      long order,
      List<? extends CellSource> newer,
      long lowestInNewer) {
    this.source = source;
    this.cursor = source.cursor();
    this.readPoint = readPoint;
    this.view = view;
    this.key = new SeekKey(VersionBridge.ordersFamiliesByLength() ? view.family() : null);
    this.order = order;
    this.newer = newer;
    this.lowestInNewer = lowestInNewer;
    view.retain();
  }

  /** Creates a scanner of a source of which no other has a newer part. */
  SourceScanner(CellSource source, long readPoint, SharedView view) {
    this(source, readPoint, view, 0, List.of(), Long.MAX_VALUE);
  }

  /**
   * Creates scanners of those sources that have cells. If that fails, none is left open.
   *
   * @param sources sources of the view, newest first
   */
  static List<KeyValueScanner> ofEach(
      List<? extends CellSource> sources, long readPoint, SharedView view) {
    List<KeyValueScanner> scanners = new ArrayList<>(sources.size());
    boolean complete = false;
    long lowest = Long.MAX_VALUE;
    try {
      for (int i = 0; i < sources.size(); i++) {
        CellSource source = sources.get(i);
        if (source.cellCount() > 0) {
          List<? extends CellSource> newer =
              lowest <= source.maxSequence() ? sources.subList(0, i) : List.of();
          scanners.add(
              new SourceScanner(source, readPoint, view, sources.size() - i, newer, lowest));
          lowest = Math.min(lowest, source.minSequence());
        }
      }
      complete = true;
      return scanners;
    } finally {
      // An iterator would need memory, of which there may be none.
      for (int i = 0; !complete && i < scanners.size(); i++) {
        scanners.get(i).close();
      }
    }
  }

  @Override
  public @Nullable Cell peek() {
    if (!placed && !closed) {
      placed = true;
      skipUnreadable(firstCell());
    }
    if (valid && current == null) {
      current = cell();
    }
    return current;
  }

  private boolean firstCell() {
    try {
      return cursor.seekToFirst();
    } catch (IOException e) {
      throw new IllegalStateException("memory cannot fail to be read", e);
    }
  }

  private Cell cell() {
    ByteBuffer buffer = cursor.buffer();
    int offset = cursor.offset();
    int length = cursor.length();
    long sequence = cursor.sequenceNumber();
    return length == KeyValueLayout.length(buffer, offset)
        ? new NoTagsByteBufferKeyValue(buffer, offset, length, sequence)
        : new ByteBufferKeyValue(buffer, offset, length, sequence);
  }

  @Override
  public @Nullable Cell next() throws IOException {
    Cell returned = peek();
    if (returned != null) {
      skipUnreadable(nextKey());
    }
    return returned;
  }

  /**
   * Moves behind the current cell and those that it has replaced: one batch may write a key twice,
   * and all its cells have one sequence number. HBase's own store keeps the last of them only.
   */
  private boolean nextKey() throws IOException {
    ByteBuffer buffer = cursor.buffer();
    int offset = cursor.offset();
    long sequence = cursor.sequenceNumber();
    boolean found = cursor.next();
    while (found
        && cursor.sequenceNumber() == sequence
        && CellComparator.compareKeys(cursor.buffer(), cursor.offset(), buffer, offset) == 0) {
      found = cursor.next();
    }
    return found;
  }

  @Override
  public boolean seek(@Nullable Cell target) throws IOException {
    if (closed) {
      return false;
    }
    if (target == null) {
      close();
      return false;
    }
    placed = true;
    key.set(target);
    return search(target.getSequenceId());
  }

  @Override
  public boolean reseek(Cell target) throws IOException {
    if (closed || (placed && !valid)) {
      return false;
    }
    if (!placed) {
      return seek(target);
    }
    key.set(target);
    long sequence = target.getSequenceId();
    for (int step = 0; step < RESEEK_STEPS_MAX; step++) {
      if (!isBefore(sequence)) {
        return true;
      }
      if (!skipUnreadable(cursor.next())) {
        return false;
      }
    }
    return !isBefore(sequence) || search(sequence);
  }

  /** Moves to the first readable cell at or after the key with a sequence number. */
  private boolean search(long sequence) throws IOException {
    // The cursor stops at the newest cell of an equal key, which may come before the target.
    boolean found = skipUnreadable(cursor.seek(key.buffer(), 0));
    while (found && isBefore(sequence)) {
      found = skipUnreadable(cursor.next());
    }
    return found;
  }

  private boolean isBefore(long sequence) {
    return CellComparator.compare(
            cursor.buffer(), cursor.offset(), cursor.sequenceNumber(), key.buffer(), 0, sequence)
        < 0;
  }

  /** Moves on from the current cell, if there is one, to a cell up to the read point. */
  private boolean skipUnreadable(boolean standing) {
    boolean found = standing;
    try {
      while (found && !isReadable()) {
        found = cursor.next();
      }
    } catch (IOException e) {
      throw new IllegalStateException("memory cannot fail to be read", e);
    }
    valid = found;
    current = null;
    return found;
  }

  private boolean isReadable() throws IOException {
    long sequence = cursor.sequenceNumber();
    return sequence <= readPoint && (sequence < lowestInNewer || !isReplaced(sequence));
  }

  /**
   * Returns whether the key of the current cell was written again, with the same sequence number,
   * when this segment had been sealed: by the same batch, or by any in a table without a log, whose
   * cells are all numbered 0.
   */
  private boolean isReplaced(long sequence) throws IOException {
    List<NewerSegment> others = openNewer;
    if (others == null) {
      others = newer.stream().map(NewerSegment::new).toList();
      openNewer = others;
    }
    for (NewerSegment other : others) {
      if (other.has(cursor.buffer(), cursor.offset(), sequence)) {
        return true;
      }
    }
    return false;
  }

  @Override
  public boolean backwardSeek(Cell target) throws IOException {
    if (closed) {
      return false;
    }
    return (seek(target) && isInRow(target)) || seekToPreviousRow(target);
  }

  private boolean isInRow(Cell target) {
    key.setRow(target);
    return compareWithKeyRow() == 0;
  }

  private int compareWithKeyRow() {
    return CellComparator.compareRows(cursor.buffer(), cursor.offset(), key.buffer(), 0);
  }

  @Override
  public boolean seekToPreviousRow(Cell target) throws IOException {
    if (closed) {
      return false;
    }
    placed = true;
    key.setRow(target);
    return seekToRowBeforeKey();
  }

  /** Moves to the first readable cell of the last row before the key that has one. */
  private boolean seekToRowBeforeKey() throws IOException {
    while (cursor.seekBefore(key.buffer(), 0)) {
      key.setRow(cursor.buffer(), cursor.offset());
      boolean inRow = cursor.seek(key.buffer(), 0);
      while (inRow && compareWithKeyRow() == 0) {
        if (isReadable()) {
          return skipUnreadable(true);
        }
        inRow = cursor.next();
      }
    }
    return skipUnreadable(false);
  }

  @Override
  public boolean seekToLastRow() throws IOException {
    if (closed) {
      return false;
    }
    placed = true;
    key.setAfterAllRows();
    return seekToRowBeforeKey();
  }

  @Override
  public boolean shouldUseScanner(Scan scan, HStore store, long oldestUnexpiredTimestamp) {
    TimeRange wanted =
        scan.getColumnFamilyTimeRange()
            .getOrDefault(store.getColumnFamilyDescriptor().getName(), scan.getTimeRange());
    long newest = source.maxTimestamp();
    if (newest < oldestUnexpiredTimestamp
        || newest < wanted.getMin()
        || (!wanted.isAllTime()
            && !hidesOlder(store)
            && source.minTimestamp() >= wanted.getMax())) {
      return false;
    }
    if (!scan.isGetScan()) {
      return true;
    }
    key.setRow(scan.getStartRow());
    try {
      return source.mayContainRow(key.buffer(), 0);
    } catch (IOException e) {
      throw new IllegalStateException("memory cannot fail to be read", e);
    }
  }

  /**
   * Returns whether cells decide which older ones are read. A marker applies to all timestamps
   * below its own; with the new version behaviour, puts above a range count as versions, too.
   */
  private boolean hidesOlder(HStore store) {
    return source.deleteMarkerCount() > 0
        || store.getColumnFamilyDescriptor().isNewVersionBehavior();
  }

  @Override
  public long getScannerOrder() {
    return order;
  }

  @Override
  public void shipped() {}

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      valid = false;
      current = null;
      cursor.close();
      if (openNewer != null) {
        openNewer.forEach(NewerSegment::close);
      }
      view.release();
    }
  }

  @Override
  public String toString() {
    return "scanner of " + source.cellCount() + " cells in memory up to " + readPoint;
  }
}
