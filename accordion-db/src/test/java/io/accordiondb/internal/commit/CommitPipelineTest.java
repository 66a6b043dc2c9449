// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.commit;

import static io.accordiondb.fixtures.Await.await;
import static io.accordiondb.internal.storage.MemoryStorage.LOSES_ALL;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.accordiondb.Compression;
import io.accordiondb.DatabaseFailedException;
import io.accordiondb.Durability;
import io.accordiondb.LogWriting;
import io.accordiondb.RecoveryMode;
import io.accordiondb.WritesSuspendedException;
import io.accordiondb.encoding.CellTags;
import io.accordiondb.encoding.CellType;
import io.accordiondb.internal.metrics.Operations;
import io.accordiondb.internal.metrics.Telemetry;
import io.accordiondb.internal.region.Store;
import io.accordiondb.internal.region.StoreClosedException;
import io.accordiondb.internal.storage.FaultyStorage;
import io.accordiondb.internal.storage.FaultyStorage.InjectedFault;
import io.accordiondb.internal.storage.FaultyStorage.Operation;
import io.accordiondb.internal.storage.MemoryStorage;
import io.accordiondb.internal.storage.ObservedStorage;
import io.accordiondb.internal.storage.Storage;
import io.accordiondb.internal.wal.LogReplay;
import io.accordiondb.internal.wal.TestLogRegister;
import io.accordiondb.internal.wal.WriteAheadLog;
import io.accordiondb.statistics.OperationKind;
import io.accordiondb.statistics.OperationStatistics;
import java.io.IOException;
import java.lang.Thread.State;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Set;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Commits, and what becomes of them when the log fails. */
class CommitPipelineTest {
  private final MemoryStorage disk = new MemoryStorage();
  private final FaultyStorage storage = new FaultyStorage(disk);
  private final Visibility visibility = new Visibility();
  private final FailureState failure = new FailureState(() -> null);
  private final Store store = TestStores.store(1, 1);
  private final Operations operations = Telemetry.silent().operations();
  private CommitPipeline pipeline = newPipeline(storage);

  private CommitPipeline newPipeline(Storage folder) {
    try {
      folder.createDirectories(WriteAheadLog.DIRECTORY);
      folder.syncDirectory("");
      WriteAheadLog log =
          new WriteAheadLog(
              folder,
              new TestLogRegister(new AtomicLong()::incrementAndGet),
              1 << 20,
              LogWriting.PLAIN,
              ByteBuffer::allocateDirect,
              List.of(),
              0);
      return new CommitPipeline(log, visibility, failure, 0, operations);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @BeforeEach
  void commitOne() throws IOException {
    pipeline.commit(TestStores.batch("first", store), Durability.FSYNC);
    assertThat(visibility.visible()).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource(
      value = Operation.class,
      names = {"APPEND", "SYNC"})
  void aWriteThatCouldNotBeLoggedIsRefusedAndSoAreAllLaterOnes(Operation operation)
      throws IOException {
    storage.failOnce(Set.of(operation), 1);
    Batch batch = TestStores.batch("second", store);
    assertThatThrownBy(() -> pipeline.commit(batch, Durability.FSYNC))
        .isInstanceOf(DatabaseFailedException.class)
        .hasCauseInstanceOf(InjectedFault.class);
    for (Durability durability : Durability.values()) {
      assertThatThrownBy(() -> pipeline.commit(TestStores.batch("third", store), durability))
          .isInstanceOf(DatabaseFailedException.class)
          .hasCauseInstanceOf(InjectedFault.class);
    }
    assertThat(visibility.visible()).isEqualTo(1);
    assertThat(store.memStore().statistics().cells()).isEqualTo(1);
    pipeline.flushLog();
    assertThatThrownBy(pipeline::syncLog).isInstanceOf(DatabaseFailedException.class);
    assertThat(recordsOf(disk)).isLessThanOrEqualTo(2);
  }

  @Test
  void aFailureOfTheLogInTheBackgroundRefusesLaterWrites() throws IOException {
    pipeline.commit(TestStores.batch("second", store), Durability.ASYNC);
    storage.failOnce(Set.of(Operation.APPEND), 1);
    assertThatThrownBy(pipeline::flushLog).isInstanceOf(WritesSuspendedException.class);
    assertThat(failure.isSuspended()).isTrue();
    assertThatThrownBy(() -> pipeline.commit(TestStores.batch("x", store), Durability.SKIP))
        .isInstanceOf(WritesSuspendedException.class);
    pipeline.resume();
    pipeline.commit(TestStores.batch("y", store), Durability.SYNC);
    assertThat(recordsOf(disk)).isEqualTo(3);
  }

  @Test
  void aConditionalWriteOfARowWhoseWriteWasRefusedSucceedsOnceWritesGoOn() throws IOException {
    storage.failOnce(Set.of(Operation.APPEND), 1);
    assertThatThrownBy(() -> pipeline.commit(TestStores.batch("row", store), Durability.SYNC))
        .isInstanceOf(WritesSuspendedException.class);
    pipeline.resume();
    long now = visibility.visible();
    assertThat(pipeline.commitIf(TestStores.batch("row", store), Durability.SYNC, now)).isTrue();
    assertThat(store.memStore().statistics().cells()).isEqualTo(2);
  }

  @Test
  void aWaitForTheLogIsTimedOnlyIfItIsCounted() throws IOException {
    long before = visibility.visible();
    pipeline.commit(TestStores.batch("row", store), Durability.SYNC);
    long begun = operations.beginTimed(operations.tally());
    assertThat(begun).isNotEqualTo(Operations.NOT_TIMED);
    assertThat(pipeline.commitIf(TestStores.batch("row", store), Durability.SYNC, before))
        .isFalse();
    assertThat(waits().latency().count()).isZero();
    pipeline.commit(TestStores.batch("row", store), Durability.SYNC);
    assertThat(waits().latency().count()).isOne();
    assertThat(waits().count()).isEqualTo(3);
  }

  private OperationStatistics.Operation waits() {
    return operations.statistics().of(OperationKind.COMMIT_WAIT);
  }

  @Test
  void durabilitySaysWhatSurvives() throws IOException {
    pipeline.commit(TestStores.batch("skipped", store), Durability.SKIP);
    pipeline.commit(TestStores.batch("waiting", store), Durability.ASYNC);
    // One of them is the note that reserves the number of the write that is not logged.
    assertThat(recordsOf(disk.copy())).isEqualTo(2);
    pipeline.commit(TestStores.batch("written", store), Durability.SYNC);
    assertThat(recordsOf(disk.copy())).isEqualTo(4);
    pipeline.commit(TestStores.batch("waiting", store), Durability.ASYNC);
    pipeline.syncLog();
    assertThat(recordsOf(disk.crash(LOSES_ALL))).isEqualTo(5);
    assertThat(visibility.visible()).isEqualTo(6);
    assertThat(operations.cellsCommitted()).isEqualTo(5);
  }

  @Test
  void aConditionalWriteIsRefusedIfItsRowWasWrittenMeanwhile() throws IOException {
    long readPoint = visibility.visible();
    assertThat(pipeline.commitIf(TestStores.batch("row", store), Durability.SYNC, readPoint))
        .isTrue();
    assertThat(pipeline.commitIf(TestStores.batch("row", store), Durability.SYNC, readPoint))
        .isFalse();
    assertThat(visibility.visible()).isEqualTo(2);
    assertThat(recordsOf(disk.copy())).isEqualTo(2);
    long later = visibility.visible();
    assertThat(pipeline.commitIf(TestStores.batch("row", store), Durability.SYNC, later)).isTrue();
  }

  @Test
  void aConditionalWriteIsRefusedIfItsRowWasDeletedWithARangeMeanwhile() throws IOException {
    long readPoint = visibility.visible();
    deleteRange("a", "m");
    deleteRange("n", "");
    assertThat(isWritten("m", readPoint)).isTrue();
    assertThat(isWritten("lz", readPoint)).isFalse();
    assertThat(isWritten("a", readPoint)).isFalse();
    assertThat(isWritten("n", readPoint)).isFalse();
    assertThat(isWritten("z", readPoint)).isFalse();
    assertThat(isWritten("z", visibility.visible())).isTrue();
  }

  /** The rows of the file are not known. */
  @Test
  void aConditionalWriteIsRefusedIfAFileWasIngestedMeanwhile() throws IOException {
    long readPoint = visibility.visible();
    pipeline.ingest(1, sequence -> {});
    assertThat(isWritten("row", readPoint)).isFalse();
    assertThat(isWritten("row", visibility.visible())).isTrue();
  }

  @Test
  void aRangeCountsAlsoIfManyOthersWereDeletedSince() throws IOException {
    long readPoint = visibility.visible();
    deleteRange("row", "s");
    long later = visibility.visible();
    for (int i = 0; i < 1000; i++) {
      deleteRange("x" + i, "x" + i + "0");
      assertThat(isWritten("row", readPoint)).as("after %s others", i + 1).isFalse();
    }
    // It is not known any more which those were.
    assertThat(isWritten("row", later)).isFalse();
    assertThat(isWritten("row", visibility.visible())).isTrue();
  }

  private void deleteRange(String from, String to) throws IOException {
    BatchBuilder batch = new BatchBuilder(16, 1 << 20);
    batch.add(
        store,
        from.getBytes(US_ASCII),
        new byte[0],
        0,
        CellType.DELETE_RANGE,
        to.getBytes(US_ASCII),
        CellTags.NONE);
    pipeline.commit(batch.build(Compression.NONE), Durability.SKIP);
  }

  private boolean isWritten(String row, long readPoint) throws IOException {
    return pipeline.commitIf(TestStores.batch(row, store), Durability.SKIP, readPoint);
  }

  @Test
  void aConditionNamesRowsThatWereOnlyRead() throws IOException {
    long readPoint = visibility.visible();
    int[] read = {Batch.hashOf("read".getBytes(US_ASCII))};
    CommitCondition condition = new CommitCondition(readPoint, read, false, List.of());
    assertThat(pipeline.commitIf(TestStores.batch("a", store), Durability.SYNC, condition))
        .isTrue();
    pipeline.commit(TestStores.batch("read", store), Durability.SYNC);
    assertThat(pipeline.commitIf(TestStores.batch("b", store), Durability.SYNC, condition))
        .isFalse();
    assertThat(visibility.visible()).isEqualTo(3);
  }

  @Test
  void aConditionMayDemandThatNothingWasWritten() throws IOException {
    CommitCondition condition =
        new CommitCondition(visibility.visible(), new int[0], true, List.of());
    assertThat(pipeline.commitIf(TestStores.batch("a", store), Durability.SYNC, condition))
        .isTrue();
    assertThat(pipeline.commitIf(TestStores.batch("b", store), Durability.SYNC, condition))
        .isFalse();
  }

  @Test
  void aConditionNamesStoresThatMustBeOpen() {
    Store read = TestStores.store(2, 1);
    read.markClosed();
    CommitCondition condition =
        new CommitCondition(visibility.visible(), new int[0], false, List.of(read));
    assertThatThrownBy(
            () -> pipeline.commitIf(TestStores.batch("a", store), Durability.SYNC, condition))
        .isInstanceOf(StoreClosedException.class);
    assertThat(visibility.visible()).isEqualTo(1);
  }

  @Test
  void anExclusiveCommitIsWrittenUnlessItsCheckThrows() throws IOException {
    pipeline.commitExclusively(TestStores.batch("a", store), Durability.SYNC, () -> {});
    assertThat(visibility.visible()).isEqualTo(2);
    assertThatThrownBy(
            () ->
                pipeline.commitExclusively(
                    TestStores.batch("b", store),
                    Durability.SYNC,
                    () -> {
                      throw new IOException("of the check");
                    }))
        .hasMessage("of the check");
    pipeline.commit(TestStores.batch("c", store), Durability.SYNC);
    assertThat(visibility.visible()).isEqualTo(3);
    assertThat(recordsOf(disk.copy())).isEqualTo(3);
  }

  @Test
  void nothingIsWrittenToAStoreThatIsClosedNorByAPipelineThatIs() {
    Store dropped = TestStores.store(2, 1);
    dropped.markClosed();
    Batch both = TestStores.batch("row", store, dropped);
    assertThatThrownBy(() -> pipeline.commit(both, Durability.SYNC))
        .isInstanceOf(StoreClosedException.class);
    pipeline.close();
    Batch batch = TestStores.batch("row", store);
    assertThatThrownBy(() -> pipeline.commit(batch, Durability.SYNC))
        .isInstanceOf(StoreClosedException.class);
    assertThat(failure.isFailed()).isFalse();
    assertThat(visibility.visible()).isEqualTo(1);
  }

  @Test
  void aWriteBesideTheLogThatNobodyWillSeeIsReported() {
    // A write before it is under way, and fails.
    visibility.begin(2);
    assertThatThrownBy(
            () ->
                pipeline.ingest(
                    1,
                    sequence -> {
                      failure.fail(new IOException("memory"));
                      visibility.abandon();
                    }))
        .isInstanceOf(DatabaseFailedException.class)
        .hasRootCauseMessage("memory");
    assertThat(visibility.visible()).isEqualTo(1);
  }

  /** A change of a table may note something in the log while another thread closes the database. */
  @Test
  void workBesideTheClosingOfTheLogIsRefused() throws Exception {
    AtomicReference<Runnable> atNextChange = new AtomicReference<>(() -> {});
    CommitPipeline closing =
        newPipeline(
            new ObservedStorage(new MemoryStorage(), () -> atNextChange.getAndSet(() -> {}).run()));
    closing.commit(TestStores.batch("first", store), Durability.ASYNC);
    FutureTask<Long> beside = new FutureTask<>(closing::skipSequence);
    Thread thread = new Thread(beside);
    atNextChange.set(
        () -> {
          thread.start();
          await("the work beside", () -> beside.isDone() || thread.getState() == State.WAITING);
        });
    closing.closeLog();
    assertThatThrownBy(beside::get).hasCauseInstanceOf(StoreClosedException.class);
    assertThatThrownBy(closing::syncLog).isInstanceOf(StoreClosedException.class);
    assertThatThrownBy(closing::resume).isInstanceOf(StoreClosedException.class);
    assertThatThrownBy(() -> closing.sealLog(() -> null)).isInstanceOf(StoreClosedException.class);
    closing.flushLogLink();
    assertThat(failure.isFailed()).isFalse();
  }

  private static long recordsOf(MemoryStorage storage) throws IOException {
    LogReplay replay = new LogReplay(storage, RecoveryMode.TOLERATE_TORN_TAIL);
    replay.replay((payload, firstSequence, count, source) -> {});
    return replay.records();
  }
}
