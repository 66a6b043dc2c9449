// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.sstable;

import io.accordiondb.internal.cache.CachedBlock;
import io.accordiondb.internal.pool.Pool;
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

  /** Longer blocks are read into memory on the heap, which is not pooled. */
  private static final int DIRECT_BYTES_MAX = 64 << 10;

  private static final Pool<ReadScratch> POOL = new Pool<>(ReadScratch::new);
  private static final ByteBuffer NONE = ByteBuffer.allocateDirect(0);

  private final LookupKey key = new LookupKey();
  private final CellBlockSearch search = new CellBlockSearch();
  private ByteBuffer stored = NONE;
  private ByteBuffer payload = NONE;
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
    stored = withRoom(stored, length);
    return stored;
  }

  /** Returns memory for a payload that the cache does not accept, from 0 to its limit. */
  ByteBuffer payloadBytes(int length) {
    payload = withRoom(payload, length);
    return payload;
  }

  private static ByteBuffer withRoom(ByteBuffer bytes, int length) {
    if (length <= bytes.capacity()) {
      return bytes.clear().limit(length);
    }
    if (length > DIRECT_BYTES_MAX) {
      return ByteBuffer.allocate(length);
    }
    int capacity = Math.max(Integer.highestOneBit(length - 1) << 1, DIRECT_BYTES_MIN);
    return ByteBuffer.allocateDirect(capacity).limit(length);
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
    stored = stored.isDirect() ? stored : NONE;
    payload = payload.isDirect() ? payload : NONE;
    POOL.giveBack(this);
  }
}
