// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.chunk.ChunkPool;
import io.accordiondb.chunk.MemoryBudget;
import io.accordiondb.retention.RangeTombstone;
import io.accordiondb.retention.VersionRules;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The memory of range tombstones is given back, whatever becomes of them. */
class RangeMemoryTest {
  private final MemoryBudget budget = new MemoryBudget(1 << 28);
  private final MemStore store =
      new MemStore(
          new MemStoreOptions(MemStorePolicy.of(Policy.BASIC), VersionRules.DEFAULT, 1 << 20),
          new MemStoreEnvironment(
              Runnable::run,
              () -> 0,
              () -> Long.MAX_VALUE,
              new Random(1),
              new ChunkPool(ChunkPool.CHUNK_BYTES_MIN, 1 << 30),
              budget,
              new MemStoreListener() {}));

  private void deleteRange(String start, String end, long sequence) {
    store.deleteRange(
        new RangeTombstone(start.getBytes(US_ASCII), end.getBytes(US_ASCII), sequence));
  }

  @Test
  void ofASnapshotThatIsCleared() {
    deleteRange("a", "b", 1);
    FlushSnapshot unused = store.snapshot();
    deleteRange("c", "d", 2);
    long both = budget.usedBytes();
    store.clearSnapshot();
    assertThat(budget.usedBytes()).isPositive().isLessThan(both);
    store.close();
    assertThat(budget.usedBytes()).isZero();
  }

  /** A store may be dropped after a flush of it has failed. */
  @Test
  void ofASnapshotThatIsNeverCleared() {
    deleteRange("a", "b", 1);
    FlushSnapshot unused = store.snapshot();
    deleteRange("c", "d", 2);
    store.close();
    assertThat(budget.usedBytes()).isZero();
  }
}
