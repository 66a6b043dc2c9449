// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.sstable;

import io.accordiondb.internal.cache.CachedBlock;
import io.accordiondb.internal.pool.Pool;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The temporary objects of one read of a table, which are pooled so that reads allocate nothing:
 * the memory into which blocks are read, the search objects, and the one pinned block. Belongs to
 * one thread from {@link #take} to {@link #close}.
 *
 * <p>The memory is direct, so that the system reads into it without a copy. The process keeps it,
 * for as many threads as have read at the same time, in addition to the memory of the caches.
 */
final class ReadScratch implements AutoCloseable {
  private static final int DIRECT_BYTES_MIN = 8 << 10;

  /**
   * Longer blocks are read into memory on the heap, which is kept until a collection of garbage.
   */
  private static final int DIRECT_BYTES_MAX = 64 << 10;

  private static final Pool<ReadScratch> POOL = new Pool<>(ReadScratch::new);
  private static final ByteBuffer NONE = ByteBuffer.allocateDirect(0);

  /** Memory for one block. */
  private static final class Memory {
    private ByteBuffer direct = NONE;
    private WeakReference<ByteBuffer> heap = new WeakReference<>(NONE);

    /** The one of both that is in use. */
    private ByteBuffer used = NONE;

    /** Returns the memory, from 0 to a limit. */
    ByteBuffer withRoom(int length) {
      if (length > DIRECT_BYTES_MAX) {
        used = heapWithRoom(length);
      } else {
        if (length > direct.capacity()) {
          int capacity = Math.max(Integer.highestOneBit(length - 1) << 1, DIRECT_BYTES_MIN);
          direct = ByteBuffer.allocateDirect(capacity);
        }
        used = direct;
      }
      return used.clear().limit(length);
    }

    private ByteBuffer heapWithRoom(int length) {
      ByteBuffer kept = heap.get();
      if (kept == null || length > kept.capacity()) {
        kept = ByteBuffer.allocate(length);
        heap = new WeakReference<>(kept);
      }
      return kept;
    }

    /** Lets the garbage collector have what is on the heap. */
    void endUse() {
      used = NONE;
    }
  }

  private final LookupKey key = new LookupKey();
  private final CellBlockSearch search = new CellBlockSearch();
  private final Memory stored = new Memory();
  private final Memory payload = new Memory();
  private @Nullable CachedBlock pinned;

  private ReadScratch() {}

  /** Takes an object from the pool. It belongs to the caller until {@link #close}. */
  static ReadScratch take() {
    return POOL.take();
  }

  LookupKey key() {
    return key;
  }

  CellBlockSearch search() {
    return search;
  }

  /** Returns memory for a block as it is stored, from 0 to its limit. */
  ByteBuffer storedBytes(int length) {
    return stored.withRoom(length);
  }

  /** Returns memory for a payload that the cache does not accept, from 0 to its limit. */
  ByteBuffer payloadBytes(int length) {
    return payload.withRoom(length);
  }

  /** Takes over a pin, until {@link #unpin} or {@link #close}. */
  void hold(CachedBlock block) {
    pinned = block;
  }

  /** Releases the pin, if there is one. */
  void unpin() {
    CachedBlock block = pinned;
    if (block != null) {
      pinned = null;
      block.unpin();
    }
  }

  @Override
  public void close() {
    unpin();
    key.clear();
    search.clear();
    stored.endUse();
    payload.endUse();
    POOL.giveBack(this);
  }
}
