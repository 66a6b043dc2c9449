// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.retention;

import io.accordiondb.encoding.CellTags;
import io.accordiondb.encoding.CellType;
import io.accordiondb.encoding.KeyValueLayout;
import java.nio.ByteBuffer;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Decides, cell by cell in order, what a reader sees. It hides exactly the cells that a compaction
 * may drop, whether or not a compaction has dropped them yet. Belongs to one thread.
 */
public final class VisibilityFilter {
  /** What to do with a cell. */
  public enum Verdict {
    /** The reader sees it. */
    INCLUDE,
    /** The reader does not see it. */
    SKIP,
    /**
     * The reader sees neither it nor any further cell of its column. Markers of the family, which
     * have the empty qualifier, must still be judged if another column of the row is read.
     */
    SKIP_COLUMN
  }

  private final VersionRules rules;
  private final @Nullable CellExpiry expiry;
  private final long readPoint;
  private final long nowMillis;
  private final long oldestLiveTimestamp;
  private final int versionsMax;
  private final long minTimestamp;
  private final long maxTimestamp;

  private final ColumnPosition position = new ColumnPosition();
  private final DeleteTracker markers = new DeleteTracker();

  /** The markers that hide anything from this reader; fewer than all for a reader of the past. */
  private final DeleteTracker hidingMarkers;

  /** The markers whose hidden puts a compaction drops: all, those that have expired, or none. */
  private final DeleteTracker droppingMarkers;

  private final VersionCounter versions = new VersionCounter();
  private LongPredicate undated = sequence -> false;
  private int included;
  private boolean ownExpiry;

  /**
   * Creates a filter.
   *
   * @param rules the family's rules
   * @param expiry decides which puts have expired; null for none
   * @param readPoint the highest sequence number that the reader sees
   * @param nowMillis the time at which times to live are evaluated, in milliseconds since 1970
   * @param versionsMax versions of a column that the reader wants, at least 1
   * @param minTimestamp lowest timestamp that the reader wants, inclusive
   * @param maxTimestamp highest timestamp that the reader wants, exclusive
   */
  public VisibilityFilter(
      VersionRules rules,
      @Nullable CellExpiry expiry,
      long readPoint,
      long nowMillis,
      int versionsMax,
      long minTimestamp,
      long maxTimestamp) {
    this.rules = rules;
    this.expiry = expiry;
    this.readPoint = readPoint;
    this.nowMillis = nowMillis;
    this.oldestLiveTimestamp = rules.oldestLiveTimestamp(nowMillis);
    this.versionsMax = versionsMax;
    this.minTimestamp = minTimestamp;
    this.maxTimestamp = maxTimestamp;
    boolean keepsDeleted = rules.keepDeleted() != KeepDeletedCells.FALSE;
    this.hidingMarkers = keepsDeleted ? new DeleteTracker() : markers;
    this.droppingMarkers = keepsDeleted ? new DeleteTracker() : markers;
  }

  /**
   * Makes puts that have no final timestamp yet not expire by their age; returns this.
   *
   * @param sequences decides by the sequence number of a put
   * @return this filter
   */
  public VisibilityFilter sparing(LongPredicate sequences) {
    undated = sequences;
    return this;
  }

  /**
   * Announces that the next cell begins a row, which saves a comparison. Calling it is optional.
   */
  public void startRow() {
    position.startRow();
  }

  /**
   * Judges the next cell in the order of cells, which may have a time to live of its own. A put
   * that has expired is a marker of its column, unless another marker hides it.
   *
   * @param buffer big-endian buffer that holds the cell
   * @param offset offset of the cell's first byte, in bytes
   * @param length bytes of the cell, tags included
   * @param sequence the cell's sequence number
   * @return what to do with the cell
   */
  public Verdict judge(ByteBuffer buffer, int offset, int length, long sequence) {
    boolean expired =
        sequence <= readPoint
            && KeyValueLayout.typeCode(buffer, offset) == CellType.PUT.code()
            && ((CellTags.isExpired(buffer, offset, length, nowMillis) && !undated.test(sequence))
                || (expiry != null && expires(expiry, buffer, offset, sequence)));
    if (!expired) {
      return judge(buffer, offset, sequence);
    }
    ownExpiry = true;
    step(buffer, offset);
    long timestamp = KeyValueLayout.timestamp(buffer, offset);
    boolean hidden = markers.hides(timestamp, sequence);
    if (!hidden || !droppingMarkers.hides(timestamp, sequence)) {
      versions.count(timestamp, true);
    }
    if (!hidden) {
      addMarker(CellType.DELETE_COLUMN.code(), timestamp, sequence);
    } else if (hidingMarkers != markers
        && timestamp < maxTimestamp
        && !hidingMarkers.hides(timestamp, sequence)) {
      // The marker that hides it is not in the time range, so this reader would have seen it.
      hidingMarkers.add(CellType.DELETE_COLUMN.code(), timestamp, sequence);
    }
    return Verdict.SKIP;
  }

  /**
   * {@return whether any put was judged that had expired by its own time to live or by the rule for
   * single puts} What such a put hides comes back if its version is deleted.
   */
  public boolean hasOwnExpiry() {
    return ownExpiry;
  }

  /** Returns whether a rule says that a put has expired; one without a timestamp is from now. */
  private boolean expires(CellExpiry rule, ByteBuffer buffer, int offset, long sequence) {
    if (!undated.test(sequence)) {
      return rule.isExpired(buffer, offset, nowMillis);
    }
    ByteBuffer cell =
        KeyValueLayout.withValue(
            buffer, offset, CellType.PUT.code(), KeyValueLayout.value(buffer, offset));
    long timestamp = Math.max(nowMillis, KeyValueLayout.timestamp(buffer, offset));
    KeyValueLayout.setTimestamp(cell, 0, timestamp);
    return rule.isExpired(cell, 0, nowMillis);
  }

  /**
   * {@return whether the reader sees a cell for certain} Does not count as judging it, and costs
   * less.
   *
   * @param buffer holds the first cell of a row, which does not expire by itself
   * @param offset where the cell begins
   * @param sequence the cell's sequence number
   */
  public boolean showsFirst(ByteBuffer buffer, int offset, long sequence) {
    if (sequence > readPoint || KeyValueLayout.typeCode(buffer, offset) != CellType.PUT.code()) {
      return false;
    }
    long timestamp = KeyValueLayout.timestamp(buffer, offset);
    return timestamp >= Math.max(minTimestamp, oldestLiveTimestamp) && timestamp < maxTimestamp;
  }

  /**
   * Judges the next cell in the order of cells, which has no time to live of its own.
   *
   * @param buffer big-endian buffer that holds the cell
   * @param offset offset of the cell's first byte, in bytes
   * @param sequence the cell's sequence number
   * @return what to do with the cell
   */
  public Verdict judge(ByteBuffer buffer, int offset, long sequence) {
    step(buffer, offset);
    if (sequence > readPoint) {
      return Verdict.SKIP;
    }
    long timestamp = KeyValueLayout.timestamp(buffer, offset);
    int typeCode = KeyValueLayout.typeCode(buffer, offset);
    if (typeCode == CellType.PUT.code()) {
      return judgePut(timestamp, sequence);
    }
    addMarker(typeCode, timestamp, sequence);
    return Verdict.SKIP;
  }

  private void step(ByteBuffer buffer, int offset) {
    switch (position.step(buffer, offset)) {
      case NEW_ROW -> {
        markers.startRow();
        hidingMarkers.startRow();
        droppingMarkers.startRow();
        startColumn();
      }
      case NEW_COLUMN -> {
        markers.startColumn();
        hidingMarkers.startColumn();
        droppingMarkers.startColumn();
        startColumn();
      }
      case SAME_COLUMN -> {}
    }
  }

  private void addMarker(int typeCode, long timestamp, long sequence) {
    markers.add(typeCode, timestamp, sequence);
    if (hidingMarkers != markers && timestamp < maxTimestamp) {
      hidingMarkers.add(typeCode, timestamp, sequence);
    }
    if (rules.keepDeleted() == KeepDeletedCells.TTL && timestamp < oldestLiveTimestamp) {
      droppingMarkers.add(typeCode, timestamp, sequence);
    }
  }

  private void startColumn() {
    versions.startColumn();
    included = 0;
  }

  private Verdict judgePut(long timestamp, long sequence) {
    if (timestamp < minTimestamp) {
      return Verdict.SKIP_COLUMN;
    }
    boolean hidden = markers.hides(timestamp, sequence);
    if (hidden && droppingMarkers.hides(timestamp, sequence)) {
      return Verdict.SKIP;
    }
    int newerVersions = versions.count(timestamp, hidden);
    if (newerVersions == VersionCounter.REPLACED) {
      return Verdict.SKIP;
    }
    if (newerVersions >= rules.maxVersions()
        || (timestamp < oldestLiveTimestamp
            && newerVersions >= rules.minVersions()
            && !undated.test(sequence))) {
      return hidden ? Verdict.SKIP : Verdict.SKIP_COLUMN;
    }
    if (timestamp >= maxTimestamp || (hidden && hidingMarkers.hides(timestamp, sequence))) {
      return Verdict.SKIP;
    }
    included++;
    return included <= versionsMax ? Verdict.INCLUDE : Verdict.SKIP_COLUMN;
  }
}
