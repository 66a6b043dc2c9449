// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.maintenance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.accordiondb.DatabaseFailedException;
import io.accordiondb.LogExtent;
import io.accordiondb.TableDescriptor;
import io.accordiondb.encoding.CellType;
import io.accordiondb.encoding.KeyValueLayout;
import io.accordiondb.internal.catalog.RegionChanges;
import io.accordiondb.internal.clock.DatabaseClock;
import io.accordiondb.internal.engine.OpenParts;
import io.accordiondb.internal.manifest.FileRecord;
import io.accordiondb.internal.manifest.VersionEdit;
import io.accordiondb.internal.region.StoreId;
import io.accordiondb.internal.storage.MemoryStorage;
import io.accordiondb.internal.transfer.Checkpointer;
import io.accordiondb.internal.wal.KeptLogs;
import io.accordiondb.memstore.MemStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Work that cannot be begun, or ends by an error, keeps nothing from being begun later. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SchedulersTest {
  private final OpenParts parts;

  /** Has no thread for the first task; keeps the others. */
  private final List<Runnable> tasks = new ArrayList<>();

  private boolean hasThread;

  private final Executor executor =
      task -> {
        if (!hasThread) {
          hasThread = true;
          throw new OutOfMemoryError("injected: unable to create native thread");
        }
        tasks.add(task);
      };

  SchedulersTest() throws IOException {
    parts = new OpenParts();
  }

  private FlushScheduler flushScheduler() {
    return new FlushScheduler(
        parts.flusher,
        executor,
        Runnable::run,
        parts.budget,
        parts.failure,
        parts.catalog::stores,
        () -> 1,
        store -> {},
        parts.telemetry.errors());
  }

  /** Puts a cell into memory, which is then nearly empty. */
  private MemStore memoryWithOneCell() {
    byte[] bytes = {1};
    ByteBuffer cell = ByteBuffer.allocate(KeyValueLayout.length(1, 0, 1, 1));
    KeyValueLayout.write(cell, 0, bytes, new byte[0], bytes, 1, CellType.PUT.code() & 0xFF, bytes);
    MemStore memory = parts.store().memStore();
    memory.add(cell, 0, 1, 1);
    return memory;
  }

  @Test
  void memoryIsFlushedForABatchLargerThanWhatIsLeft() {
    hasThread = true;
    memoryWithOneCell();
    FlushScheduler flushes = flushScheduler();
    flushes.makeRoom(1000);
    assertThat(tasks).isEmpty();
    flushes.makeRoom(parts.budget.limitBytes());
    assertThat(tasks).hasSize(1);
  }

  @Test
  void whatAFailedFlushHasLeftIsFlushedWhenMemoryIsShort() {
    hasThread = true;
    MemStore memory = memoryWithOneCell();
    memory.snapshot();
    assertThat(memory.flushableBytes()).isZero();
    flushScheduler().makeRoom(parts.budget.limitBytes());
    assertThat(tasks).hasSize(1);
  }

  @Test
  void whatAFailedFlushHasLeftIsFlushedAlsoIfNobodyWrites() {
    hasThread = true;
    memoryWithOneCell().snapshot();
    flushScheduler().retryFailed();
    assertThat(tasks).hasSize(1);
  }

  @Test
  void aFlushForWhichThereIsNoThreadIsAskedForAgain() {
    FlushScheduler flushes = flushScheduler();
    flushes.request(parts.store());
    assertThat(tasks).isEmpty();
    flushes.request(parts.store());
    assertThat(tasks).hasSize(1);
  }

  @Test
  void aChangeOfRegionsForWhichThereIsNoThreadIsTriedAgain() throws IOException {
    RegionChanges changes =
        new RegionChanges(
            parts.catalog,
            parts.manifest,
            parts.flusher,
            parts.files,
            parts.telemetry.corruptions());
    RegionBalancer balancer =
        new RegionBalancer(parts.catalog, changes, executor, () -> -1, () -> 0);
    assertThat(catchThrowable(balancer::balance)).isInstanceOf(OutOfMemoryError.class);
    balancer.balance();
    assertThat(tasks).hasSize(1);
    tasks.remove(0).run();
    // The region has no row to be split at, so it must not keep another one from its turn.
    balancer.balance();
    assertThat(tasks).isEmpty();
    parts.catalog.create(TableDescriptor.of("zebras", "f"), new byte[0][]);
    balancer.balance();
    assertThat(tasks).hasSize(1);
  }

  @Test
  void aCheckpointEndsIfMemoryNeverGetsWhatTheManifestHas() throws Exception {
    StoreId id = parts.store().id();
    FileRecord lost =
        new FileRecord(parts.manifest.nextNumber(), id.regionId(), id.familyId(), 1, 1, 1, 0, null);
    Throwable thrown =
        catchThrowable(
            () ->
                parts.manifest.commit(
                    List.of(new VersionEdit.AddFile(lost)),
                    () -> {
                      throw new OutOfMemoryError("injected");
                    }));
    assertThat(thrown).isInstanceOf(OutOfMemoryError.class);
    assertThat(parts.failure.isFailed()).isTrue();
    Checkpointer checkpointer =
        new Checkpointer(
            parts.disk,
            parts.manifest,
            parts.catalog,
            parts.pipeline,
            parts.log,
            KeptLogs.asTheyAre(parts.disk),
            () -> () -> null,
            parts.failure,
            new DatabaseClock(InstantSource.system(), System::nanoTime, 0));
    assertThatThrownBy(() -> checkpointer.write(new MemoryStorage(), LogExtent.NEEDED))
        .isInstanceOf(DatabaseFailedException.class)
        .hasRootCauseInstanceOf(OutOfMemoryError.class);
    assertThatThrownBy(() -> parts.manifest.commit(List.of()))
        .isInstanceOf(DatabaseFailedException.class);
  }
}
