// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore.segment;

import io.accordiondb.chunk.Arena;
import io.accordiondb.chunk.ChunkPool;
import io.accordiondb.chunk.MemoryAccount;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Builds a {@link FlatSegment} from cells in ascending order. Belongs to one thread. Ends with
 * {@link #build} or {@link #abandon}.
 */
final class FlatSegmentBuilder {
  private final ChunkPool pool;
  private final KeyPrefix keyPrefix;
  private final Arena indexArena;
  private final List<Arena> cellArenas = new ArrayList<>();
  private final List<ByteBuffer> index = new ArrayList<>();
  private final int entriesPerChunk;
  private ByteBuffer chunk = ByteBuffer.allocate(0);
  private int entriesInChunk;
  private int size;

  FlatSegmentBuilder(ChunkPool pool, MemoryAccount account, KeyPrefix keyPrefix) {
    this.pool = pool;
    this.keyPrefix = keyPrefix;
    this.indexArena = new Arena(pool, account);
    this.entriesPerChunk = pool.chunkBytes() / FlatIndexLayout.ENTRY_BYTES;
    this.entriesInChunk = entriesPerChunk;
  }

  /** Makes the segment a holder of an arena that its cells lie in. */
  void share(Arena arena) {
    if (!cellArenas.contains(arena)) {
      arena.retain();
      cellArenas.add(arena);
    }
  }

  /** Makes the segment the only holder of an arena. */
  void own(Arena arena) {
    cellArenas.add(arena);
  }

  void add(long prefix, int reference) {
    if (entriesInChunk == entriesPerChunk) {
      chunk = indexArena.buffer(indexArena.allocateChunk());
      index.add(chunk);
      entriesInChunk = 0;
    }
    FlatIndexLayout.write(chunk, entriesInChunk * FlatIndexLayout.ENTRY_BYTES, prefix, reference);
    entriesInChunk++;
    size = Math.addExact(size, 1);
  }

  int size() {
    return size;
  }

  /** Returns the segment; at least one cell was added. */
  FlatSegment build(SegmentStats stats) {
    assert stats.cells() == size : stats + " of " + size + " cells";
    return new FlatSegment(
        pool,
        keyPrefix,
        indexArena,
        List.copyOf(cellArenas),
        index.toArray(new ByteBuffer[0]),
        entriesPerChunk,
        size,
        stats);
  }

  /** Gives back what the builder has taken. */
  void abandon() {
    indexArena.release();
    cellArenas.forEach(Arena::release);
  }
}
