// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.retention;

import io.accordiondb.cell.CellType;
import io.accordiondb.cell.KeyValueLayout;
import java.nio.ByteBuffer;

/**
 * Decides, cell by cell in order, what a compaction keeps. It drops a cell only if no reader can
 * need it, now or later: every snapshot and scanner reads at or above the smallest read point, so a
 * cell above that point always stays, and a cell below goes only for a reason that is below as
 * well.
 *
 * <p>The cells given to one filter must cover an unbroken range of the store's history, from the
 * first that is settled to the smallest read point: if the oldest and the newest source are given,
 * so are all between. Belongs to one thread.
 */
public final class RetentionFilter implements CellFilter {
  private final VersionRules rules;
  private final long unsettledUpTo;
  private final long smallestReadPoint;
  private final long oldestLiveTimestamp;
  private final boolean dropsDeleteMarkers;

  private final ColumnPosition position = new ColumnPosition();
  private final DeleteTracker markers = new DeleteTracker();

  /**
   * Those markers whose hidden puts need not be kept; the same as all unless kept until the TTL.
   */
  private final DeleteTracker expiredMarkers;

  private final VersionCounter versions = new VersionCounter();

  /**
   * Creates a filter of cells that are all settled.
   *
   * @param smallestReadPoint the lowest sequence number up to which any reader reads
   * @param nowMillis the time against which the time to live counts
   * @param dropsDeleteMarkers whether the cells are all that the store holds up to the newest of
   *     them, so that markers have nothing left to hide
   */
  public RetentionFilter(
      VersionRules rules, long smallestReadPoint, long nowMillis, boolean dropsDeleteMarkers) {
    this(rules, 0, smallestReadPoint, nowMillis, dropsDeleteMarkers);
  }

  /**
   * Creates a filter.
   *
   * @param unsettledUpTo puts up to this sequence number do not count as versions, because a marker
   *     that this filter is not given may hide them
   * @param smallestReadPoint the lowest sequence number up to which any reader reads
   * @param nowMillis the time against which the time to live counts
   * @param dropsDeleteMarkers whether the cells are all that the store holds up to the newest of
   *     them, so that markers have nothing left to hide
   */
  public RetentionFilter(
      VersionRules rules,
      long unsettledUpTo,
      long smallestReadPoint,
      long nowMillis,
      boolean dropsDeleteMarkers) {
    this.rules = rules;
    this.unsettledUpTo = unsettledUpTo;
    this.smallestReadPoint = smallestReadPoint;
    this.oldestLiveTimestamp = rules.oldestLiveTimestamp(nowMillis);
    this.dropsDeleteMarkers = dropsDeleteMarkers;
    this.expiredMarkers =
        rules.keepDeleted() == KeepDeletedCells.FALSE ? markers : new DeleteTracker();
  }

  @Override
  public boolean keeps(ByteBuffer buffer, int offset, int length, long sequence) {
    switch (position.step(buffer, offset)) {
      case NEW_ROW -> {
        markers.startRow();
        expiredMarkers.startRow();
        versions.startColumn();
      }
      case NEW_COLUMN -> {
        markers.startColumn();
        expiredMarkers.startColumn();
        versions.startColumn();
      }
      case SAME_COLUMN -> {}
    }
    return keepsNextVersion(buffer, offset, length, sequence);
  }

  @Override
  public boolean keepsNextColumn(ByteBuffer buffer, int offset, int length, long sequence) {
    if (markers.outlastColumn() || expiredMarkers.outlastColumn()) {
      return keeps(buffer, offset, length, sequence);
    }
    // Nothing is known of the row, so it does not matter whether it is another one.
    markers.startColumn();
    expiredMarkers.startColumn();
    versions.startColumn();
    return keepsNextVersion(buffer, offset, length, sequence);
  }

  @Override
  public boolean keepsNextVersion(ByteBuffer buffer, int offset, int length, long sequence) {
    if (sequence > smallestReadPoint) {
      return true;
    }
    long timestamp = KeyValueLayout.timestamp(buffer, offset);
    int typeCode = KeyValueLayout.typeCode(buffer, offset);
    return typeCode == CellType.PUT.code()
        ? keepsPut(timestamp, sequence)
        : keepsMarker(buffer, offset, typeCode, timestamp, sequence);
  }

  @Override
  public boolean begin(long deleteMarkers, long maxSequence) {
    return deleteMarkers == 0 && maxSequence <= smallestReadPoint;
  }

  @Override
  public boolean keepsFirstAlone(long deleteMarkers, long maxSequence, long minTimestamp) {
    return deleteMarkers == 0
        && maxSequence <= smallestReadPoint
        && unsettledUpTo == 0
        && rules.maxVersions() == 1
        && minTimestamp >= oldestLiveTimestamp;
  }

  @Override
  public boolean hasAllVersions() {
    return versions.unhidden() >= rules.maxVersions();
  }

  private boolean keepsMarker(
      ByteBuffer buffer, int offset, int typeCode, long timestamp, long sequence) {
    position.moveTo(buffer, offset);
    markers.add(typeCode, timestamp, sequence);
    boolean expired = timestamp < oldestLiveTimestamp;
    return switch (rules.keepDeleted()) {
      case FALSE -> !dropsDeleteMarkers;
      case TTL -> {
        if (expired) {
          expiredMarkers.add(typeCode, timestamp, sequence);
        }
        yield !(dropsDeleteMarkers && expired);
      }
      // The minimum of versions may keep puts that it hides, however old.
      case TRUE -> !(dropsDeleteMarkers && expired && rules.minVersions() == 0);
    };
  }

  private boolean keepsPut(long timestamp, long sequence) {
    boolean hidden = markers.hides(timestamp, sequence);
    if (hidden && expiredMarkers.hides(timestamp, sequence)) {
      return false;
    }
    if (sequence <= unsettledUpTo) {
      return true;
    }
    int newerVersions = versions.count(timestamp, hidden);
    return newerVersions >= 0
        && newerVersions < rules.maxVersions()
        && (timestamp >= oldestLiveTimestamp || newerVersions < rules.minVersions());
  }
}
