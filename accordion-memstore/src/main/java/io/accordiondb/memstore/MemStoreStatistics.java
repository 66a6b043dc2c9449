// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore;

import java.util.List;
import java.util.stream.Stream;

/**
 * Counters of a memory store since it was opened, and its present state. Immutable.
 *
 * @param inMemoryFlushes active segments sealed, and large insertions that became segments of their
 *     own
 * @param merges merges, which copy index entries and drop no cell
 * @param compactions in-memory compactions
 * @param aborts flattenings, merges and compactions given up because a disk flush took their
 *     sources
 * @param cellsEliminated cells dropped in memory, by compactions and when segments became flat
 * @param bytesEliminated bytes of these cells
 * @param active the active segment
 * @param pipeline sealed segments, newest first
 * @param snapshot segments that a disk flush is writing, newest first
 * @param heapBytes bytes charged on the Java heap
 * @param offHeapBytes bytes charged outside the Java heap
 * @param policy the policy in force, with A, S and R
 * @param throttle ADAPTIVE's t
 * @param uniqueness ADAPTIVE's u; NaN when unknown
 * @param lastDecision the last merge or compaction that the policy has decided on and why, in
 *     words; before the first, why segments were left alone; empty before the first in-memory flush
 */
public record MemStoreStatistics(
    long inMemoryFlushes,
    long merges,
    long compactions,
    long aborts,
    long cellsEliminated,
    long bytesEliminated,
    SegmentStatistics active,
    List<SegmentStatistics> pipeline,
    List<SegmentStatistics> snapshot,
    long heapBytes,
    long offHeapBytes,
    MemStorePolicy policy,
    double throttle,
    double uniqueness,
    String lastDecision) {

  /**
   * Copies the lists, so that the record is immutable.
   *
   * @param inMemoryFlushes active segments sealed, and large insertions that became segments
   * @param merges merges
   * @param compactions in-memory compactions
   * @param aborts flattenings, merges and compactions given up
   * @param cellsEliminated cells dropped in memory, by compactions and when segments became flat
   * @param bytesEliminated bytes of these cells
   * @param active the active segment
   * @param pipeline sealed segments, newest first
   * @param snapshot segments that a disk flush is writing, newest first
   * @param heapBytes bytes charged on the Java heap
   * @param offHeapBytes bytes charged outside the Java heap
   * @param policy the policy in force, with A, S and R
   * @param throttle ADAPTIVE's t
   * @param uniqueness ADAPTIVE's u
   * @param lastDecision the last merge or compaction that the policy has decided on and why, in
   *     words
   */
  public MemStoreStatistics {
    pipeline = List.copyOf(pipeline);
    snapshot = List.copyOf(snapshot);
  }

  /** {@return all memory charged, in bytes} */
  public long usedBytes() {
    return heapBytes + offHeapBytes;
  }

  /** {@return the number of sealed segments in the pipeline} */
  public int pipelineSegments() {
    return pipeline.size();
  }

  /** {@return all segments: the active one, those of the pipeline, those of the snapshot} */
  public Stream<SegmentStatistics> segments() {
    return Stream.of(Stream.of(active), pipeline.stream(), snapshot.stream()).flatMap(all -> all);
  }

  /** {@return the number of cells in active segment, pipeline and snapshot} */
  public long cells() {
    return segments().mapToLong(SegmentStatistics::cells).sum();
  }
}
