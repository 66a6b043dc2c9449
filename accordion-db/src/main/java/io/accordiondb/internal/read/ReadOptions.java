// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.read;

import io.accordiondb.retention.RawFilter;
import io.accordiondb.retention.VersionRules;

/**
 * Which cells of each row a reader wants, and as of which read point. Immutable.
 *
 * @param readPoint highest sequence number that the reader sees
 * @param nowMillis the time at which times to live are evaluated, in milliseconds since 1970
 * @param versionsMax wanted versions of a column, at least 1
 * @param minTimestamp lowest wanted timestamp, inclusive
 * @param maxTimestamp highest wanted timestamp, exclusive
 * @param raw whether delete markers and the puts that they hide are wanted
 * @param allTags whether cells are wanted with all of their tags, not the time to live alone
 * @param fillCache whether the block cache keeps the blocks that are read
 */
public record ReadOptions(
    long readPoint,
    long nowMillis,
    int versionsMax,
    long minTimestamp,
    long maxTimestamp,
    boolean raw,
    boolean allTags,
    boolean fillCache) {

  /** Returns whether cells of all timestamps are wanted. */
  boolean wantsAllTimes() {
    return minTimestamp == 0 && maxTimestamp == Long.MAX_VALUE;
  }

  /** Returns whether only the newest version's value is wanted, whatever its timestamp. */
  boolean wantsNewestOnly() {
    return versionsMax == 1 && wantsAllTimes() && !allTags;
  }

  /**
   * Returns a timestamp such that cells with lower ones are not wanted and hide none that are, in a
   * family without a merge operator.
   */
  long oldestWanted(VersionRules rules) {
    return raw || rules.minVersions() > 0
        ? minTimestamp
        : Math.max(minTimestamp, rules.oldestLiveTimestamp(nowMillis));
  }

  /** Returns what decides which cells a raw scan returns. */
  RawFilter rawFilter(long readPointOrLater) {
    return new RawFilter(readPointOrLater, versionsMax, minTimestamp, maxTimestamp);
  }
}
