// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import org.jspecify.annotations.Nullable;

/**
 * What a database has done since it was opened, and how it stands. Immutable.
 *
 * @param cellsWritten cells committed
 * @param logBytesAppended bytes appended to the log
 * @param logBytes bytes of log files kept
 * @param flushes flushes to disk
 * @param bytesFlushed bytes of sorted tables written by them
 * @param flushFailures flushes that have failed; their cells stay in memory, and it is tried again
 * @param lastFlushFailure which, and why, the last time; null if none has
 * @param compactions compactions of sorted tables
 * @param compactionBytesRead bytes read by them
 * @param compactionBytesWritten bytes written by them
 * @param compactionFailures compactions in the background that have failed
 * @param lastCompactionFailure which, and why, the last time; null if none has
 * @param memory the memory stores
 * @param sortedTables number of sorted tables
 * @param sortedTableBytes their bytes
 * @param cacheHits blocks found in the block cache
 * @param cacheMisses blocks read from files
 * @param cacheUsedBytes bytes of the block cache in use: blocks of data, indices and filters, roots
 *     of open tables, and the share that is set aside for columns read often
 * @param cacheBudgetBytes bytes that the block cache may use; 0 if it is off
 * @param stalls writes that were slowed down or stopped
 * @param stallNanos how long, in nanoseconds
 * @param lastStallReason why, the last time; null if never
 * @param mergeFailures how often flushes and compactions kept operands as they are because a merge
 *     operator was missing or failed
 * @param filterFailures how often flushes and compactions kept a cell because a compaction filter
 *     failed
 */
public record DatabaseStatistics(
    long cellsWritten,
    long logBytesAppended,
    long logBytes,
    long flushes,
    long bytesFlushed,
    long flushFailures,
    @Nullable String lastFlushFailure,
    long compactions,
    long compactionBytesRead,
    long compactionBytesWritten,
    long compactionFailures,
    @Nullable String lastCompactionFailure,
    Memory memory,
    long sortedTables,
    long sortedTableBytes,
    long cacheHits,
    long cacheMisses,
    long cacheUsedBytes,
    long cacheBudgetBytes,
    long stalls,
    long stallNanos,
    @Nullable String lastStallReason,
    long mergeFailures,
    long filterFailures) {

  /** Returns the share of block reads that the cache has answered, 0 to 1; 0 before the first. */
  public double cacheHitRatio() {
    long reads = cacheHits + cacheMisses;
    return reads == 0 ? 0 : (double) cacheHits / reads;
  }

  /**
   * The memory stores together.
   *
   * @param usedBytes memory in use
   * @param budgetBytes memory that may be used
   * @param cells cells in memory
   * @param pipelineSegments sealed segments in all pipelines
   * @param inMemoryFlushes active segments sealed
   * @param merges merges of indices in memory
   * @param compactions compactions in memory
   * @param cellsEliminated cells that these have dropped
   */
  public record Memory(
      long usedBytes,
      long budgetBytes,
      long cells,
      long pipelineSegments,
      long inMemoryFlushes,
      long merges,
      long compactions,
      long cellsEliminated) {}
}
