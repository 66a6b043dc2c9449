// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.retention;

import io.accordiondb.encoding.CellTags;
import io.accordiondb.encoding.CellType;
import io.accordiondb.encoding.KeyValueLayout;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Decides, cell by cell in order, what a raw scan returns: puts whether or not a marker hides them,
 * and the markers. It leaves out what has expired, and all but the newest of several cells of equal
 * column, timestamp and type. Markers do not count as versions. Belongs to one thread.
 */
public final class RawFilter {
  private static final int NO_TYPE = CellType.MAXIMUM_CODE;

  private final @Nullable CellExpiry expiry;
  private final long readPoint;
  private final long nowMillis;
  private final long oldestLiveTimestamp;
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
   * @param rules the family's rules
   * @param expiry decides which puts have expired; null for none
   * @param readPoint the highest sequence number that the reader sees
   * @param nowMillis the time at which times to live are evaluated, in milliseconds since 1970
   * @param versionsMax puts of a column that the reader wants, at least 1
   * @param minTimestamp lowest timestamp that the reader wants, inclusive
   * @param maxTimestamp highest timestamp that the reader wants, exclusive
   */
  public RawFilter(
      VersionRules rules,
      @Nullable CellExpiry expiry,
      long readPoint,
      long nowMillis,
      int versionsMax,
      long minTimestamp,
      long maxTimestamp) {
    this.expiry = expiry;
    this.readPoint = readPoint;
    this.nowMillis = nowMillis;
    // A family with a minimum of versions may show puts of any age.
    this.oldestLiveTimestamp =
        rules.minVersions() == 0 ? rules.oldestLiveTimestamp(nowMillis) : Long.MIN_VALUE;
    this.versionsMax = versionsMax;
    this.minTimestamp = minTimestamp;
    this.maxTimestamp = maxTimestamp;
  }

  /**
   * {@return whether a raw scan returns the next cell in the order of cells}
   *
   * @param buffer big-endian buffer that holds the cell
   * @param offset offset of the cell's first byte, in bytes
   * @param length bytes of the cell, tags included
   * @param sequence the cell's sequence number
   */
  public boolean returns(ByteBuffer buffer, int offset, int length, long sequence) {
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
    return typeCode != CellType.PUT.code()
        || (!isExpired(buffer, offset, length, timestamp) && ++versions <= versionsMax);
  }

  private boolean isExpired(ByteBuffer buffer, int offset, int length, long timestamp) {
    return timestamp < oldestLiveTimestamp
        || CellTags.isExpired(buffer, offset, length, nowMillis)
        || (expiry != null && expiry.isExpired(buffer, offset, nowMillis));
  }
}
