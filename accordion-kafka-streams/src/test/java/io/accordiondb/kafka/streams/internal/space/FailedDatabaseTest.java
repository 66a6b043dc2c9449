// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.kafka.streams.internal.space;

import static io.accordiondb.fixtures.Await.await;
import static io.accordiondb.fixtures.TestFiles.filesBelow;
import static io.accordiondb.fixtures.TestFiles.flip;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.accordiondb.DatabaseFailedException;
import io.accordiondb.WriteStalledException;
import io.accordiondb.WritesSuspendedException;
import io.accordiondb.kafka.streams.AccordionStores;
import io.accordiondb.kafka.streams.StoreContexts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.errors.InvalidStateStoreException;
import org.apache.kafka.streams.errors.ProcessorStateException;
import org.apache.kafka.streams.errors.TaskCorruptedException;
import org.apache.kafka.streams.errors.TaskMigratedException;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.internals.RunningStreamThread;
import org.apache.kafka.streams.processor.internals.Task.TaskType;
import org.apache.kafka.streams.state.WindowStore;
import org.apache.kafka.streams.state.WindowStoreIterator;
import org.apache.kafka.test.InternalMockProcessorContext;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of the stores of several tasks when their database fails or is damaged. */
class FailedDatabaseTest {
  private static final byte[] KEY = {1};
  private static final int ROWS = 1_000;

  @TempDir Path folder;

  @Test
  void databaseThatHasFailedIsOpenedAgainWhileOtherTasksHoldIt() throws IOException {
    TaskStore idle = open("0_0");
    TaskStore writing = open("0_1");
    TaskStore failing = open("0_2");
    TaskStore expiring = open("0_3");
    for (TaskStore store : List.of(idle, writing, failing, expiring)) {
      store.put(store.segment(1), KEY, new byte[] {1});
      store.flush();
    }
    writing.put(writing.segment(1), KEY, new byte[] {2});
    failing.put(failing.main(), KEY, new byte[] {2});
    failDatabase(failing);
    assertThatThrownBy(() -> failing.put(failing.main(), KEY, KEY))
        .isInstanceOf(ProcessorStateException.class);
    assertThatThrownBy(failing::flush).isInstanceOf(ProcessorStateException.class);
    failing.close();

    TaskStore again = open("0_2");
    expiring.dropSegmentsBelow(2);
    assertThat(expiring.segments()).isEmpty();
    expiring.close();
    assertThat(again.get(again.segment(1), KEY)).containsExactly(1);
    again.put(again.main(), KEY, new byte[] {3});
    again.flush();
    assertThat(idle.get(idle.segment(1), KEY)).containsExactly(1);
    idle.put(idle.main(), KEY, new byte[] {3});
    idle.flush();
    // Nobody may take the older value for the last one, or write a checkpoint. A handler of the
    // application that skips records must not see it.
    List<ThrowingCallable> calls =
        List.of(
            () -> writing.get(writing.segment(1), KEY),
            () -> writing.put(writing.segment(1), KEY, KEY),
            () -> writing.iterator(writing.main().range(null, null), true),
            () -> writing.segment(2),
            writing::batch,
            writing::flush);
    assertThat(calls)
        .allSatisfy(
            call -> {
              assertThat(failureOfTask(call)).isInstanceOf(TaskCorruptedException.class);
              // What a query gets, or the thread that restores.
              assertThatThrownBy(call)
                  .isInstanceOf(InvalidStateStoreException.class)
                  .hasMessageContaining("lost writes");
            });
    writing.close();
    TaskStore reopened = open("0_1");
    assertThat(reopened.get(reopened.segment(1), KEY)).containsExactly(1);
    reopened.close();
    again.close();
    idle.close();
  }

  /** A handler that skips records would lose them, and Kafka Streams would commit their offsets. */
  @Test
  void refusedWriteCannotBeSkipped() throws Exception {
    TaskStore store = open("0_0");
    store.segment(1);
    SpaceBatch batch = store.batch();
    batch.put(store.main(), KEY, KEY);
    failDatabase(store);
    List<ThrowingCallable> calls =
        List.of(
            () -> store.put(store.main(), KEY, KEY),
            batch::commit,
            () -> store.segment(2),
            () -> store.dropSegmentsBelow(2),
            store::flush,
            () -> refuse(store, new WritesSuspendedException(null)),
            () -> refuse(store, new WriteStalledException("stalled")));
    assertThat(calls)
        .allSatisfy(
            call -> {
              assertThat(failureOfTask(call)).isInstanceOf(TaskCorruptedException.class);
              assertThatThrownBy(call).isInstanceOf(ProcessorStateException.class);
            });
    TaskStore again = open("0_1");
    store.close();
    again.close();
  }

  private static void refuse(TaskStore store, IOException refusal) {
    throw store.failed("writing", refusal);
  }

  /** A join that took the rest of the windows for missing would lose results without an error. */
  @Test
  void iteratorOfWindowsDoesNotEndEarlyWhenTheDatabaseIsOpenedAgain() throws Exception {
    WindowStore<Bytes, byte[]> windows =
        AccordionStores.windowStore("windows", Duration.ofHours(1), Duration.ofMinutes(1), false)
            .get();
    windows.init(StoreContexts.of(home().resolve("0_0")), windows);
    for (int i = 0; i < 10; i++) {
      windows.put(Bytes.wrap(KEY), KEY, i * 60_000L);
    }
    windows.flush();
    TaskStore failing = open("0_1");
    try (WindowStoreIterator<byte[]> found = windows.fetch(Bytes.wrap(KEY), 0, 3_600_000)) {
      found.next();
      failDatabase(failing);
      failing.close();
      open("0_1").close();
      assertThat(windows.isOpen()).isTrue();
      assertThatThrownBy(found::hasNext).isInstanceOf(ProcessorStateException.class);
      assertThat(failureOfTask(found::hasNext)).isInstanceOf(TaskCorruptedException.class);
    }
    try (WindowStoreIterator<byte[]> found = windows.fetch(Bytes.wrap(KEY), 0, 3_600_000)) {
      assertThat(found).toIterable().hasSize(10);
    }
    windows.close();
  }

  @Test
  void whatWasLostStaysLostWhenTheDatabaseFailsTwice() throws IOException {
    TaskStore writing = open("0_0");
    writing.put(writing.main(), KEY, new byte[] {1});
    for (int i = 1; i <= 2; i++) {
      TaskStore other = open("0_" + i);
      failDatabase(other);
      other.close();
      TaskStore again = open("0_" + i);
      again.put(again.main(), KEY, new byte[] {1});
      again.flush();
      again.close();
    }
    assertThatThrownBy(writing::flush).isInstanceOf(InvalidStateStoreException.class);
    writing.close();
  }

  /** A corrupted task would lose records exactly once, unless it has received none. */
  @Test
  void lossIsReportedAsTheTaskNeedsIt() throws Exception {
    TaskStore active = open(exactlyOnce("0_0", new TaskId(0, 0), TaskType.ACTIVE));
    TaskStore standby = open(exactlyOnce("0_1", new TaskId(0, 1), TaskType.STANDBY));
    TaskStore global = open(exactlyOnce("global", new TaskId(-1, -1), TaskType.GLOBAL));
    TaskStore failing = open("0_2");
    for (TaskStore store : List.of(active, standby, global)) {
      store.put(store.main(), KEY, KEY);
    }
    failDatabase(failing);
    failing.close();
    open("0_2").close();
    assertThat(failureOfTask(active::flush)).isInstanceOf(TaskMigratedException.class);
    assertThat(failureOfTask(standby::flush)).isInstanceOf(TaskCorruptedException.class);
    assertThat(failureOfTask(global::flush)).isInstanceOf(InvalidStateStoreException.class);
    for (TaskStore store : List.of(active, standby, global)) {
      store.close();
    }
  }

  private StateStoreContext exactlyOnce(String folderName, TaskId id, TaskType type) {
    InternalMockProcessorContext<?, ?> context = StoreContexts.of(home().resolve(folderName));
    Map<String, Object> configs = new HashMap<>(context.appConfigs());
    configs.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.EXACTLY_ONCE_V2);
    configs.put(StreamsConfig.COMMIT_INTERVAL_MS_CONFIG, 100);
    return new InternalMockProcessorContext<>(
        context.stateDir(), Serdes.String(), Serdes.String(), new StreamsConfig(configs)) {
      @Override
      public TaskId taskId() {
        return id;
      }

      @Override
      public TaskType taskType() {
        return type;
      }
    };
  }

  private static TaskStore open(StateStoreContext context) {
    return TestStores.open(context, 0);
  }

  /** Returns what the thread gets that processes the records of a task. */
  private Throwable failureOfTask(ThrowingCallable call) throws InterruptedException {
    return RunningStreamThread.failureOf(StoreContexts.of(home().resolve("0_9")), call);
  }

  @Test
  void damageThatOnlyACompactionMeetsIsNoted() throws IOException {
    TaskStore store = open("0_0");
    for (int i = 0; i < ROWS; i++) {
      store.put(store.main(), ("key" + i).getBytes(UTF_8), ("value" + i * 31).getBytes(UTF_8));
    }
    store.flush();
    store.close();
    for (Path file : filesBelow(home().resolve("accordion"))) {
      if (file.getParent().endsWith("sst") && Files.size(file) > ROWS) {
        for (long offset = 100; offset < Files.size(file) / 2; offset += 1000) {
          flip(file, offset);
        }
      }
    }
    TaskStore again = open("0_0");
    await(
        "a compaction",
        () -> {
          again.put(again.main(), KEY, new byte[100]);
          again.flush();
          return Files.exists(home().resolve("accordion.damaged"));
        });
    again.close();
    open("0_0").close();
    assertThat(home())
        .isDirectoryContaining(
            file -> file.getFileName().toString().startsWith("accordion.aside-"));
    assertThat(home().resolve("accordion.damaged")).doesNotExist();
  }

  /** The log cannot be written for a moment. */
  private void failDatabase(TaskStore store) throws IOException {
    Path database = home().resolve("accordion");
    Path away = home().resolve("away");
    Files.move(database, away);
    await(
        "a failure",
        () -> {
          try {
            store.put(store.main(), KEY, new byte[] {1});
            store.flush();
            return false;
          } catch (ProcessorStateException e) {
            return e.getCause() instanceof DatabaseFailedException
                && !(e.getCause() instanceof WritesSuspendedException);
          }
        });
    Files.move(away, database);
  }

  private TaskStore open(String task) {
    return TestStores.open(home().resolve(task));
  }

  private Path home() {
    return folder.resolve("application");
  }
}
