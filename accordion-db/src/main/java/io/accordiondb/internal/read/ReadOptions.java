// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.read;

/**
 * What a reader wants of each row, and as of when. Immutable.
 *
 * @param readPoint highest sequence number that the reader sees
 * @param nowMillis time against which the time to live counts
 * @param versionsMax versions of a column wanted, at least 1
 * @param minTimestamp lowest timestamp wanted
 * @param maxTimestamp timestamp, exclusive, up to which cells are wanted
 * @param fillCache whether blocks read are kept in the block cache
 */
public record ReadOptions(
    long readPoint,
    long nowMillis,
    int versionsMax,
    long minTimestamp,
    long maxTimestamp,
    boolean fillCache) {

  /** Asks for the newest version of each column, through the block cache. */
  public static ReadOptions newest(long readPoint, long nowMillis) {
    return new ReadOptions(readPoint, nowMillis, 1, 0, Long.MAX_VALUE, true);
  }

  /** Returns whether only the newest version is wanted, whatever its timestamp. */
  boolean wantsNewestOnly() {
    return versionsMax == 1 && minTimestamp == 0 && maxTimestamp == Long.MAX_VALUE;
  }
}
