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
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
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
    oldest[0] =
        oldestOf(
            () -> {
              // The cell comes to another segment, which is flattened.
              oldest[0].noteGone(3);
              return Long.MAX_VALUE;
            });
    oldest[0].noteGone(1);
    oldest[0].check();
    assertThat(told).containsExactly(2L);
    store.close();
  }

  @Test
  void aLoggedCellThatAnUnloggedOneDisplacesMeanwhileIsStillTheOldest() {
    OldestSequence[] oldest = new OldestSequence[1];
    AtomicBoolean held = new AtomicBoolean();
    oldest[0] =
        oldestOf(
            () -> {
              if (!held.getAndSet(true)) {
                // Cell 7, which is not logged, comes, and a compaction drops cell 3 because of it.
                oldest[0].hold(3);
              }
              return 7;
            });
    assertThat(oldest[0].get()).isEqualTo(3);
    store.close();
  }

  /** Returns the number of a store whose only segment calls this for its oldest one. */
  private OldestSequence oldestOf(LongSupplier minSequence) {
    MutableSegment segment =
        (MutableSegment)
            Proxy.newProxyInstance(
                MutableSegment.class.getClassLoader(),
                new Class<?>[] {MutableSegment.class},
                (proxy, method, arguments) ->
                    method.getName().equals("minSequence") ? minSequence.getAsLong() : null);
    SegmentList list =
        new SegmentList(segment, List.of(), List.of(), RangeTombstones.NONE, RangeTombstones.NONE);
    return new OldestSequence(new CurrentSegments(list), this);
  }

  private void add(long sequence) {
    store.add(ModelCell.put("row", "q", 1, sequence, "v").encode(), 0, 1, sequence);
  }
}
