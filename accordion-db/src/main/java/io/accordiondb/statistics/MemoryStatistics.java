// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.statistics;

/**
 * The memory stores together. The used bytes also include what readers still hold and what running
 * merges need. What was done in memory since the database was opened, from {@link #inMemoryFlushes}
 * on, counts also for regions and tables that no longer exist, so it never falls.
 *
 * @param usedBytes memory in use
 * @param pressureBytes the bytes by which stores are flushed and writes slowed down: more than the
 *     used bytes if large values, which are in the Java heap, take a larger part of what they may
 *     take of the heap
 * @param budgetBytes memory that may be used
 * @param heapBytes of the used bytes, those in the Java heap
 * @param offHeapBytes of the used bytes, those outside it
 * @param activeBytes held by active segments
 * @param pipelineBytes held by the segments of pipelines
 * @param snapshotBytes held by segments that flushes are writing
 * @param indexBytes of what segments hold, the bytes of indices
 * @param arenaBytes of what segments hold, the bytes of the arenas in which cells are stored
 * @param pooledBytes chunks that wait for reuse; not among the used bytes
 * @param cells cells in memory
 * @param dataBytes bytes of these cells
 * @param pipelineSegments sealed segments in all pipelines
 * @param inMemoryFlushes active segments sealed since the database was opened
 * @param merges merges of indices in memory
 * @param compactions compactions in memory
 * @param aborts merges and compactions in memory that a flush to disk has ended
 * @param cellsEliminated cells dropped in memory, which no flush had to write
 * @param bytesEliminated bytes of these cells
 */
public record MemoryStatistics(
    long usedBytes,
    long pressureBytes,
    long budgetBytes,
    long heapBytes,
    long offHeapBytes,
    long activeBytes,
    long pipelineBytes,
    long snapshotBytes,
    long indexBytes,
    long arenaBytes,
    long pooledBytes,
    long cells,
    long dataBytes,
    long pipelineSegments,
    long inMemoryFlushes,
    long merges,
    long compactions,
    long aborts,
    long cellsEliminated,
    long bytesEliminated) {}
