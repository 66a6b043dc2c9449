// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore.segment;

import io.accordiondb.chunk.Arena;
import io.accordiondb.chunk.ChunkPool;
import io.accordiondb.chunk.MemoryAccount;
import io.accordiondb.memstore.layout.SegmentLayout;

/**
 * Where a segment gets its memory from, and the form of its cells and index. Immutable.
 *
 * @param pool where chunks come from
 * @param account charged for the memory
 * @param layout form of cells and index
 */
public record SegmentMemory(ChunkPool pool, MemoryAccount account, SegmentLayout layout) {
  /** Takes an empty arena. */
  public Arena newArena() {
    return new Arena(pool, layout.memoryKind(), account);
  }
}
