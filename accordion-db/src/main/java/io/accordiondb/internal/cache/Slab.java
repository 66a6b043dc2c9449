// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.cache;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A piece of direct memory that is filled with blocks from front to back. The caller must hold the
 * cache's lock; readers access the memory only through pinned blocks.
 */
final class Slab {
  /** Shorter blocks than this fill a slab before its memory is used up. */
  private static final int BLOCK_BYTES_MIN = 256;

  /** The byte that overwrites freed memory if assertions are enabled. */
  private static final byte[] POISON = new byte[4 << 10];

  static {
    Arrays.fill(POISON, (byte) 0xDB);
  }

  private final ByteBuffer memory;

  /** The blocks in use, in the order of their memory, followed by objects to reuse. */
  private final @Nullable CachedBlock[] blocks;

  private int count;
  private int usedBytes;

  /**
   * Creates an empty slab.
   *
   * @param memory the direct memory that it owns
   * @param blockBytes length of the blocks to expect
   */
  Slab(ByteBuffer memory, int blockBytes) {
    this.memory = memory;
    blocks = new CachedBlock[blocksMax(memory.capacity(), blockBytes)];
  }

  private static int blocksMax(int bytes, int blockBytes) {
    return bytes / Math.max(blockBytes, BLOCK_BYTES_MIN) + 1;
  }

  /** Returns the bytes charged for a slab: its memory, and the objects of its blocks. */
  static long chargedBytes(int bytes, int blockBytes) {
    return bytes + (long) blocksMax(bytes, blockBytes) * CachedBlock.OVERHEAD_BYTES;
  }

  long chargedBytes() {
    return memory.capacity() + (long) blocks.length * CachedBlock.OVERHEAD_BYTES;
  }

  /** Returns the length of its memory. */
  int bytes() {
    return memory.capacity();
  }

  /** Returns whether a block would have room if the slab were empty. */
  boolean canHold(int length) {
    return length <= memory.capacity();
  }

  boolean hasRoom(int length) {
    return count < blocks.length && length <= memory.capacity() - usedBytes;
  }

  /** Returns a closed block at the end, for which there must be room. */
  CachedBlock add(CachedFile file, long offset, int length) {
    CachedBlock block = blocks[count];
    if (block == null) {
      block = new CachedBlock(memory);
      blocks[count] = block;
    }
    block.assign(file, offset, usedBytes, length);
    count++;
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

  /** Returns how often its blocks are pinned now. */
  int pins() {
    int pins = 0;
    for (int i = 0; i < count; i++) {
      CachedBlock block = blocks[i];
      pins += block == null ? 0 : block.pins();
    }
    return pins;
  }

  /**
   * Keeps the blocks that pass a test, in their order, and moves them together towards the
   * beginning. Blocks that are pinned or being filled stay where they are.
   */
  void retain(Predicate<CachedBlock> isKept) {
    int kept = 0;
    int end = 0;
    for (int i = 0; i < count; i++) {
      CachedBlock block = blocks[i];
      if (block == null) {
        continue;
      }
      boolean isMovable = block.tryClose();
      if (isMovable && !isKept.test(block)) {
        continue;
      }
      if (isMovable) {
        block.moveTo(end);
        block.open();
      } else {
        assert poison(end, block.start());
      }
      end = block.start() + block.length();
      blocks[i] = blocks[kept];
      blocks[kept++] = block;
    }
    assert poison(end, usedBytes);
    count = kept;
    usedBytes = end;
  }

  /** Overwrites freed memory, so that a read without a pin does not find the old bytes. */
  private boolean poison(int from, int to) {
    for (int at = from; at < to; at += POISON.length) {
      memory.put(at, POISON, 0, Math.min(POISON.length, to - at));
    }
    return true;
  }
}
