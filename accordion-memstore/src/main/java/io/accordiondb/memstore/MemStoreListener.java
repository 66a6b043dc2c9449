// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore;

import java.util.function.Supplier;

/**
 * Receives the events of a memory store. The thread that causes an event makes the call. An
 * implementation must be quick and must not call the memory store.
 */
public interface MemStoreListener {
  /** A listener that does nothing. */
  MemStoreListener NONE = new MemStoreListener() {};

  /**
   * The memory store has been created. This call comes before all others.
   *
   * @param statistics may be called from any thread, except within these calls, until {@link
   *     #onClose}
   */
  default void onOpen(Supplier<MemStoreStatistics> statistics) {}

  /** The memory store was closed. */
  default void onClose() {}

  /**
   * A segment entered the pipeline: the active one was sealed and a new one put in its place, or a
   * large insertion became a segment of its own.
   *
   * @param cells number of cells
   * @param dataBytes bytes of these cells, without overhead
   * @param pipelineSegments number of segments in the pipeline afterwards
   */
  default void onInMemoryFlush(long cells, long dataBytes, int pipelineSegments) {}

  /**
   * A sealed segment became flat.
   *
   * @param cellsEliminated cells dropped from it meanwhile
   * @param bytesEliminated bytes of these cells
   */
  default void onFlattening(long cellsEliminated, long bytesEliminated) {}

  /**
   * The indices of several segments were merged.
   *
   * @param merge what was merged, and the result
   */
  default void onMerge(PipelineChange merge) {}

  /**
   * Several segments were compacted.
   *
   * @param compaction what was compacted, and the result
   */
  default void onCompaction(PipelineChange compaction) {}

  /**
   * A flattening, a merge or a compaction was discarded, because a disk flush took its segments or
   * the store was closed.
   */
  default void onAbort() {}

  /**
   * Active segment and pipeline became the snapshot of a disk flush.
   *
   * @param segments number of segments in the snapshot
   * @param cells number of cells
   * @param dataBytes bytes of these cells, without overhead
   */
  default void onSnapshot(int segments, long cells, long dataBytes) {}

  /**
   * The oldest sequence number that is only in memory has risen, so the host may need less of its
   * log (section 3.2 of the paper, "WAL Truncation"). The host must account for writes that have a
   * sequence number but have not been added yet. Calls from several threads may arrive out of
   * order; the highest number is valid.
   *
   * @param oldestSequence as {@link MemStore#oldestSequence} returns it, but for an empty store one
   *     more than the highest that has left it
   */
  default void onOldestSequence(long oldestSequence) {}

  /**
   * Background work has failed. It has dropped no cell; if a compaction has failed, the segments
   * may be merged instead.
   *
   * @param failure what the work has thrown
   */
  default void onFailure(Throwable failure) {}
}
