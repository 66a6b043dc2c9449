// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.retention;

import org.jspecify.annotations.Nullable;

/**
 * What a reader asks a {@link VisibilityFilter} for.
 *
 * @param readPoint highest sequence number
 * @param now time in milliseconds
 * @param versionsMax versions of a column
 * @param minTimestamp lowest timestamp
 * @param maxTimestamp timestamp, exclusive
 */
public record ReadRequest(
    long readPoint, long now, int versionsMax, long minTimestamp, long maxTimestamp) {

  /** Returns a request for all that can be seen at a read point. */
  public static ReadRequest allAt(long readPoint, long now) {
    return new ReadRequest(readPoint, now, Integer.MAX_VALUE, Long.MIN_VALUE, Long.MAX_VALUE);
  }

  /**
   * Returns a filter for the request.
   *
   * @param expiry says of single puts that they have expired; null for none
   */
  VisibilityFilter filter(VersionRules rules, @Nullable CellExpiry expiry) {
    return new VisibilityFilter(
        rules, expiry, readPoint, now, versionsMax, minTimestamp, maxTimestamp);
  }
}
