// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.bench.paper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class WorkSizeTest {
  private static final long HEAP_BASE = 64 << 20;

  @Test
  void everyScaleKeepsTheProportionsOfThePaper() {
    for (Scale scale : Scale.values()) {
      WorkSize size = WorkSize.of(scale.stores(), HEAP_BASE, 2);
      assertThat((double) size.writes() / size.keys()).isEqualTo(5);
      assertThat((double) size.memoryBytes() / size.keys()).isEqualTo(60);
      assertThat(0.4 * (size.heapBytes() - HEAP_BASE)).isCloseTo(size.memoryBytes(), within(1.0));
    }
  }

  @Test
  void fullIsThePapersSize() {
    WorkSize size = WorkSize.of(Scale.FULL.stores(), HEAP_BASE, 64);
    assertThat(size.keys()).isEqualTo(100_000_000);
    assertThat(size.writes()).isEqualTo(500_000_000);
    assertThat(size.writesBeforeReads()).isEqualTo(300_000_000);
    assertThat(size.memoryBytes()).isEqualTo(2 * 25 * 120_000_000L);
    assertThat(size.regions()).isEqualTo(50);
    assertThat(size.threads()).isEqualTo(12);
    assertThat(size.readers()).isEqualTo(2);
    assertThat(size.writersBesideReaders()).isEqualTo(10);
  }

  @Test
  void aStoreIsFullWithItsOwnMemoryWhateverIsBeingFlushed() {
    WorkSize one = WorkSize.of(1, HEAP_BASE, 2);
    assertThat(one.storeFlushBytes()).isEqualTo(120_000_000);
    assertThat(one.budgetBytes()).isEqualTo(240_000_000);
    WorkSize fifty = WorkSize.of(50, HEAP_BASE, 2);
    assertThat(fifty.storeFlushBytes()).isEqualTo(120_000_000);
    assertThat(fifty.budgetBytes()).isEqualTo(51 * 120_000_000L);
  }

  @Test
  void halfOfTheProcessorsAreLeftToTheStore() {
    assertThat(WorkSize.of(1, HEAP_BASE, 1).threads()).isEqualTo(1);
    assertThat(WorkSize.of(1, HEAP_BASE, 2).threads()).isEqualTo(1);
    assertThat(WorkSize.of(1, HEAP_BASE, 8).threads()).isEqualTo(4);
    assertThat(WorkSize.of(1, HEAP_BASE, 2).writersBesideReaders()).isEqualTo(1);
    assertThat(WorkSize.of(1, HEAP_BASE, 2).readers()).isEqualTo(1);
  }

  @Test
  void chunksAreScaledDownAndNeverUp() {
    assertThat(WorkSize.of(50, HEAP_BASE, 2).chunkBytes()).isEqualTo(64 << 10);
    assertThat(WorkSize.of(1, HEAP_BASE, 2).chunkBytes()).isEqualTo(64 << 10);
    assertThat(WorkSize.of(0.5, HEAP_BASE, 2).chunkBytes()).isEqualTo(32 << 10);
    assertThat(WorkSize.of(0.1, HEAP_BASE, 2).chunkBytes()).isEqualTo(4 << 10);
    assertThat(WorkSize.of(0.001, HEAP_BASE, 2).chunkBytes()).isEqualTo(4 << 10);
  }

  @Test
  void aNumberOfWritesScalesTheRest() {
    assertThat(WorkSize.ofWrites(10_000_000, HEAP_BASE, 2))
        .isEqualTo(WorkSize.of(Scale.MEDIUM.stores(), HEAP_BASE, 2));
  }
}
