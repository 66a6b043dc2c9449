// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.chunk;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Allocates in arenas for one thread, which fills whole chunks of its own. An allocation then costs
 * one addition, while {@link Arena#allocate} must be safe for many threads.
 */
public final class ArenaFiller {
  private final ChunkPool pool;
  private final Supplier<Arena> arenas;
  private final long arenaBytes;
  private @Nullable Arena arena;

  /** The arena of the chunk that is being filled. */
  private @Nullable Arena chunkOwner;

  private int chunkNumber;
  private int next;

  /**
   * Creates a filler that has no chunk yet.
   *
   * @param pool the pool that the arenas take chunks from
   * @param arenas supplies a new arena when the last one is full; the supplier remains its holder
   * @param arenaBytes bytes from which an arena is full; all its chunks are
   */
  public ArenaFiller(ChunkPool pool, Supplier<Arena> arenas, long arenaBytes) {
    this.pool = pool;
    this.arenas = arenas;
    this.arenaBytes = arenaBytes;
    this.next = pool.chunkBytes();
  }

  /** {@return the pool that references point into} */
  public ChunkPool pool() {
    return pool;
  }

  /**
   * Allocates bytes in the current chunk, or in the next one.
   *
   * @param bytes the number of bytes, at least 1
   * @return the reference to the first byte
   */
  public int allocate(int bytes) {
    int size = pool.aligned(bytes);
    if (next + size <= pool.chunkBytes()) {
      return take(size);
    }
    Arena filled = arena;
    if (filled == null || filled.bytes() >= arenaBytes) {
      filled = arenas.get();
      arena = filled;
    }
    if (size > pool.chunkBytes()) {
      return filled.allocate(bytes);
    }
    finish();
    chunkNumber = pool.chunkNumber(filled.allocateChunk());
    chunkOwner = filled;
    next = 0;
    return take(size);
  }

  /**
   * Reports the unused rest of the last chunk to its arena. The chunk is not filled any further.
   */
  public void finish() {
    Arena owner = chunkOwner;
    if (owner != null) {
      owner.setUnusedBytes(owner.unusedBytes() + pool.chunkBytes() - next);
      chunkOwner = null;
    }
    next = pool.chunkBytes();
  }

  private int take(int size) {
    int reference = pool.reference(chunkNumber, next);
    next += size;
    return reference;
  }
}
