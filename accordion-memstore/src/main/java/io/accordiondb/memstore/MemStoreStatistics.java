// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore;

/**
 * What a memory store has done since it was opened, and how it stands. Immutable.
 *
 * @param inMemoryFlushes active segments sealed because they were full
 * @param merges merges of indices
 * @param compactions in-memory compactions
 * @param aborts merges and compactions that lost against a disk flush
 * @param cellsEliminated cells dropped by in-memory compactions
 * @param pipelineSegments sealed segments in the pipeline
 * @param cells cells in active segment, pipeline and snapshot
 * @param heapBytes memory charged in the Java heap
 * @param offHeapBytes memory charged outside it
 * @param throttle ADAPTIVE's t
 * @param uniqueness ADAPTIVE's u; NaN when unknown
 */
public record MemStoreStatistics(
    long inMemoryFlushes,
    long merges,
    long compactions,
    long aborts,
    long cellsEliminated,
    int pipelineSegments,
    long cells,
    long heapBytes,
    long offHeapBytes,
    double throttle,
    double uniqueness) {

  /** Returns all memory charged, in bytes. */
  public long usedBytes() {
    return heapBytes + offHeapBytes;
  }
}
