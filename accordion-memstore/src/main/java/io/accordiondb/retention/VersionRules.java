// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.retention;

import io.accordiondb.encoding.CellTags;

/**
 * How many versions of a column a family keeps, and for how long. Immutable.
 *
 * @param maxVersions versions kept, newest first; at least 1
 * @param minVersions versions kept even if their time to live has passed; 0 to {@code maxVersions}
 * @param ttlMillis time to live in milliseconds; at least 1; {@link #FOREVER} for no limit
 * @param keepDeleted whether cells hidden by delete markers are kept
 */
public record VersionRules(
    int maxVersions, int minVersions, long ttlMillis, KeepDeletedCells keepDeleted) {

  /** A time to live without end. */
  public static final long FOREVER = CellTags.FOREVER;

  /** One version, no time to live, deleted cells dropped. */
  public static final VersionRules DEFAULT =
      new VersionRules(1, 0, FOREVER, KeepDeletedCells.FALSE);

  /**
   * Checks the values.
   *
   * @param maxVersions versions kept, newest first; at least 1
   * @param minVersions versions kept even if their time to live has passed; at most {@code
   *     maxVersions}
   * @param ttlMillis time to live in milliseconds, at least 1; {@link #FOREVER} for no limit
   * @param keepDeleted whether cells that delete markers hide are kept
   */
  public VersionRules {
    if (maxVersions < 1) {
      throw new IllegalArgumentException("max versions is " + maxVersions + ", expected 1 or more");
    }
    if (minVersions < 0 || minVersions > maxVersions) {
      throw new IllegalArgumentException(
          "min versions is " + minVersions + ", expected 0 to max versions, " + maxVersions);
    }
    if (ttlMillis < 1) {
      throw new IllegalArgumentException(
          "time to live is " + ttlMillis + " ms, expected 1 ms or more");
    }
  }

  /**
   * {@return the oldest timestamp that has not expired at a time, both in milliseconds}
   *
   * @param nowMillis the present time in milliseconds since 1970
   */
  public long oldestLiveTimestamp(long nowMillis) {
    long oldest = nowMillis - ttlMillis;
    // Above the present time it has overflowed, because the time is before 1970.
    return ttlMillis == FOREVER || oldest > nowMillis ? Long.MIN_VALUE : oldest;
  }
}
