// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.cache;

import java.nio.ByteBuffer;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A piece of direct memory that is filled with blocks, one behind the other. Used under the cache's
 * lock, but for what its blocks let readers do.
 */
final class Slab {
  private final ByteBuffer memory;

  /** In the order in which they lie in memory. */
  private final @Nullable CachedBlock[] blocks;

  private int count;
  private int usedBytes;

  /**
   * Takes direct memory.
   *
   * @param blocksMax blocks that it can hold, at most
   * @throws OutOfMemoryError if the process has no such memory left
   */
  Slab(int bytes, int blocksMax) {
    memory = ByteBuffer.allocateDirect(bytes);
    blocks = new CachedBlock[blocksMax];
  }

  /** Returns the bytes charged for a slab: its memory, and the objects of its blocks. */
  static long chargedBytes(int bytes, int blocksMax) {
    return bytes + (long) blocksMax * CachedBlock.OVERHEAD_BYTES;
  }

  long chargedBytes() {
    return chargedBytes(memory.capacity(), blocks.length);
  }

  /** Returns whether a block would have room if the slab were empty. */
  boolean canHold(int length) {
    return length <= memory.capacity();
  }

  boolean hasRoom(int length) {
    return count < blocks.length && length <= memory.capacity() - usedBytes;
  }

  /** Copies a block to the end, for which there must be room. */
  CachedBlock add(CachedFile file, long offset, ByteBuffer payload) {
    int length = payload.limit();
    CachedBlock block = new CachedBlock(file, offset, memory, usedBytes, length);
    memory.put(usedBytes, payload, 0, length);
    blocks[count++] = block;
    usedBytes += length;
    return block;
  }

  void forEach(Consumer<CachedBlock> action) {
    for (int i = 0; i < count; i++) {
      CachedBlock block = blocks[i];
      if (block != null) {
        action.accept(block);
      }
    }
  }

  /**
   * Keeps the blocks that pass a test, in their order, and moves them together at the beginning.
   */
  void retain(Predicate<CachedBlock> isKept) {
    int kept = 0;
    int end = 0;
    for (int i = 0; i < count; i++) {
      CachedBlock block = blocks[i];
      blocks[i] = null;
      if (block != null && isKept.test(block)) {
        block.moveTo(end);
        end += block.length();
        blocks[kept++] = block;
      }
    }
    count = kept;
    usedBytes = end;
  }
}
