// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.sstable;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class BlockCacheTest {
  private static final int BLOCK_BYTES = 4 << 10;
  private static final int CAPACITY_BYTES = 64 * BLOCK_BYTES;
  private static final Block BLOCK = new Block("f", 0, ByteBuffer.allocate(BLOCK_BYTES));

  @Test
  void takesAllWhileThereIsRoom() {
    BlockCache cache = new BlockCache(CAPACITY_BYTES);
    for (int i = 0; i < 10; i++) {
      cache.offer(1, i, BLOCK);
    }
    for (int i = 0; i < 10; i++) {
      assertThat(cache.get(1, i)).isSameAs(BLOCK);
    }
  }

  @Test
  void takesWhatIsOfferedTwiceWhenItIsFull() {
    BlockCache cache = new BlockCache(CAPACITY_BYTES);
    for (int i = 0; i < 100; i++) {
      cache.offer(1, i, BLOCK);
    }
    long held = cache.stats().usedBytes();
    cache.offer(2, 0, BLOCK);
    assertThat(cache.get(2, 0)).isNull();
    assertThat(cache.stats().usedBytes()).isEqualTo(held);
    cache.offer(2, 0, BLOCK);
    assertThat(cache.get(2, 0)).isSameAs(BLOCK);
  }

  @Test
  void takesAllAgainWhenATableHasGone() {
    BlockCache cache = new BlockCache(CAPACITY_BYTES);
    for (int i = 0; i < 100; i++) {
      cache.offer(1, i, BLOCK);
    }
    cache.dropTable(1);
    cache.offer(2, 0, BLOCK);
    assertThat(cache.get(2, 0)).isSameAs(BLOCK);
  }

  @Test
  void holdsNothingWithoutCapacity() {
    BlockCache cache = new BlockCache(0);
    cache.offer(1, 0, BLOCK);
    cache.put(1, 0, BLOCK);
    assertThat(cache.get(1, 0)).isNull();
  }
}
