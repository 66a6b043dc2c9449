// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore;

import java.util.function.Supplier;

/**
 * Is told what a memory store does. Calls come from the thread that does it, must be quick, and
 * must not call the memory store.
 */
public interface MemStoreListener {
  /** A listener that does nothing. */
  MemStoreListener NONE = new MemStoreListener() {};

  /**
   * The memory store is there. The one call that comes before all others.
   *
   * @param statistics may be asked, from any thread but those of these calls, until {@link
   *     #onClose}
   */
  default void onOpen(Supplier<MemStoreStatistics> statistics) {}

  /** The memory store was closed. */
  default void onClose() {}

  /** A segment was sealed and a new active one put in its place. */
  default void onInMemoryFlush(long cells, long dataBytes, int pipelineSegments) {}

  /** The indices of several segments were merged. */
  default void onMerge(PipelineChange merge) {}

  /** Several segments were compacted. */
  default void onCompaction(PipelineChange compaction) {}

  /** A merge or compaction ended without effect, because a disk flush took its segments. */
  default void onAbort() {}

  /** Active segment and pipeline became the snapshot of a disk flush. */
  default void onSnapshot(int segments, long cells, long dataBytes) {}

  /**
   * The oldest sequence number that is only in memory has risen, so the host may need less of its
   * log (section 3.2 of the paper, "WAL Truncation"). A write that has its sequence number but has
   * not been added yet is the host's to consider. Calls from several threads may overtake each
   * other; the highest number holds.
   *
   * @param oldestSequence as {@link MemStore#oldestSequence} returns it, but for an empty store one
   *     more than the highest that has left it
   */
  default void onOldestSequence(long oldestSequence) {}

  /** Background work has failed; the segments are as they were. */
  default void onFailure(Throwable failure) {}
}
