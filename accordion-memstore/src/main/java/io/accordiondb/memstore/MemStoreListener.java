// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore;

/**
 * Is told what a memory store does. Calls come from the thread that does it, must be quick, and
 * must not call the memory store.
 */
public interface MemStoreListener {
  /** A listener that does nothing. */
  MemStoreListener NONE = new MemStoreListener() {};

  /** A segment was sealed and a new active one put in its place. */
  default void onInMemoryFlush(long cells, long dataBytes) {}

  /** The indices of several segments were merged. */
  default void onMerge(int segments, long cells, double uniqueness) {}

  /** Several segments were compacted. */
  default void onCompaction(int segments, long cellsRead, long cellsKept) {}

  /** A merge or compaction ended without effect, because a disk flush took its segments. */
  default void onAbort() {}

  /** Background work has failed; the segments are as they were. */
  default void onFailure(Throwable failure) {}
}
