// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.cache;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import io.accordiondb.statistics.BlockKind;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/** A block is read, and its cache made smaller, while another thread fills its place. */
@JCStressTest
@Outcome(id = "[01], 1, [01]", expect = ACCEPTABLE, desc = "Nobody sees a block that is half full.")
@State
public class BlockFillStress {
  private static final int BLOCK_BYTES = 40;
  private static final byte[] BYTES = new byte[BLOCK_BYTES];

  static {
    Arrays.fill(BYTES, (byte) 1);
  }

  private final BlockCache cache = new BlockCache(new CacheSizes(4096, 1024, 1024));
  private final CachedFile file = cache.newFile();

  @Actor
  public void fill(III_Result result) {
    CachedBlock block = cache.offer(file, 1, BLOCK_BYTES);
    if (block == null) {
      // The cache was just changed by the other one.
      result.r2 = 1;
      return;
    }
    block.memory().put(block.start(), BYTES);
    block.openPinned();
    result.r2 = numberIn(block.memory(), block.start());
    block.unpin();
  }

  @Actor
  public void read(III_Result result) {
    result.r1 = read();
    cache.charge(4096);
  }

  @Arbiter
  public void check(III_Result result) {
    result.r3 = cache.pins() == 0 ? read() : -2;
  }

  /**
   * Returns the number that all bytes of the block are; 0 if it is not found; -1 if they are not.
   */
  private int read() {
    CachedBlock block = cache.pin(BlockKind.DATA, file, 1);
    if (block == null) {
      return 0;
    }
    int number = numberIn(block.memory(), block.start());
    block.unpin();
    return number;
  }

  private static int numberIn(ByteBuffer memory, int start) {
    for (int i = 1; i < BLOCK_BYTES; i++) {
      if (memory.get(start + i) != memory.get(start)) {
        return -1;
      }
    }
    return memory.get(start);
  }
}
