// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore.segment;

import io.accordiondb.chunk.Arena;
import io.accordiondb.chunk.ChunkPool;
import io.accordiondb.chunk.SharedMemory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Decides which arenas of its sources a compaction evacuates. It counts how much of each arena
 * survives. A well filled arena keeps its cells in place. The survivors of the others are copied,
 * from the emptiest arena first and as far as there is room, so that those arenas can be freed.
 * Copying everything, as the paper does, takes twice the memory of the survivors. Belongs to one
 * thread.
 */
public final class ArenaEvacuation {
  /** If a smaller share of an arena survives, its cells are copied. */
  private static final double KEPT_SHARE_MIN = 0.95;

  private static final int NO_ARENA = -1;

  private final ChunkPool pool;
  private final List<Arena> arenas = new ArrayList<>();
  private int[] arenaOfChunk = new int[0];
  private long[] liveBytes = new long[0];
  private boolean[] moves = new boolean[0];

  /**
   * Creates counts for a compaction, which begin at zero.
   *
   * @param sources what it reads
   */
  public ArenaEvacuation(ChunkPool pool, List<? extends ImmutableSegment> sources) {
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

  /** Counts everything that survived until now. */
  public void addAll() {
    for (int arena = 0; arena < liveBytes.length; arena++) {
      liveBytes[arena] = arenas.get(arena).bytes() - arenas.get(arena).unusedBytes();
    }
  }

  /** Counts a record that survives. */
  public void add(int reference, int bytes) {
    liveBytes[arenaOfChunk[pool.chunkNumber(reference)]] += pool.takenBytes(reference, bytes);
  }

  /** Subtracts a record that was counted and does not survive. */
  public void remove(int reference, int bytes) {
    liveBytes[arenaOfChunk[pool.chunkNumber(reference)]] -= pool.takenBytes(reference, bytes);
  }

  /**
   * Chooses the arenas to be emptied, and returns those that keep their cells. The arenas do not
   * change, because their segments stay in use if the compaction is given up.
   *
   * @param roomBytes how much memory copies may take
   */
  public List<Arena> choose(long roomBytes) {
    moves = new boolean[arenas.size()];
    // Empty arenas are freed even if there is no room for copies.
    long room = Math.max(0, roomBytes);
    for (int arena : emptiestFirst()) {
      if (liveShare(arena) >= KEPT_SHARE_MIN || liveBytes[arena] > room) {
        break;
      }
      moves[arena] = true;
      room -= liveBytes[arena];
    }
    List<Arena> kept = new ArrayList<>();
    for (int arena = 0; arena < moves.length; arena++) {
      if (!moves[arena]) {
        kept.add(arenas.get(arena));
      }
    }
    return kept;
  }

  /**
   * Tells the arenas that keep their cells how much of them is unused, once there is a segment of
   * what survives.
   */
  public void noteUnused() {
    for (int arena = 0; arena < moves.length; arena++) {
      if (!moves[arena]) {
        Arena stays = arenas.get(arena);
        stays.setUnusedBytes(stays.bytes() - liveBytes[arena]);
      }
    }
  }

  /** Returns whether a record is in an arena that will be emptied. */
  public boolean isToMove(int reference) {
    int chunk = pool.chunkNumber(reference);
    int arena = chunk < arenaOfChunk.length ? arenaOfChunk[chunk] : NO_ARENA;
    return arena != NO_ARENA && moves[arena];
  }

  private int[] emptiestFirst() {
    return IntStream.range(0, arenas.size())
        .boxed()
        .sorted(Comparator.comparingDouble(this::liveShare))
        .mapToInt(Integer::intValue)
        .toArray();
  }

  private double liveShare(int arena) {
    return (double) liveBytes[arena] / arenas.get(arena).bytes();
  }
}
