// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.statistics;

/**
 * Readers that keep superseded cells from being dropped.
 *
 * @param readPoints read points held by scanners, iterators, cursors, snapshots and transactions
 * @param snapshots of these, snapshots of the application
 * @param oldestSequence the oldest sequence number held; -1 if none is
 * @param oldestAgeNanos for how long the oldest of its readers has held it; -1 if none is
 * @param leaked scanners, iterators, cursors, snapshots and change feeds that were never closed and
 *     are unreachable, since the database was opened; of those that {@link
 *     io.accordiondb.LeakDetection} watches, by default one in 1,024
 */
public record ReaderStatistics(
    int readPoints, int snapshots, long oldestSequence, long oldestAgeNanos, long leaked) {}
