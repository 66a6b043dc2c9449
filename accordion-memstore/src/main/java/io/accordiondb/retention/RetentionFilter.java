// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.retention;

import io.accordiondb.encoding.CellTags;
import io.accordiondb.encoding.CellType;
import io.accordiondb.encoding.KeyValueLayout;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Decides, cell by cell in order, what a compaction keeps. It drops a cell only if no reader can
 * need it, now or later. Every snapshot and scanner reads at or above the smallest read point. So a
 * cell up to that point is dropped because of other cells up to it. A cell above that point is
 * dropped only because of a put or a marker of its column that was written later, if every reader
 * that sees the cell sees that one, too.
 *
 * <p>The cells given to one filter need not be all that the store holds, nor an unbroken range of
 * its history: {@link UnseenHistory} says what the filter may not conclude from them. Belongs to
 * one thread.
 *
 * <p>A put with a time to live of its own is a put until it expires, and then a delete marker of
 * its column. So sooner or later it hides the cells that were written before it with a lower
 * timestamp, but a cell that was written after it, or that was ingested with it under the same
 * sequence number, may become visible when it expires. Neither the put nor the cells that it will
 * hide count as versions against that other cell. The put is dropped when everything that it could
 * hide is hidden otherwise.
 *
 * <p>The delete of its version takes from a put what it would hide when it expires. So a put that a
 * marker may hide which the filter is not given stays a put.
 */
public final class RetentionFilter implements CellFilter {
  private static final long NONE_EXPIRES = Long.MAX_VALUE;

  private final VersionRules rules;
  private final @Nullable CellExpiry expiry;
  private final long nowMillis;
  private final long countedAbove;
  private final long settledUpTo;
  private final long judgedUpTo;
  private final ReadPointSet readPoints;
  private final long markersUpTo;
  private final long oldestLiveTimestamp;
  private final long dropsMarkersBelow;
  private final OlderRows olderRows;

  private final ColumnPosition position = new ColumnPosition();
  private final DeleteTracker markers = new DeleteTracker();

  /**
   * The markers whose hidden puts need not be kept: all markers, unless the family keeps them until
   * their time to live has passed.
   */
  private final DeleteTracker expiredMarkers;

  /**
   * The markers that some readers do not see yet. They hide nothing here, but a put that has
   * expired hides nothing from the readers that see them.
   */
  private final DeleteTracker lateMarkers = new DeleteTracker();

  private final VersionCounter versions = new VersionCounter();

  /** The lowest sequence number of the column's puts so far that are yet to expire. */
  private long expiringFrom = NONE_EXPIRES;

  /** The number of versions before the first of these puts. */
  private int lastingVersions;

  /** Whether a put of the column has expired, and is one of the {@link #markers}. */
  private boolean hasExpired;

  /** The last put of the column that was kept, if it counts and is not settled; else 0. */
  private long lateVersion;

  /**
   * Creates a filter of cells between which no marker is missing.
   *
   * @param rules the family's rules
   * @param smallestReadPoint the lowest read point of all readers, as a sequence number
   * @param nowMillis the time against which the time to live counts
   * @param dropsDeleteMarkers whether the cells are all that the store holds up to the newest of
   *     them, so that markers have nothing left to hide
   */
  public RetentionFilter(
      VersionRules rules, long smallestReadPoint, long nowMillis, boolean dropsDeleteMarkers) {
    this(
        rules,
        null,
        ReadPointSet.from(smallestReadPoint),
        nowMillis,
        dropsDeleteMarkers ? Long.MAX_VALUE : 0);
  }

  /**
   * Creates a filter of some of a store's cells.
   *
   * @param rules the family's rules
   * @param expiry decides which puts have expired; null for none
   * @param unseen the sources that the compaction does not read
   * @param nowMillis the time at which times to live are evaluated, in milliseconds since 1970;
   *     read before the sources were
   */
  public RetentionFilter(
      VersionRules rules, @Nullable CellExpiry expiry, UnseenHistory unseen, long nowMillis) {
    this(rules, expiry, unseen, nowMillis, (cell, offset) -> false);
  }

  /**
   * Same as above, with cells beside the unseen sources, which may be older in some rows.
   *
   * @param rules the family's rules
   * @param expiry decides which puts have expired; null for none
   * @param unseen the other sources that the compaction does not read
   * @param nowMillis the time at which times to live are evaluated, in milliseconds since 1970;
   *     read before the sources were
   * @param olderRows answers which rows may have such older cells, so that their markers stay
   */
  public RetentionFilter(
      VersionRules rules,
      @Nullable CellExpiry expiry,
      UnseenHistory unseen,
      long nowMillis,
      OlderRows olderRows) {
    this(rules, expiry, unseen, nowMillis, unseen.oldest(), olderRows);
  }

  /**
   * Creates a filter of cells between which no marker is missing.
   *
   * @param rules the family's rules
   * @param expiry decides which puts have expired; null for none
   * @param readPoints where readers read
   * @param nowMillis the time at which times to live are evaluated, in milliseconds since 1970
   * @param dropsMarkersBelow markers below this sequence number have nothing left to hide
   */
  RetentionFilter(
      VersionRules rules,
      @Nullable CellExpiry expiry,
      ReadPointSet readPoints,
      long nowMillis,
      long dropsMarkersBelow) {
    this(
        rules,
        expiry,
        new UnseenHistory(readPoints),
        nowMillis,
        dropsMarkersBelow,
        (cell, offset) -> false);
  }

  private RetentionFilter(
      VersionRules rules,
      @Nullable CellExpiry expiry,
      UnseenHistory unseen,
      long nowMillis,
      long dropsMarkersBelow,
      OlderRows olderRows) {
    this.olderRows = olderRows;
    this.rules = rules;
    this.expiry = expiry;
    this.nowMillis = nowMillis;
    this.countedAbove = unseen.countedAbove();
    this.settledUpTo = unseen.settledUpTo();
    this.judgedUpTo = unseen.judgedUpTo();
    this.readPoints = unseen.readPoints();
    this.markersUpTo = unseen.markersUpTo();
    this.oldestLiveTimestamp = rules.oldestLiveTimestamp(nowMillis);
    this.dropsMarkersBelow = dropsMarkersBelow;
    this.expiredMarkers =
        rules.keepDeleted() == KeepDeletedCells.FALSE ? markers : new DeleteTracker();
  }

  @Override
  public boolean keeps(ByteBuffer buffer, int offset, int length, long sequence) {
    switch (position.step(buffer, offset)) {
      case NEW_ROW -> {
        markers.startRow();
        expiredMarkers.startRow();
        lateMarkers.startRow();
        startVersions();
      }
      case NEW_COLUMN -> {
        markers.startColumn();
        expiredMarkers.startColumn();
        lateMarkers.startColumn();
        startVersions();
      }
      case SAME_COLUMN -> {}
    }
    return keepsNextVersion(buffer, offset, length, sequence);
  }

  @Override
  public boolean keepsNextColumn(ByteBuffer buffer, int offset, int length, long sequence) {
    if (markers.outlastColumn() || expiredMarkers.outlastColumn() || lateMarkers.outlastColumn()) {
      return keeps(buffer, offset, length, sequence);
    }
    // There is no marker of the row, so it does not matter whether the row is another one.
    markers.startColumn();
    expiredMarkers.startColumn();
    lateMarkers.startColumn();
    startVersions();
    return keepsNextVersion(buffer, offset, length, sequence);
  }

  private void startVersions() {
    versions.startColumn();
    expiringFrom = NONE_EXPIRES;
    hasExpired = false;
    lateVersion = 0;
  }

  @Override
  public boolean keepsNextVersion(ByteBuffer buffer, int offset, int length, long sequence) {
    long timestamp = KeyValueLayout.timestamp(buffer, offset);
    int typeCode = KeyValueLayout.typeCode(buffer, offset);
    if (sequence > settledUpTo) {
      if (typeCode == CellType.PUT.code()) {
        return !isNeedlessForAll(buffer, offset, length, sequence);
      }
      position.moveTo(buffer, offset);
      lateMarkers.add(typeCode, timestamp, sequence);
      return true;
    }
    if (typeCode != CellType.PUT.code()) {
      position.moveTo(buffer, offset);
      return keepsMarker(buffer, offset, typeCode, timestamp, sequence);
    }
    return expiry != null || CellTags.hasTtl(buffer, offset, length)
        ? keepsExpiring(buffer, offset, length, timestamp, sequence)
        : keepsPut(timestamp, sequence);
  }

  /**
   * Returns whether a put that some readers do not see is hidden from all others. Where puts expire
   * by themselves, or more versions are kept, that is not known.
   */
  private boolean isNeedlessForAll(ByteBuffer buffer, int offset, int length, long sequence) {
    if (sequence > judgedUpTo || expiry != null || CellTags.hasTtl(buffer, offset, length)) {
      lateVersion = 0;
      return false;
    }
    boolean hidden =
        rules.keepDeleted() == KeepDeletedCells.FALSE
            && isSeenOnlyWith(lateMarkers.columnSequence(), sequence);
    // A marker may have hidden the later version, and left this one.
    boolean overwritten =
        rules.maxVersions() == 1 && lateMarkers.isEmpty() && isSeenOnlyWith(lateVersion, sequence);
    if (overwritten) {
      return true;
    }
    lateVersion = sequence > countedAbove ? sequence : 0;
    return hidden;
  }

  /** Returns whether a later cell is seen by all readers that see an earlier one. */
  private boolean isSeenOnlyWith(long later, long earlier) {
    return later > earlier && later <= judgedUpTo && !readPoints.isAnyBetween(earlier, later);
  }

  @Override
  public boolean begin(long deleteMarkers, long maxSequence) {
    return expiry == null && deleteMarkers == 0 && maxSequence <= settledUpTo;
  }

  @Override
  public boolean keepsFirstAlone(long deleteMarkers, long maxSequence, long minTimestamp) {
    return expiry == null
        && deleteMarkers == 0
        && maxSequence <= settledUpTo
        && countedAbove == 0
        && rules.maxVersions() == 1
        && minTimestamp >= oldestLiveTimestamp;
  }

  @Override
  public boolean hasAllVersions() {
    return versions.unhidden() >= rules.maxVersions();
  }

  private boolean keepsMarker(
      ByteBuffer buffer, int offset, int typeCode, long timestamp, long sequence) {
    // Not if a put has expired, because a marker of its version would take from it what it hides.
    boolean superseded = !hasExpired && markers.supersede(typeCode, timestamp, sequence);
    markers.add(typeCode, timestamp, sequence);
    if (superseded && rules.keepDeleted() == KeepDeletedCells.FALSE) {
      return false;
    }
    boolean expired = timestamp < oldestLiveTimestamp;
    boolean hidesNothing = sequence < dropsMarkersBelow && !olderRows.mayHave(buffer, offset);
    return switch (rules.keepDeleted()) {
      case FALSE -> !hidesNothing;
      case TTL -> {
        if (expired) {
          expiredMarkers.add(typeCode, timestamp, sequence);
        }
        yield !(hidesNothing && expired);
      }
      // The minimum of versions may keep puts that the marker hides, however old they are.
      case TRUE -> !(hidesNothing && expired && rules.minVersions() == 0);
    };
  }

  private boolean keepsPut(long timestamp, long sequence) {
    boolean hidden = markers.hides(timestamp, sequence);
    if (hidden && expiredMarkers.hides(timestamp, sequence)) {
      return false;
    }
    int newerVersions =
        sequence > countedAbove
            ? versions.count(timestamp, hidden)
            : versions.newerThan(timestamp, hidden);
    if (!hidden && sequence >= expiringFrom) {
      newerVersions = Math.min(newerVersions, lastingVersions);
    }
    return newerVersions >= 0
        && newerVersions < rules.maxVersions()
        && (timestamp >= oldestLiveTimestamp || newerVersions < rules.minVersions());
  }

  /** Decides on a put that has a time to live of its own. */
  private boolean keepsExpiring(
      ByteBuffer buffer, int offset, int length, long timestamp, long sequence) {
    if (markers.hides(timestamp, sequence)) {
      return keepsPut(timestamp, sequence);
    }
    int unhidden = versions.unhidden();
    int newerVersions = sequence >= expiringFrom ? lastingVersions : unhidden;
    boolean needless =
        newerVersions >= rules.maxVersions()
            || (timestamp < oldestLiveTimestamp && newerVersions >= rules.minVersions());
    boolean expired =
        !needless
            && sequence >= markersUpTo
            && !lateMarkers.hides(timestamp, sequence)
            && (CellTags.isExpired(buffer, offset, length, nowMillis)
                || (expiry != null && expiry.isExpired(buffer, offset, nowMillis)));
    if (sequence > countedAbove) {
      versions.count(timestamp, expired);
    }
    if (needless) {
      return false;
    }
    if (expired) {
      boolean keeps =
          keepsMarker(buffer, offset, CellType.DELETE_COLUMN.code(), timestamp, sequence);
      hasExpired = true;
      return keeps;
    }
    if (expiringFrom == NONE_EXPIRES) {
      lastingVersions = unhidden;
    }
    expiringFrom = Math.min(expiringFrom, sequence);
    return true;
  }
}
