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

/** Blocks of one chain are read while a resized cache puts them into chains of their own. */
@JCStressTest
@Outcome(id = "[01], [02], 3", expect = ACCEPTABLE, desc = "Each was read, or missed on the way.")
@State
public class CacheResizeStress {
  private static final int BLOCK_BYTES = 40;

  /** So small that all blocks are in one chain. */
  private final BlockCache cache = new BlockCache(new CacheSizes(4096, 1024, 1024));

  private final CachedFile file = cache.newFile();

  public CacheResizeStress() {
    for (int number = 1; number <= 2; number++) {
      byte[] bytes = new byte[BLOCK_BYTES];
      Arrays.fill(bytes, (byte) number);
      cache.put(file, number, ByteBuffer.wrap(bytes));
    }
  }

  @Actor
  public void resize() {
    cache.resize(1 << 20);
  }

  @Actor
  public void read(III_Result result) {
    result.r1 = read(1);
    result.r2 = read(2);
  }

  @Arbiter
  public void check(III_Result result) {
    result.r3 = read(1) + read(2);
  }

  /** Returns the number that all bytes of a block are; 0 if it is not found; -1 if they are not. */
  private int read(int number) {
    BlockBuffer buffer = new BlockBuffer();
    if (!cache.read(BlockKind.DATA, file, number, buffer)) {
      return 0;
    }
    ByteBuffer found = buffer.payload();
    for (int i = 1; i < found.limit(); i++) {
      if (found.get(i) != found.get(0)) {
        return -1;
      }
    }
    return found.limit() == BLOCK_BYTES ? found.get(0) : -1;
  }
}
