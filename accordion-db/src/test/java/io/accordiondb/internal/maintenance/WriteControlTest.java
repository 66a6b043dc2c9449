// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.maintenance;

import static io.accordiondb.fixtures.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.accordiondb.Compression;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.WriteStalledException;
import io.accordiondb.chunk.MemoryAccount;
import io.accordiondb.chunk.MemoryBudget;
import io.accordiondb.chunk.MemoryKind;
import io.accordiondb.encoding.CellTags;
import io.accordiondb.encoding.CellType;
import io.accordiondb.encoding.KeyValueLayout;
import io.accordiondb.internal.commit.Batch;
import io.accordiondb.internal.commit.BatchBuilder;
import io.accordiondb.internal.commit.FailureState;
import io.accordiondb.internal.engine.OpenParts;
import io.accordiondb.internal.metrics.Stalls;
import io.accordiondb.internal.metrics.Telemetry;
import io.accordiondb.internal.region.Store;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How long writers wait by how full the memory is. */
@Timeout(60)
class WriteControlTest {
  private static final long LIMIT_BYTES = 1_000_000;

  /** Of which large writes may hold a sixteenth. */
  private static final long HEAP_BYTES = 16_000_000;

  private final MemoryBudget budget = new MemoryBudget(LIMIT_BYTES);
  private final MemoryAccount account = new MemoryAccount(budget);
  private final AtomicInteger flushesAskedFor = new AtomicInteger();
  private final Batch batch = new BatchBuilder(16, 1 << 20).build(Compression.NONE);
  private final Stalls stalls = Telemetry.silent().stalls();
  private final WriteControl control = control(System::nanoTime, Duration.ZERO);

  private WriteControl control(LongSupplier nanoClock, Duration stallMax) {
    return control(nanoClock, stallMax, Long.MAX_VALUE, store -> false);
  }

  private WriteControl control(
      LongSupplier nanoClock, Duration stallMax, long debtBytesMax, Predicate<Store> isDamaged) {
    DatabaseOptions options =
        DatabaseOptions.builder().stallMax(stallMax).compactionDebtBytesMax(debtBytesMax).build();
    return new WriteControl(
        budget,
        new FailureState(() -> null),
        nanoClock,
        () -> options,
        bytes -> flushesAskedFor.incrementAndGet(),
        () -> "what holds it",
        isDamaged,
        stalls,
        HEAP_BYTES);
  }

  @Test
  void nobodyWaitsWhileThereIsRoom() throws IOException {
    account.charge(MemoryKind.HEAP, 890_000);
    control.admit(batch);
    assertThat(stalls.statistics(null).count()).isZero();
    assertThat(control.lastReason()).isNull();
    assertThat(flushesAskedFor).hasValue(0);
  }

  @Test
  void theFullerTheMemoryTheLongerWritersWait() throws IOException {
    account.charge(MemoryKind.HEAP, 920_000);
    long shortest = shortestWaitNanos();
    assertThat(control.lastReason()).contains("bytes until flushes");
    account.charge(MemoryKind.HEAP, 70_000);
    // Of 2 ms at the limit: a fifth, then nine tenths.
    assertThat(shortest).isBetween(400_000L, 1_700_000L);
    assertThat(shortestWaitNanos()).isGreaterThan(1_800_000L);
    assertThat(flushesAskedFor).hasPositiveValue();
  }

  @Test
  void anInterruptedWriterWaitsAsLongAsOthers() throws IOException {
    account.charge(MemoryKind.HEAP, 990_000);
    Thread.currentThread().interrupt();
    long shortest = shortestWaitNanos();
    assertThat(Thread.interrupted()).as("the flag of the thread").isTrue();
    assertThat(shortest).isGreaterThan(1_700_000L);
  }

  @Test
  void whereTheMemoryIsFullWritersAreStopped() {
    account.charge(MemoryKind.HEAP, LIMIT_BYTES);
    assertThatThrownBy(() -> control.admit(batch))
        .isInstanceOf(WriteStalledException.class)
        .hasMessageContainingAll("memory stores", "what holds it");
    assertThat(stalls.statistics(null).count()).isOne();
  }

  /** A compaction that each attempt only begins would keep its writers for good. */
  @Test
  void whereADamagedFileStopsCompactionsTheirDebtStopsNobody() throws IOException {
    OpenParts parts = new OpenParts();
    Store store = parts.store();
    byte[] value = new byte[100_000];
    new SplittableRandom(1).nextBytes(value);
    for (int i = 1; i <= 2; i++) {
      byte[] row = {1};
      ByteBuffer cell = ByteBuffer.allocate(KeyValueLayout.length(1, 0, 0, value.length));
      KeyValueLayout.write(cell, 0, row, new byte[0], new byte[0], i, CellType.PUT.code(), value);
      store.memStore().add(cell, 0, 1, i);
      parts.flusher.flush(store);
    }
    assertThat(store.requestCompaction()).isTrue();
    AtomicBoolean damaged = new AtomicBoolean();
    WriteControl debts = control(System::nanoTime, Duration.ZERO, 64 << 10, any -> damaged.get());
    BatchBuilder builder = new BatchBuilder(16, 1 << 20);
    builder.add(store, new byte[] {1}, new byte[0], 1, CellType.PUT, new byte[0], CellTags.NONE);
    Batch write = builder.build(Compression.NONE);
    assertThatThrownBy(() -> debts.admit(write))
        .isInstanceOf(WriteStalledException.class)
        .hasMessageContaining("wait for a compaction");
    damaged.set(true);
    debts.admit(write);
  }

  @Test
  void whileTheProcessStandsStillNoStallRunsOut() throws IOException {
    account.charge(MemoryKind.HEAP, LIMIT_BYTES);
    AtomicLong hours = new AtomicLong();
    WriteControl sleeping =
        control(
            () -> {
              // Flushes get their turn in the third hour.
              if (hours.incrementAndGet() == 3) {
                account.credit(MemoryKind.HEAP, LIMIT_BYTES);
              }
              return TimeUnit.HOURS.toNanos(hours.get());
            },
            Duration.ofMinutes(1));
    sleeping.admit(batch);
    assertThat(hours).hasValueGreaterThanOrEqualTo(3);
  }

  @Test
  void largeWritesTakeNoMoreThanTheirShareOfTheHeap() throws IOException {
    long first = control.takeRoom(600_000);
    long second = control.takeRoom(400_000);
    assertThat(stalls.statistics(null).count()).isZero();
    assertThatThrownBy(() -> control.takeRoom(100_000))
        .isInstanceOf(WriteStalledException.class)
        .hasMessageContaining("large writes hold 1000000 of the 1000000 bytes of the heap")
        .hasMessageNotContaining("what holds it");
    assertThat(stalls.statistics(null).count()).isOne();
    assertThat(control.takeRoom(60_000)).as("what a small write takes").isZero();
    control.releaseRoom(second);
    assertThat(control.takeRoom(100_000)).isEqualTo(100_000);
    control.releaseRoom(100_000);
    control.releaseRoom(first);
  }

  @Test
  void aWriteLargerThanTheShareHasItAlone() throws IOException {
    long larger = control.takeRoom(2_000_000);
    assertThat(larger).isEqualTo(2_000_000);
    assertThatThrownBy(() -> control.takeRoom(100_000)).isInstanceOf(WriteStalledException.class);
    control.releaseRoom(larger);
    control.releaseRoom(control.takeRoom(100_000));
  }

  /** Nothing is stalled: the room is free again when a write has been committed. */
  @Test
  void aLargeWriteWaitsForRoomEvenWhereNoStallIsAllowed() throws Exception {
    control.takeRoom(900_000);
    CompletableFuture<Long> next = taking(control, 900_000, 1);
    control.releaseRoom(900_000);
    assertThat(next.get()).isEqualTo(900_000);
  }

  @Test
  void largeWritesAreServedInTheirOrder() throws Exception {
    WriteControl patient = control(System::nanoTime, Duration.ofMinutes(1));
    patient.takeRoom(600_000);
    CompletableFuture<Long> larger = taking(patient, 900_000, 1);
    CompletableFuture<Long> smaller = taking(patient, 100_000, 2);
    // It would fit, but would overtake the larger one.
    assertThat(smaller).isNotDone();
    patient.releaseRoom(600_000);
    larger.get();
    patient.releaseRoom(900_000);
    smaller.get();
  }

  /** Begins to take room on a thread of its own, and returns when it waits. */
  private CompletableFuture<Long> taking(WriteControl patient, long bytes, int waiting) {
    CompletableFuture<Long> taken = new CompletableFuture<>();
    new Thread(
            () -> {
              try {
                taken.complete(patient.takeRoom(bytes));
              } catch (Throwable e) {
                taken.completeExceptionally(e);
              }
            })
        .start();
    await("the thread waits", () -> stalls.statistics(null).count() >= waiting);
    return taken;
  }

  /** The shortest of many, which a busy machine lengthens least. */
  private long shortestWaitNanos() throws IOException {
    long shortest = Long.MAX_VALUE;
    for (int i = 0; i < 100; i++) {
      long before = stalls.statistics(null).nanos();
      control.admit(batch);
      shortest = Math.min(shortest, stalls.statistics(null).nanos() - before);
    }
    return shortest;
  }
}
