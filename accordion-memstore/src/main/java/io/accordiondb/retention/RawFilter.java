// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.retention;

import io.accordiondb.encoding.CellType;
import io.accordiondb.encoding.KeyValueLayout;
import java.nio.ByteBuffer;

/**
 * Decides, cell by cell in order, what a raw scan returns: puts whether or not a marker hides them,
 * whether or not they have expired, and the markers. It leaves out all but the newest of several
 * cells of equal column, timestamp and type. Markers do not count as versions; a column ends with
 * the first put that is one too many. Belongs to one thread.
 */
public final class RawFilter {
  private static final int NO_TYPE = CellType.MAXIMUM_CODE;

  private final long readPoint;
  private final int versionsMax;
  private final long minTimestamp;
  private final long maxTimestamp;

  private final ColumnPosition position = new ColumnPosition();
  private long lastTimestamp;
  private int lastTypeCode = NO_TYPE;
  private int versions;

  /**
   * Creates a filter.
   *
   * @param readPoint the highest sequence number that the reader sees
   * @param versionsMax puts of a column that the reader wants, at least 1
   * @param minTimestamp lowest timestamp that the reader wants, inclusive
   * @param maxTimestamp highest timestamp that the reader wants, exclusive
   */
  public RawFilter(long readPoint, int versionsMax, long minTimestamp, long maxTimestamp) {
    this.readPoint = readPoint;
    this.versionsMax = versionsMax;
    this.minTimestamp = minTimestamp;
    this.maxTimestamp = maxTimestamp;
  }

  /**
   * {@return whether a raw scan returns the next cell in the order of cells}
   *
   * @param buffer holds the cell
   * @param offset where the cell begins
   * @param sequence the cell's sequence number
   */
  public boolean returns(ByteBuffer buffer, int offset, long sequence) {
    if (position.step(buffer, offset) != ColumnPosition.Step.SAME_COLUMN) {
      lastTypeCode = NO_TYPE;
      versions = 0;
    }
    long timestamp = KeyValueLayout.timestamp(buffer, offset);
    if (sequence > readPoint || timestamp < minTimestamp || timestamp >= maxTimestamp) {
      return false;
    }
    int typeCode = KeyValueLayout.typeCode(buffer, offset);
    if (typeCode == lastTypeCode && timestamp == lastTimestamp) {
      return false;
    }
    lastTypeCode = typeCode;
    lastTimestamp = timestamp;
    if (typeCode == CellType.PUT.code()) {
      versions++;
    }
    return versions <= versionsMax;
  }
}
