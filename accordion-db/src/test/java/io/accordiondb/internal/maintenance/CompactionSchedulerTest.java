// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.maintenance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.accordiondb.CompactionStyle;
import io.accordiondb.FamilyDescriptor;
import io.accordiondb.encoding.CellType;
import io.accordiondb.encoding.KeyValueLayout;
import io.accordiondb.internal.compaction.Compacted;
import io.accordiondb.internal.compaction.CompactionPicker;
import io.accordiondb.internal.compaction.Compactor;
import io.accordiondb.internal.compaction.LeveledPicker;
import io.accordiondb.internal.compaction.RateLimiter;
import io.accordiondb.internal.engine.OpenParts;
import io.accordiondb.internal.region.Store;
import io.accordiondb.internal.region.StoreClosedException;
import io.accordiondb.retention.RangeTombstone;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Random;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

/** What pauses after a merge has failed, and what range tombstones cause. */
@Timeout(60)
class CompactionSchedulerTest {
  private static final int FILES = 5;
  private static final byte[] NOTHING = {};

  private final OpenParts parts;
  private final Store store;
  private final Compactor compactor;
  private final CompactionScheduler scheduler;
  private long sequence;
  private boolean mergesFail;

  CompactionSchedulerTest() throws IOException {
    parts = new OpenParts();
    store = parts.store();
    compactor =
        new Compactor(
            parts.files,
            parts.manifest,
            () -> Long.MAX_VALUE,
            () -> 0,
            new RateLimiter(() -> 0, System::nanoTime),
            this::leveledPicker,
            parts.telemetry);
    scheduler = schedulerOn(new CallerRuns());
  }

  private CompactionScheduler schedulerOn(ExecutorService executor) {
    return new CompactionScheduler(
        compactor,
        CompactionPicker.withDefaults(1 << 20),
        CompactionPicker.whileIdle(1 << 20),
        () -> false,
        new WriteLull(() -> 0, () -> 0, System::nanoTime),
        executor,
        parts.failure,
        parts.telemetry.errors());
  }

  /** Called to choose what to merge. */
  private LeveledPicker leveledPicker() {
    if (mergesFail) {
      throw new IllegalStateException("injected");
    }
    return LeveledPicker.withFileBytes(1 << 20);
  }

  private static class CallerRuns extends AbstractExecutorService {
    @Override
    public void execute(Runnable task) {
      task.run();
    }

    @Override
    public void shutdown() {}

    @Override
    public List<Runnable> shutdownNow() {
      return List.of();
    }

    @Override
    public boolean isShutdown() {
      return false;
    }

    @Override
    public boolean isTerminated() {
      return false;
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) {
      return true;
    }
  }

  /** As {@link BackgroundThreads#end} leaves one whose threads have died for lack of memory. */
  private static final class DropsAll extends CallerRuns {
    @Override
    public void execute(Runnable task) {}

    @Override
    public boolean isTerminated() {
      return true;
    }
  }

  private void addFile() throws IOException {
    put(1, new byte[1]);
    parts.flusher.flush(store);
  }

  private void put(int row, byte[] value) throws IOException {
    byte[] key = {(byte) row};
    ByteBuffer cell = ByteBuffer.allocate(KeyValueLayout.length(1, 0, 0, value.length));
    sequence++;
    KeyValueLayout.write(cell, 0, key, NOTHING, NOTHING, sequence, CellType.PUT.code(), value);
    store.memStore().add(cell, 0, 1, sequence);
  }

  private void failToMerge() throws IOException {
    for (int i = 0; i < FILES; i++) {
      addFile();
    }
    mergesFail = true;
    scheduler.request(store);
    assertThat(scheduler.failures()).isEqualTo(1);
    scheduler.request(store);
    assertThat(scheduler.failures()).as("failures while merges pause").isEqualTo(1);
    assertThat(store.fileCount()).isEqualTo(FILES);
  }

  @Test
  void filesThatARangeDeleteCoversDoNotWaitForMerges() throws IOException {
    failToMerge();
    store.memStore().deleteRange(new RangeTombstone(NOTHING, NOTHING, ++sequence));
    parts.flusher.flush(store);
    scheduler.request(store);
    assertThat(store.fileCount()).isZero();
  }

  @Test
  void aMajorCompactionEndsThePause() throws IOException {
    failToMerge();
    mergesFail = false;
    scheduler.compactAll(List.of(store), true);
    for (int i = 1; i < FILES; i++) {
      addFile();
    }
    assertThat(store.fileCount()).isEqualTo(FILES);
    scheduler.request(store);
    assertThat(store.fileCount()).isEqualTo(1);
  }

  @Test
  @Timeout(value = 10, threadMode = ThreadMode.SEPARATE_THREAD)
  void whoWaitsForACompactionThatClosingHasDroppedIsToldSo() {
    assertThatThrownBy(() -> schedulerOn(new DropsAll()).compactAll(List.of(store), true))
        .isInstanceOf(StoreClosedException.class);
  }

  @Test
  void aFileIsNotRewrittenAgainForTheSameRangeDeletes() throws IOException {
    addFileOfManyRows();
    deleteRows(10, 90);
    long all = fileBytes();
    scheduler.request(store);
    assertThat(scheduler.compactions()).isEqualTo(1);
    assertThat(fileBytes()).isLessThan(all / 3);
    requestAgain(1);
    deleteRows(90, 92);
    requestAgain(1);
    deleteRows(1, 98); // Most of what is left.
    scheduler.request(store);
    requestAgain(2);
  }

  @Test
  void filesThatPileUpDelayTheRewritingOfAFileForThatTimeAlone() throws IOException {
    addFileOfManyRows();
    deleteRows(10, 90);
    for (int i = 1; i < Compactor.FILES_URGENT; i++) {
      addFile();
    }
    RangeCompactions ranges = new RangeCompactions(compactor, () -> 0);
    assertThat(ranges.compact(store, () -> false)).isEqualTo(Compacted.NOTHING);
    compactor.minor(store, sizes -> new CompactionPicker.Run(0, 2), () -> false);
    assertThat(ranges.mayBeDue(store)).isTrue();
    assertThat(ranges.compact(store, () -> false).files()).isEqualTo(1);
  }

  /** What it has written by then is lost, so it must not begin again each second. */
  @Test
  void theRewritingOfAFileThatWasStoppedBeginsAgainAfterAPause() throws IOException {
    addFileOfManyRows();
    deleteRows(10, 90);
    AtomicLong seconds = new AtomicLong();
    RangeCompactions ranges =
        new RangeCompactions(compactor, () -> TimeUnit.SECONDS.toNanos(seconds.get()));
    int stopped = 0;
    while (seconds.getAndIncrement() < TimeUnit.HOURS.toSeconds(1)) {
      if (ranges.mayBeDue(store)) {
        AtomicInteger questions = new AtomicInteger();
        assertThat(ranges.compact(store, () -> questions.getAndIncrement() > 0))
            .isEqualTo(Compacted.NOTHING);
        stopped++;
      }
    }
    assertThat(stopped).isBetween(5, 10);
    seconds.addAndGet(TimeUnit.HOURS.toSeconds(1));
    assertThat(ranges.compact(store, () -> false).files()).isEqualTo(1);
  }

  @Test
  void aFileOfAFamilyWithoutCompactionsIsNotRewritten() throws IOException {
    addFileOfManyRows();
    deleteRows(10, 90);
    FamilyDescriptor family = store.descriptor();
    store.setDescriptor(family.toBuilder().compactionStyle(CompactionStyle.NONE).build());
    requestAgain(0);
    store.setDescriptor(family);
    scheduler.request(store);
    requestAgain(1);
  }

  private void addFileOfManyRows() throws IOException {
    Random random = new Random(1);
    byte[] value = new byte[10_000];
    for (int row = 0; row < 100; row++) {
      random.nextBytes(value);
      put(row, value);
    }
    parts.flusher.flush(store);
  }

  private void deleteRows(int from, int to) throws IOException {
    byte[] start = {(byte) from};
    store.memStore().deleteRange(new RangeTombstone(start, new byte[] {(byte) to}, ++sequence));
    parts.flusher.flush(store);
  }

  private long fileBytes() {
    return store.fileStatistics().bytes();
  }

  /** Requests compactions, as happens each second, and expects that none runs. */
  private void requestAgain(int compactions) {
    for (int i = 0; i < 3; i++) {
      scheduler.request(store);
      assertThat(scheduler.compactions()).isEqualTo(compactions);
    }
  }
}
