// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.accordiondb.internal.engine.ReplaySlabs.LoggedBatch;
import io.accordiondb.internal.wal.LogReplay;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class ReplaySlabsTest {
  private static final int RECORDS = 1000;
  private static final LogReplay.Source SOURCE = new LogReplay.Source("log", 0);

  private final Set<Long> applied = ConcurrentHashMap.newKeySet();
  private final Set<Thread> threads = ConcurrentHashMap.newKeySet();

  private Runnable prepare(List<LoggedBatch> slab) {
    threads.add(Thread.currentThread());
    return () -> {
      for (LoggedBatch logged : slab) {
        assertThat(logged.payload().getLong(0)).isEqualTo(logged.firstSequence());
        assertThat(logged.firstSequence()).isEqualTo(applied.size() + 1);
        applied.add(logged.firstSequence());
      }
    };
  }

  private static boolean add(ReplaySlabs slabs, ByteBuffer buffer, long number) throws IOException {
    return slabs.add(buffer.putLong(0, number), number, 1, SOURCE);
  }

  @Test
  void whatIsToldAsAppliedHasBeen() throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate(Long.BYTES);
    List<Long> told = Collections.synchronizedList(new ArrayList<>());
    try (ReplaySlabs slabs =
        new ReplaySlabs(
            3,
            64,
            this::prepare,
            last -> {
              assertThat(applied).containsAll(LongStream.rangeClosed(1, last).boxed().toList());
              told.add(last);
            })) {
      int full = 0;
      for (long number = 1; number <= RECORDS; number++) {
        full += add(slabs, buffer, number) ? 1 : 0;
        if (number == RECORDS / 2) {
          slabs.drain();
          assertThat(applied).hasSize(RECORDS / 2);
        }
      }
      assertThat(full).isEqualTo(RECORDS / 8 - 1);
      slabs.drain();
    }
    assertThat(applied).hasSize(RECORDS);
    assertThat(told).isSorted().endsWith((long) RECORDS);
  }

  @Test
  void longRecordsDoNotPileUp() throws IOException {
    try (ReplaySlabs slabs = new ReplaySlabs(3, 64, this::prepare, last -> {})) {
      for (long number = 1; number <= 20; number++) {
        add(slabs, ByteBuffer.allocate(1000), number);
        assertThat(applied).hasSize((int) number - 1);
      }
      slabs.drain();
    }
    assertThat(applied).hasSize(20);
  }

  @Test
  void aSmallLogNeedsNoOtherThread() throws IOException {
    try (ReplaySlabs slabs = new ReplaySlabs(3, 64, this::prepare, last -> {})) {
      assertThat(add(slabs, ByteBuffer.allocate(Long.BYTES), 1)).isFalse();
      slabs.drain();
    }
    assertThat(threads).containsExactly(Thread.currentThread());
  }

  @Test
  void aRecordThatCannotBeAppliedEndsTheReplay() throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate(Long.BYTES);
    try (ReplaySlabs slabs =
        new ReplaySlabs(
            2,
            8,
            slab -> {
              if (slab.get(0).firstSequence() == 7) {
                throw new IOException("record 7");
              }
              return () -> {};
            },
            last -> assertThat(last).isLessThan(7))) {
      assertThatThrownBy(
              () -> {
                for (long number = 1; number <= RECORDS; number++) {
                  add(slabs, buffer, number);
                }
              })
          .isInstanceOf(IOException.class)
          .hasMessage("record 7");
    }
  }

  @Test
  void anInterruptIsKeptAndStopsNothing() throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate(Long.BYTES);
    Thread.currentThread().interrupt();
    try (ReplaySlabs slabs = new ReplaySlabs(2, 8, this::prepare, last -> {})) {
      for (long number = 1; number <= RECORDS; number++) {
        add(slabs, buffer, number);
      }
      slabs.drain();
    } finally {
      assertThat(Thread.interrupted()).isTrue();
    }
    assertThat(applied).hasSize(RECORDS);
  }
}
