// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.chunk;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;

/**
 * Allocates memory from chunks, which it owns and fills from front to back. Many threads may
 * allocate at once; the memory belongs to the allocating thread until that thread publishes the
 * reference.
 *
 * <p>An arena is reference-counted, because merged segments share the arenas of their sources. A
 * new arena has one holder; the last call of {@link #release} returns all chunks to the pool.
 */
public final class Arena implements SharedMemory {
  private final ChunkPool pool;
  private final MemoryKind kind;
  private final MemoryAccount account;
  private final ReferenceCount holders = new ReferenceCount();
  private volatile Current current;

  /**
   * Written by one thread at a time: first the one that fills the arena, then the one that compacts
   * it.
   */
  private volatile long unusedBytes;

  @GuardedBy("this")
  private int[] chunks = new int[4];

  @GuardedBy("this")
  private int chunkCount;

  @GuardedBy("this")
  private long bytes;

  @GuardedBy("this")
  private long heapBytes;

  /**
   * Creates an arena that has no chunk yet.
   *
   * @param pool the pool that the chunks come from and return to
   * @param kind where the chunks are; a full pool may supply chunks on the heap instead
   * @param account charged for each chunk while the arena holds it
   */
  public Arena(ChunkPool pool, MemoryKind kind, MemoryAccount account) {
    this.pool = pool;
    this.kind = kind;
    this.account = account;
    this.current = new Current(-1, pool.chunkBytes());
  }

  /**
   * Allocates bytes. Several threads may allocate at once.
   *
   * @param bytes the number of bytes, at least 1
   * @return the reference to the first byte
   */
  public int allocate(int bytes) {
    int size = pool.aligned(bytes);
    if (size > pool.chunkBytes()) {
      return allocateJumbo(size);
    }
    while (true) {
      Current filling = current;
      int position = filling.take(size);
      if (position + size <= pool.chunkBytes()) {
        return pool.reference(filling.chunk, position);
      }
      startChunk(filling);
    }
  }

  /**
   * Allocates a whole chunk.
   *
   * @return the reference to its first byte
   */
  public synchronized int allocateChunk() {
    return pool.reference(takeChunk(), 0);
  }

  /**
   * {@return the buffer that a reference points into}
   *
   * @param reference a reference into a chunk of the same pool
   */
  public ByteBuffer buffer(int reference) {
    return pool.buffer(reference);
  }

  /**
   * {@return the position that a reference points to}
   *
   * @param reference a reference into a chunk of the same pool
   */
  public int position(int reference) {
    return pool.position(reference);
  }

  @Override
  public synchronized long bytes() {
    return bytes;
  }

  @Override
  public synchronized long heapBytes() {
    return heapBytes;
  }

  /** {@return the number of bytes whose content is no longer needed, as last set; 0 by default} */
  public long unusedBytes() {
    return unusedBytes;
  }

  /**
   * Sets the number of bytes whose content is no longer needed.
   *
   * @param bytes the number of bytes
   */
  public void setUnusedBytes(long bytes) {
    unusedBytes = bytes;
  }

  @Override
  public void retain() {
    holders.retain();
  }

  @Override
  public void release() {
    if (holders.release()) {
      synchronized (this) {
        for (int i = 0; i < chunkCount; i++) {
          pool.giveBack(chunks[i], account);
        }
        chunkCount = 0;
        bytes = 0;
        heapBytes = 0;
      }
    }
  }

  /**
   * Calls the consumer with the number of each chunk that the arena has taken.
   *
   * @param consumer receives each chunk's number
   */
  public synchronized void forEachChunk(IntConsumer consumer) {
    for (int i = 0; i < chunkCount; i++) {
      consumer.accept(chunks[i]);
    }
  }

  private synchronized int allocateJumbo(int size) {
    makeRoom();
    return pool.reference(own(pool.takeJumboChunk(size, kind, account)), 0);
  }

  private synchronized void startChunk(Current full) {
    if (current == full) {
      current = new Current(takeChunk(), 0);
    }
  }

  /** Takes a chunk. */
  @GuardedBy("this")
  private int takeChunk() {
    makeRoom();
    return own(pool.takeChunk(kind, account));
  }

  /**
   * Makes room for a chunk's number before the chunk is taken. Otherwise a failed allocation could
   * leak the chunk.
   */
  @GuardedBy("this")
  private void makeRoom() {
    if (chunkCount == chunks.length) {
      chunks = Arrays.copyOf(chunks, 2 * chunkCount);
    }
  }

  @GuardedBy("this")
  private int own(int chunk) {
    chunks[chunkCount++] = chunk;
    int taken = pool.bytesOf(chunk);
    bytes += taken;
    if (pool.kindOf(chunk) == MemoryKind.HEAP) {
      heapBytes += taken;
    }
    return chunk;
  }

  /** The chunk that is being filled, and how far it is filled. */
  private static final class Current {
    final int chunk;
    private final AtomicInteger position;

    Current(int chunk, int position) {
      this.chunk = chunk;
      this.position = new AtomicInteger(position);
    }

    /** Returns the allocated position, which is beyond the end if the chunk is full. */
    int take(int size) {
      // Stops adding once full, so that the position cannot overflow.
      int seen = position.get();
      return seen + size > ChunkPool.CHUNK_BYTES_MAX ? seen : position.getAndAdd(size);
    }
  }
}
