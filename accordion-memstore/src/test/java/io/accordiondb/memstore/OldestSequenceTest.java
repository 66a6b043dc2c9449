// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore;

import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.chunk.ChunkPool;
import io.accordiondb.chunk.MemoryBudget;
import io.accordiondb.encoding.ModelCell;
import io.accordiondb.memstore.segment.MutableSegment;
import io.accordiondb.retention.RangeTombstones;
import io.accordiondb.retention.VersionRules;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class OldestSequenceTest implements MemStoreListener {
  private final List<Long> told = new ArrayList<>();
  private final MemStore store =
      new MemStore(
          new MemStoreOptions(MemStorePolicy.of(Policy.EAGER), VersionRules.DEFAULT, 1 << 20),
          new MemStoreEnvironment(
              Runnable::run,
              () -> 0,
              () -> Long.MAX_VALUE,
              new Random(1),
              new ChunkPool(ChunkPool.CHUNK_BYTES_MIN, 1 << 30),
              new MemoryBudget(1 << 30),
              this));

  @Override
  public void onOldestSequence(long oldestSequence) {
    told.add(oldestSequence);
  }

  @Test
  void theHostIsToldOfEachRiseAlsoAfterTheStoreWasEmpty() {
    for (long sequence = 1; sequence <= 3; sequence++) {
      add(sequence);
      store.snapshot();
      store.clearSnapshot();
    }
    assertThat(told).containsExactly(2L, 3L, 4L);
    assertThat(store.oldestSequence()).isEqualTo(Long.MAX_VALUE);
    store.close();
  }

  @Test
  void aCompactionRaisesIt() {
    add(1);
    store.flushInMemory();
    add(2);
    store.flushInMemory();
    assertThat(told).containsExactly(2L);
    store.close();
  }

  @Test
  void aCellThatComesDuringACheckAndMovesWithinMemoryIsNotTakenForGone() {
    OldestSequence[] oldest = new OldestSequence[1];
    MutableSegment empty =
        (MutableSegment)
            Proxy.newProxyInstance(
                MutableSegment.class.getClassLoader(),
                new Class<?>[] {MutableSegment.class},
                (proxy, method, arguments) -> {
                  if (!method.getName().equals("minSequence")) {
                    return null;
                  }
                  // The cell comes to another segment, which is flattened.
                  oldest[0].noteGone(3);
                  return Long.MAX_VALUE;
                });
    SegmentList list =
        new SegmentList(empty, List.of(), List.of(), RangeTombstones.NONE, RangeTombstones.NONE);
    oldest[0] = new OldestSequence(new CurrentSegments(list), this);
    oldest[0].noteGone(1);
    oldest[0].check();
    assertThat(told).containsExactly(2L);
    store.close();
  }

  private void add(long sequence) {
    store.add(ModelCell.put("row", "q", 1, sequence, "v").encode(), 0, 1, sequence);
  }
}
