// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.retention;

import io.accordiondb.encoding.CellType;
import java.util.Arrays;

/**
 * Tracks the delete markers of the current row, whose cells come in the order of {@link
 * io.accordiondb.encoding.CellComparator}. Belongs to one thread.
 *
 * <p>A marker hides puts that were written before it, that is, with a lower sequence number, at or
 * below its timestamp or at exactly its timestamp, according to its type. It never hides what was
 * written after it, so a delete followed by a put within one clock tick leaves the put.
 */
final class DeleteTracker {
  private static final long NO_MARKER = -1;
  private static final int FAMILY_MARKERS_MIN = 4;
  private static final long[] NONE = {};
  private static final boolean[] NONE_EXACT = {};

  /** DELETE_FAMILY and DELETE_FAMILY_VERSION markers of the row, newest timestamp first. */
  private long[] familyTimestamps = NONE;

  private long[] familySequences = NONE;
  private boolean[] familyExact = NONE_EXACT;
  private int familyCount;

  private long columnSequence = NO_MARKER;
  private long exactTimestamp;
  private long exactSequence = NO_MARKER;

  void startRow() {
    familyCount = 0;
    startColumn();
  }

  void startColumn() {
    columnSequence = NO_MARKER;
    exactSequence = NO_MARKER;
  }

  /** Returns whether there are markers that apply to further columns of the row. */
  boolean outlastColumn() {
    return familyCount > 0;
  }

  void add(int typeCode, long timestamp, long sequence) {
    switch (CellType.of(typeCode)) {
      case DELETE_FAMILY -> addFamily(timestamp, sequence, false);
      case DELETE_FAMILY_VERSION -> addFamily(timestamp, sequence, true);
      // Later markers of the column have lower timestamps, and so do the puts that follow them.
      case DELETE_COLUMN -> columnSequence = Math.max(columnSequence, sequence);
      case DELETE -> {
        if (exactSequence == NO_MARKER || exactTimestamp != timestamp) {
          exactTimestamp = timestamp;
          exactSequence = sequence;
        } else {
          exactSequence = Math.max(exactSequence, sequence);
        }
      }
      case PUT, MERGE, DELETE_RANGE ->
          throw new IllegalArgumentException("type " + typeCode + " is no marker");
    }
  }

  /** Returns whether there is no marker that may apply to the current column. */
  boolean isEmpty() {
    return columnSequence == NO_MARKER && exactSequence == NO_MARKER && familyCount == 0;
  }

  /**
   * Returns the sequence number of the newest marker of the current column; -1 if there is none.
   */
  long columnSequence() {
    return columnSequence;
  }

  /** Returns whether a put of the current column is hidden. */
  boolean hides(long timestamp, long sequence) {
    return columnSequence > sequence
        || (exactSequence > sequence && exactTimestamp == timestamp)
        || familyHides(timestamp, sequence, true);
  }

  private boolean familyHides(long timestamp, long sequence, boolean orExactly) {
    for (int i = 0; i < familyCount; i++) {
      if (familySequences[i] > sequence
          && (familyExact[i]
              ? orExactly && familyTimestamps[i] == timestamp
              : familyTimestamps[i] >= timestamp)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Returns whether an earlier marker hides, in the current column or all columns, whatever another
   * marker hides, and all older cells. A marker of one version does not: whoever drops the older of
   * two would no longer know that a put hidden since then must not count as a version.
   */
  boolean supersede(int typeCode, long timestamp, long sequence) {
    return switch (CellType.of(typeCode)) {
      case DELETE, DELETE_COLUMN ->
          columnSequence > sequence || familyHides(timestamp, sequence, false);
      case DELETE_FAMILY, DELETE_FAMILY_VERSION -> familyHides(timestamp, sequence, false);
      case PUT, MERGE, DELETE_RANGE -> false;
    };
  }

  private void addFamily(long timestamp, long sequence, boolean exact) {
    if (familyCount == familyTimestamps.length) {
      int length = Math.max(FAMILY_MARKERS_MIN, 2 * familyCount);
      familySequences = Arrays.copyOf(familySequences, length);
      familyExact = Arrays.copyOf(familyExact, length);
      // The last one, because its length tells whether there is room.
      familyTimestamps = Arrays.copyOf(familyTimestamps, length);
    }
    familyTimestamps[familyCount] = timestamp;
    familySequences[familyCount] = sequence;
    familyExact[familyCount] = exact;
    familyCount++;
  }
}
