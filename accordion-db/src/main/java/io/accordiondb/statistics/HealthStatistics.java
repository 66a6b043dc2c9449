// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.statistics;

import org.jspecify.annotations.Nullable;

/**
 * What is wrong with a database.
 *
 * @param writes whether a failure stops writes now
 * @param reason the failure that stops them, in words; null if none does
 * @param backgroundErrors failures of background work since the database was opened: flushes,
 *     compactions and others
 * @param lastBackgroundError the last of them, in words; null if none has failed
 * @param corruptions damaged places in files that were found since the database was opened; the
 *     count stops at 1,000
 */
public record HealthStatistics(
    WriteState writes,
    @Nullable String reason,
    long backgroundErrors,
    @Nullable String lastBackgroundError,
    long corruptions) {
  /** The health of a database of which no failure is known. */
  public static final HealthStatistics GOOD = new HealthStatistics(WriteState.OK, null, 0, null, 0);
}
