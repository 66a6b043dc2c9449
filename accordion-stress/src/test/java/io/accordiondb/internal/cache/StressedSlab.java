// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.cache;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.function.Predicate;

/** A slab of two blocks, whose bytes are their numbers; the second one is read. */
final class StressedSlab {
  private static final int BLOCK_BYTES = 256;

  private final CachedFile file = new CachedFile(1);
  private final Slab slab = new Slab(ByteBuffer.allocateDirect(3 * BLOCK_BYTES), BLOCK_BYTES);
  private final CachedBlock second;

  StressedSlab() {
    add(1);
    second = add(2);
  }

  private CachedBlock add(int number) {
    byte[] bytes = new byte[BLOCK_BYTES];
    Arrays.fill(bytes, (byte) number);
    CachedBlock block = slab.add(file, number, BLOCK_BYTES);
    block.fill(ByteBuffer.wrap(bytes));
    return block;
  }

  /** Keeps blocks that pass a test, and adds others until the slab is full. */
  void reclaim(Predicate<CachedBlock> isKept) {
    slab.retain(isKept);
    for (int number = 3; slab.hasRoom(BLOCK_BYTES); number++) {
      add(number);
    }
  }

  boolean isSecond(CachedBlock block) {
    return block == second;
  }

  /** Returns the number that all bytes of the second block are; 0 if it is not there; -1 if not. */
  int read() {
    if (!second.tryPin(file, 2)) {
      return 0;
    }
    ByteBuffer memory = second.memory();
    int start = second.start();
    int first = memory.get(start);
    int found = first;
    for (int i = 1; i < second.length(); i++) {
      if (memory.get(start + i) != first) {
        found = -1;
      }
    }
    second.unpin();
    return found;
  }

  /** Does what {@link #read} does, with a copy. */
  int copy() {
    BlockBuffer buffer = new BlockBuffer();
    if (!second.tryCopy(file, 2, buffer)) {
      return 0;
    }
    byte[] bytes = buffer.payload().array();
    for (byte found : bytes) {
      if (found != bytes[0]) {
        return -1;
      }
    }
    return bytes[0];
  }
}
