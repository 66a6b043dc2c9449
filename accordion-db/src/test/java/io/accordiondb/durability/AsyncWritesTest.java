// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.durability;

import static io.accordiondb.fixtures.TestData.bytes;
import static io.accordiondb.internal.storage.MemoryStorage.LOSES_ALL;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.accordiondb.Database;
import io.accordiondb.DatabaseClosedException;
import io.accordiondb.DatabaseFailedException;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.Delete;
import io.accordiondb.Durability;
import io.accordiondb.FamilyNotFoundException;
import io.accordiondb.KeyValueStore;
import io.accordiondb.LogWriting;
import io.accordiondb.OwnThreads;
import io.accordiondb.Put;
import io.accordiondb.ReadOnlyDatabaseException;
import io.accordiondb.Stages;
import io.accordiondb.TableNotFoundException;
import io.accordiondb.ValueTooLargeException;
import io.accordiondb.WriteBatch;
import io.accordiondb.fixtures.Await;
import io.accordiondb.internal.engine.DatabaseEngine;
import io.accordiondb.internal.storage.MemoryStorage;
import io.accordiondb.internal.storage.Storage;
import io.accordiondb.statistics.OperationKind;
import io.accordiondb.statistics.OperationStatistics.Operation;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Asynchronous writes: what the call promises, what the stage promises, and what a fault does. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class AsyncWritesTest {
  private static final int VALUE_BYTES = 100 << 10;
  private static final int MEMORY_BYTES = 16 << 20;

  private final MemoryStorage disk = new MemoryStorage();
  private final AtomicInteger syncs = new AtomicInteger();
  private volatile CountDownLatch device = new CountDownLatch(0);
  private volatile boolean deviceFails;
  private Database database = open(disk, options().build());
  private KeyValueStore store = storeOf(database);

  private static DatabaseOptions.Builder options() {
    return DatabaseOptions.builder().memoryBytes(MEMORY_BYTES).logWriting(LogWriting.PLAIN);
  }

  private Database open(MemoryStorage on, DatabaseOptions options) {
    try {
      return DatabaseEngine.open(waiting(on), options);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static KeyValueStore storeOf(Database database) {
    try {
      return database.keyValueStore("s");
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** Returns a storage whose log waits for the device at each sync, and fails on demand. */
  private Storage waiting(MemoryStorage on) {
    return DefectiveStorage.with(
            (operation, name, original) -> {
              if (operation.equals("sync") && name.startsWith("wal/")) {
                syncs.incrementAndGet();
                awaitDevice();
                if (deviceFails) {
                  throw new IOException("the device has failed");
                }
              }
              return original.run();
            })
        .apply(on);
  }

  private void awaitDevice() {
    try {
      device.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @BeforeEach
  void begin() {
    syncs.set(0);
  }

  @AfterEach
  void closeDatabase() throws IOException {
    device.countDown();
    if (!deviceFails) {
      database.close();
    }
  }

  private WriteBatch put(String key, String value) {
    return new WriteBatch().put(store, bytes(key), bytes(value));
  }

  private CompletableFuture<?> submit(String key, String value, Durability durability)
      throws IOException {
    return database.writeAsync(put(key, value), durability).toCompletableFuture();
  }

  @ParameterizedTest
  @EnumSource
  void aWriteIsVisibleWhenItsStageCompletes(Durability durability) throws IOException {
    Stages.await(submit("k", "v", durability));
    assertThat(store.get(bytes("k"))).isEqualTo(bytes("v"));
    Stages.await(database.writeAsync(put("k", "w")));
    assertThat(store.get(bytes("k"))).isEqualTo(bytes("w"));
  }

  @Test
  void theCallDoesNotWaitForTheDeviceAndOneSyncServesMany() throws IOException {
    device = new CountDownLatch(1);
    List<CompletableFuture<?>> stages = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      stages.add(submit("k" + i, "v", Durability.FSYNC));
    }
    assertThat(stages).noneMatch(CompletableFuture::isDone);
    assertThat(store.get(bytes("k0"))).isNull();
    device.countDown();
    for (CompletableFuture<?> stage : stages) {
      Stages.await(stage);
    }
    assertThat(syncs.get()).isLessThan(10);
  }

  @Test
  void aWriteIsCountedAndTimedWhenItsStageCompletes() throws IOException {
    device = new CountDownLatch(1);
    CompletableFuture<?> stage = submit("k", "v", Durability.FSYNC);
    long submitted = System.nanoTime();
    assertThat(fsyncs().count()).isZero();
    LockSupport.parkNanos(2_000_000);
    long nanos = System.nanoTime() - submitted;
    device.countDown();
    Stages.await(stage);
    assertThat(fsyncs().count()).isOne();
    assertThat(fsyncs().latency().maxNanos()).isGreaterThan(nanos);
  }

  private Operation fsyncs() throws IOException {
    return database.statistics().operations().of(OperationKind.WRITE_FSYNC);
  }

  @Test
  void whatHasCompletedSurvivesALossOfPower() throws IOException {
    submit("k", "v", Durability.ASYNC);
    Stages.await(submit("l", "w", Durability.FSYNC));
    MemoryStorage left = disk.crash(LOSES_ALL);
    try (Database after = DatabaseEngine.open(left, options().build())) {
      assertThat(storeOf(after).get(bytes("k"))).isEqualTo(bytes("v"));
      assertThat(storeOf(after).get(bytes("l"))).isEqualTo(bytes("w"));
    }
  }

  @Test
  void writesOfOneThreadBecomeVisibleInOrder() throws IOException {
    CompletableFuture<?> last = CompletableFuture.completedFuture(null);
    List<CompletableFuture<?>> checks = new ArrayList<>();
    for (int i = 0; i < 5_000; i++) {
      WriteBatch batch = put("a", "" + i);
      last = database.writeAsync(batch, Durability.SKIP).toCompletableFuture();
      int number = i;
      checks.add(last.thenRun(() -> assertThat(valueOf("a")).isGreaterThanOrEqualTo(number)));
      // The batch was copied.
      batch.clear();
    }
    for (CompletableFuture<?> check : checks) {
      Stages.await(check);
    }
    assertThat(valueOf("a")).isEqualTo(4_999);
  }

  private int valueOf(String key) {
    try {
      byte[] value = store.get(bytes(key));
      return value == null ? -1 : Integer.parseInt(new String(value, US_ASCII));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aDeletionThatMustLookComesAfterWhatWasSubmitted() throws IOException {
    submit("k", "v", Durability.FSYNC);
    Delete newest = new Delete(bytes("k")).addColumn(bytes(KeyValueStore.FAMILY), new byte[0]);
    assertThat(database.writeAsync(new WriteBatch().delete("s", newest)).toCompletableFuture())
        .isCompleted();
    assertThat(store.get(bytes("k"))).isNull();
  }

  @Test
  void anEmptyBatchIsCompleteAtOnce() throws IOException {
    assertThat(database.writeAsync(new WriteBatch()).toCompletableFuture()).isCompleted();
  }

  @Test
  void badInputIsReportedByTheCall() {
    Put put = new Put(bytes("r")).addColumn(bytes("x"), bytes("q"), bytes("v"));
    assertThatThrownBy(() -> database.writeAsync(new WriteBatch().put("none", put)))
        .isInstanceOf(TableNotFoundException.class);
    assertThatThrownBy(() -> database.writeAsync(new WriteBatch().put("s", put)))
        .isInstanceOf(FamilyNotFoundException.class);
    WriteBatch large = new WriteBatch().put(store, bytes("k"), new byte[11 << 20]);
    assertThatThrownBy(() -> database.writeAsync(large)).isInstanceOf(ValueTooLargeException.class);
    assertThatThrownBy(() -> database.writeAsync(put("k", "v"), null))
        .isInstanceOf(NullPointerException.class);
  }

  @Test
  void aReadOnlyDatabaseRefusesTheCall() throws IOException {
    database.close();
    try (Database readOnly = open(disk, options().readOnly(true).build())) {
      assertThatThrownBy(() -> readOnly.writeAsync(put("k", "v")))
          .isInstanceOf(ReadOnlyDatabaseException.class);
    }
  }

  @Test
  void aFailureOfTheLogFailsAllInFlightAndNothingThatHasCompleted() throws IOException {
    Stages.await(submit("kept", "v", Durability.FSYNC));
    device = new CountDownLatch(1);
    List<CompletableFuture<?>> stages = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      stages.add(submit("k" + i, "v", Durability.FSYNC));
    }
    deviceFails = true;
    device.countDown();
    for (CompletableFuture<?> stage : stages) {
      assertThatThrownBy(() -> Stages.await(stage))
          .isInstanceOf(DatabaseFailedException.class)
          .hasRootCauseMessage("the device has failed");
    }
    assertThatThrownBy(() -> submit("later", "v", Durability.SKIP))
        .isInstanceOf(DatabaseFailedException.class);
    assertThatThrownBy(database::close).isInstanceOf(DatabaseFailedException.class);
    deviceFails = false;
    database = open(disk.crash(LOSES_ALL), options().build());
    assertThat(storeOf(database).get(bytes("kept"))).isEqualTo(bytes("v"));
  }

  @Test
  void beyondTheBytesInFlightTheCallWaits() throws Exception {
    int bytesMax = MEMORY_BYTES / 16;
    device = new CountDownLatch(1);
    AtomicInteger submitted = new AtomicInteger();
    CompletableFuture<Void> writer =
        CompletableFuture.runAsync(
            () -> {
              try {
                for (int i = 0; i < 40; i++) {
                  WriteBatch batch =
                      new WriteBatch().put(store, bytes("k" + i), new byte[VALUE_BYTES]);
                  database.writeAsync(batch, Durability.FSYNC);
                  submitted.incrementAndGet();
                }
              } catch (IOException e) {
                throw new AssertionError(e);
              }
            });
    int most = bytesMax / VALUE_BYTES;
    Await.await("the writes that fit", () -> submitted.get() >= most);
    // Long enough for one more, if one more could get in.
    LockSupport.parkNanos(50_000_000);
    assertThat(submitted.get()).isEqualTo(most);
    device.countDown();
    writer.get(1, TimeUnit.MINUTES);
  }

  @Test
  void aBatchLargerThanTheBoundIsLetInAlone() throws IOException {
    byte[] large = new byte[MEMORY_BYTES / 8];
    for (int i = 0; i < 3; i++) {
      database.writeAsync(new WriteBatch().put(store, bytes("k" + i), large), Durability.SYNC);
    }
    Stages.await(submit("last", "v", Durability.SYNC));
    assertThat(store.get(bytes("k2"))).isEqualTo(large);
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aSlowDependentDoesNotHoldUpCommits() throws IOException {
    CountDownLatch dependent = new CountDownLatch(1);
    Thread caller = Thread.currentThread();
    AtomicBoolean ranHere = new AtomicBoolean();
    CompletableFuture<?> slow;
    do {
      ranHere.set(false);
      slow =
          submit("a", "1", Durability.FSYNC)
              .thenRun(
                  () -> {
                    // If the write was done before this was asked for, it runs on this thread.
                    ranHere.set(Thread.currentThread() == caller);
                    if (!ranHere.get()) {
                      await(dependent);
                    }
                  });
    } while (ranHere.get());
    submit("b", "2", Durability.FSYNC);
    Await.await("the second write", () -> valueOf("b") > 0);
    store.put(bytes("c"), bytes("3"), Durability.FSYNC);
    dependent.countDown();
    Stages.await(slow);
  }

  @Test
  void whatDependsOnAWriteMayWriteBeyondTheBound() throws IOException {
    CompletableFuture<?> chain =
        submit("k", "v", Durability.SYNC)
            .thenCompose(
                done -> {
                  CompletableFuture<?> last = CompletableFuture.completedFuture(null);
                  for (int i = 0; i < 30; i++) {
                    last = submitLarge(i);
                  }
                  return last;
                });
    Stages.await(chain);
    assertThat(store.get(bytes("large29"))).hasSize(VALUE_BYTES);
  }

  private CompletableFuture<?> submitLarge(int number) {
    try {
      WriteBatch batch =
          new WriteBatch().put(store, bytes("large" + number), new byte[VALUE_BYTES]);
      return database.writeAsync(batch, Durability.SYNC).toCompletableFuture();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void closingCompletesWhatWasSubmitted(boolean fromDependent) throws Exception {
    device = new CountDownLatch(1);
    List<CompletableFuture<?>> stages = new ArrayList<>();
    OwnThreads own = new OwnThreads();
    own.run(
        () -> {
          for (int i = 0; i < 50; i++) {
            stages.add(submit("k" + i, "v", Durability.FSYNC));
          }
        });
    assertThat(own.ofDatabases("commit", "completion")).hasSize(2);
    CompletableFuture<Void> closing =
        fromDependent
            ? stages.get(0).thenRun(this::closeNow).toCompletableFuture()
            : CompletableFuture.runAsync(this::closeNow);
    device.countDown();
    closing.get(1, TimeUnit.MINUTES);
    for (CompletableFuture<?> stage : stages) {
      assertThat(fromDependent || stage.isDone()).isTrue();
      Stages.await(stage);
    }
    assertThatThrownBy(() -> submit("later", "v", Durability.SKIP))
        .isInstanceOf(DatabaseClosedException.class);
    database = open(disk, options().build());
    assertThat(storeOf(database).get(bytes("k49"))).isEqualTo(bytes("v"));
    // A thread that closes the database ends a moment after that.
    assertThat(own.ofDatabasesAfter(Duration.ofMinutes(1))).isEmpty();
  }

  /** System.exit in an action waits for shutdown hooks, one of which may close the database. */
  @Test
  void anActionThatWaitsForTheEndOfClosingDoesNotKeepItFromEnding() throws Exception {
    MemoryStorage its = new MemoryStorage();
    Database closing = open(its, options().build());
    WriteBatch batch = new WriteBatch().put(storeOf(closing), bytes("k"), bytes("v"));
    device = new CountDownLatch(1);
    CompletableFuture<?> exiting =
        closing
            .writeAsync(batch, Durability.FSYNC)
            .thenRun(() -> CompletableFuture.runAsync(() -> closeNow(closing)).join())
            .toCompletableFuture();
    CompletableFuture<?> behind = closing.writeAsync(batch, Durability.FSYNC).toCompletableFuture();
    device.countDown();
    exiting.get(1, TimeUnit.MINUTES);
    behind.get(1, TimeUnit.MINUTES);
    try (Database again = open(its, options().build())) {
      assertThat(storeOf(again).get(bytes("k"))).isEqualTo(bytes("v"));
    }
  }

  @Test
  void closingWaitsForManyActionsThatTogetherTakeLong() throws Exception {
    device = new CountDownLatch(1);
    AtomicInteger ran = new AtomicInteger();
    for (int i = 0; i < 4; i++) {
      submit("k" + i, "v", Durability.FSYNC)
          .thenRun(
              () -> {
                LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(4));
                ran.incrementAndGet();
              });
    }
    device.countDown();
    database.close();
    assertThat(ran).hasValue(4);
    database = open(disk, options().build());
  }

  /** Closing gives the action up; what waits for its end must not wait on. */
  @Test
  void aCallThatWaitsForBytesInFlightEndsWithTheDatabase() throws Exception {
    CountDownLatch action = new CountDownLatch(1);
    device = new CountDownLatch(1);
    CompletableFuture<?> slow = submit("k", "v", Durability.FSYNC).thenRun(() -> await(action));
    AtomicInteger submitted = new AtomicInteger();
    WriteBatch large = new WriteBatch().put(store, bytes("l"), new byte[VALUE_BYTES]);
    CompletableFuture<Void> writer =
        CompletableFuture.runAsync(
            () -> {
              try {
                while (true) {
                  database.writeAsync(large, Durability.SYNC);
                  submitted.incrementAndGet();
                }
              } catch (IOException e) {
                throw new AssertionError(e);
              }
            });
    device.countDown();
    int most = MEMORY_BYTES / 16 / VALUE_BYTES;
    Await.await("the writes that fit", () -> submitted.get() >= most - 1);
    // Long enough for the last one, behind which the call waits.
    LockSupport.parkNanos(50_000_000);
    database.close();
    assertThat(slow).isNotDone();
    assertThatThrownBy(() -> writer.get(10, TimeUnit.SECONDS))
        .hasCauseInstanceOf(DatabaseClosedException.class);
    action.countDown();
    slow.get(1, TimeUnit.MINUTES);
    database = open(disk, options().build());
  }

  /** The last note of a log that is kept begins a new log file, and that fails with an error. */
  @Test
  void closingEndsTheThreadsEvenIfTheLastNoteCannotBeWritten() throws Exception {
    AtomicBoolean failed = new AtomicBoolean();
    // Seldom, the new file is prepared before all others fail.
    for (int i = 0; i < 50 && !failed.get(); i++) {
      OwnThreads own = new OwnThreads();
      own.run(() -> failed.set(failsToClose()));
      assertThat(own.ofDatabasesAfter(Duration.ofMinutes(1))).isEmpty();
    }
    assertThat(failed).isTrue();
  }

  private boolean failsToClose() throws IOException {
    AtomicBoolean fails = new AtomicBoolean();
    Storage failing =
        DefectiveStorage.with(
                (operation, name, original) -> {
                  if (operation.equals("create") && name.startsWith("wal/") && fails.get()) {
                    throw new InternalError("no new log file");
                  }
                  return original.run();
                })
            .apply(new MemoryStorage());
    DatabaseOptions kept =
        options().logRetention(Duration.ofDays(1)).logFileBytes(VALUE_BYTES).build();
    Database closing = DatabaseEngine.open(failing, kept);
    WriteBatch batch =
        new WriteBatch().put(closing.keyValueStore("s"), bytes("k"), new byte[VALUE_BYTES]);
    Stages.await(closing.writeAsync(batch, Durability.ASYNC).toCompletableFuture());
    fails.set(true);
    try {
      closing.close();
      return false;
    } catch (IOException | InternalError e) {
      return true;
    }
  }

  private void closeNow() {
    closeNow(database);
  }

  private static void closeNow(Database closing) {
    try {
      closing.close();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aDatabaseThatDoesNotUseThemHasNoThreadsForThem() throws Exception {
    OwnThreads own = new OwnThreads();
    own.run(() -> store.put(bytes("k"), bytes("v")));
    assertThat(own.ofDatabases("commit", "completion")).isEmpty();
    own.run(() -> Stages.await(submit("k", "w", Durability.ASYNC)));
    assertThat(own.ofDatabases("commit", "completion")).hasSize(2);
  }

  @Test
  void manyThreadsLoseNothingAndKeepTheirOrderWhileRegionsChange() throws Exception {
    List<CompletableFuture<Void>> writers = new ArrayList<>();
    List<Thread> threads = new ArrayList<>();
    for (int w = 0; w < 4; w++) {
      String key = "w" + w;
      CompletableFuture<Void> done = new CompletableFuture<>();
      Thread thread = new Thread(() -> completeWith(done, key));
      thread.start();
      threads.add(thread);
      writers.add(done);
    }
    for (int i = 0; i < 20; i++) {
      database.splitRegion("s", bytes("w2"));
      database.flush();
      database.mergeRegions("s", bytes("w1"));
    }
    for (CompletableFuture<Void> writer : writers) {
      writer.get(1, TimeUnit.MINUTES);
    }
    for (int w = 0; w < 4; w++) {
      assertThat(valueOf("w" + w)).isEqualTo(2_999);
    }
  }

  private void completeWith(CompletableFuture<Void> done, String key) {
    try {
      for (int i = 0; i < 3_000; i++) {
        CompletableFuture<?> stage = submit(key, "" + i, Durability.ASYNC);
        if (i % 100 == 99) {
          Stages.await(stage);
          assertThat(valueOf(key)).isEqualTo(i);
        }
      }
      done.complete(null);
    } catch (IOException | RuntimeException | Error e) {
      done.completeExceptionally(e);
    }
  }
}
