// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore.segment;

import io.accordiondb.chunk.Arena;
import io.accordiondb.chunk.ChunkPool;
import io.accordiondb.chunk.SharedMemory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Counts, during a compaction, how much of each arena of its sources survives. An arena that is
 * still well filled keeps its cells where they lie; the survivors of the others move, so that their
 * memory comes back. Moving everything, as the paper does, costs a copy of all survivors and, while
 * it lasts, twice their memory. Belongs to one thread.
 */
final class LiveBytes {
  /** An arena of which less survives is emptied; what it has too much stays below a quarter. */
  private static final double KEPT_SHARE_MIN = 0.9;

  private static final int NO_ARENA = -1;

  private final ChunkPool pool;
  private final List<Arena> arenas = new ArrayList<>();
  private int[] arenaOfChunk = new int[0];
  private long[] liveBytes = new long[0];

  LiveBytes(ChunkPool pool, List<? extends ImmutableSegment> sources) {
    this.pool = pool;
    for (ImmutableSegment source : sources) {
      for (SharedMemory memory : source.cellMemory()) {
        if (memory instanceof Arena arena) {
          int number = arenas.size();
          arenas.add(arena);
          arena.forEachChunk(chunk -> assign(chunk, number));
        }
      }
    }
    liveBytes = new long[arenas.size()];
  }

  private void assign(int chunk, int arena) {
    if (chunk >= arenaOfChunk.length) {
      int length = arenaOfChunk.length;
      arenaOfChunk = Arrays.copyOf(arenaOfChunk, Math.max(chunk + 1, 2 * length));
      Arrays.fill(arenaOfChunk, length, arenaOfChunk.length, NO_ARENA);
    }
    arenaOfChunk[chunk] = arena;
  }

  /** Counts a record that survives. */
  void add(int reference, int bytes) {
    liveBytes[arenaOfChunk[pool.chunkNumber(reference)]] += bytes;
  }

  /** Returns whether a record lies in an arena that is to be emptied. */
  boolean isToMove(int reference) {
    int chunk = pool.chunkNumber(reference);
    int arena = chunk < arenaOfChunk.length ? arenaOfChunk[chunk] : NO_ARENA;
    return arena != NO_ARENA && !isKept(arena);
  }

  /** Returns the arenas that keep their cells. */
  List<Arena> kept() {
    List<Arena> kept = new ArrayList<>();
    for (int arena = 0; arena < arenas.size(); arena++) {
      if (isKept(arena)) {
        kept.add(arenas.get(arena));
      }
    }
    return kept;
  }

  private boolean isKept(int arena) {
    return liveBytes[arena] >= KEPT_SHARE_MIN * arenas.get(arena).bytes();
  }
}
