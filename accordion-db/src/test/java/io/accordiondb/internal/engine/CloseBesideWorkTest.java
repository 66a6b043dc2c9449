// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.engine;

import static io.accordiondb.fixtures.TestData.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.accordiondb.ChangeFeed;
import io.accordiondb.ClosedException;
import io.accordiondb.Database;
import io.accordiondb.DatabaseClosedException;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.Durability;
import io.accordiondb.KeyValueCursor;
import io.accordiondb.KeyValueIterator;
import io.accordiondb.KeyValueStore;
import io.accordiondb.LogExtent;
import io.accordiondb.TableDescriptor;
import io.accordiondb.WriteBatch;
import io.accordiondb.fixtures.Await;
import io.accordiondb.fixtures.TestThread;
import io.accordiondb.internal.storage.MemoryStorage;
import io.accordiondb.internal.storage.Storage;
import io.accordiondb.internal.storage.WrappingStorage;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.assertj.core.api.ThrowableAssert;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.io.TempDir;

/** Whatever runs while the database is closed, or its thread interrupted, loses nothing. */
@Tag("slow")
class CloseBesideWorkTest {
  private static final int OPEN_MILLIS_MAX = 40;
  private static final int INTERRUPTS = 300;

  private final MemoryStorage storage = new MemoryStorage();
  private final List<Thread> threads = new ArrayList<>();
  private final AtomicLong numbers = new AtomicLong();
  private final Set<String> acknowledged = ConcurrentHashMap.newKeySet();

  @Test
  void allWhoCloseWaitForTheEnd(@TempDir Path folder) throws Exception {
    for (int round = 0; round < 10; round++) {
      Database database = Database.open(folder);
      KeyValueStore store = database.keyValueStore("kv");
      for (int i = 0; i < 2000; i++) {
        store.put(bytes("key" + i), new byte[1000], Durability.ASYNC);
      }
      TestThread first = TestThread.start("first", database::close);
      Await.await("closing begun", () -> isClosed(database), closed -> closed);
      database.close();
      assertThatCode(() -> Database.open(folder).close()).doesNotThrowAnyException();
      first.join();
    }
  }

  private static boolean isClosed(Database database) throws IOException {
    try {
      database.tables();
      return false;
    } catch (ClosedException e) {
      return true;
    }
  }

  private Map<String, ThrowingCallable> work(DatabaseEngine database) throws IOException {
    KeyValueStore store = database.keyValueStore("kv");
    Map<String, ThrowingCallable> work = new LinkedHashMap<>();
    work.put("put", () -> acknowledge(key -> store.put(bytes(key), bytes(key), Durability.SYNC)));
    work.put(
        "writeAsync",
        () -> {
          String key = "async" + numbers.incrementAndGet();
          WriteBatch batch = new WriteBatch().put(store, bytes(key), bytes(key));
          database
              .writeAsync(batch, Durability.SYNC)
              .whenComplete((none, e) -> acknowledged.add(e == null ? key : "failed: " + e));
        });
    work.put(
        "transact",
        () ->
            acknowledge(
                key ->
                    database.transact(
                        transaction -> {
                          transaction.keyValueStore("kv").put(bytes(key), bytes(key));
                          return key;
                        })));
    work.put("scan", () -> readAll(store));
    work.put("cursor", () -> moveBoth(store));
    work.put("flush", database::flush);
    work.put("compact", () -> database.majorCompact("kv"));
    work.put("split", () -> database.splitRegion("kv", bytes("k" + numbers.get())));
    work.put("merge", () -> database.mergeRegions("kv", bytes("k")));
    work.put("checkpoint", () -> database.checkpoint(new MemoryStorage(), LogExtent.NEEDED));
    work.put("truncate", () -> database.truncateTable("t"));
    work.put("alter", () -> alter(database));
    work.put("copy", () -> copy(database));
    work.put("feed", () -> follow(database));
    return work;
  }

  /** Writes a key. */
  private interface KeyWriter {
    void write(String key) throws IOException;
  }

  private void acknowledge(KeyWriter writer) throws IOException {
    String key = "k" + numbers.incrementAndGet();
    writer.write(key);
    acknowledged.add(key);
  }

  private static void readAll(KeyValueStore store) throws IOException {
    try (KeyValueIterator all = store.range(null, null)) {
      all.forEachRemaining(entry -> {});
    }
  }

  private static void moveBoth(KeyValueStore store) throws IOException {
    try (KeyValueCursor cursor = store.cursor()) {
      cursor.last();
      cursor.seek(bytes("k1"));
      cursor.refresh();
    }
  }

  private void alter(Database database) throws IOException {
    database.alterTable(
        numbers.get() % 2 == 0 ? TableDescriptor.of("t", "f", "g") : TableDescriptor.of("t", "f"));
  }

  private void copy(Database database) throws IOException {
    String copy = "copy" + numbers.incrementAndGet();
    database.copyTable("kv", TableDescriptor.of(copy, KeyValueStore.FAMILY));
    database.dropTable(copy);
  }

  private static void follow(Database database) throws IOException {
    try (ChangeFeed feed = database.changes()) {
      feed.next(Duration.ofMillis(5));
    } catch (InterruptedIOException e) {
      assertThat(Thread.interrupted()).isTrue();
    }
  }

  @RepeatedTest(20)
  void eachEndsWithTheDatabaseAndLosesNothing() throws Exception {
    DatabaseEngine database = open();
    database.createTable(TableDescriptor.of("t", "f"));
    Map<String, FutureTask<Throwable>> running = beginAll(database);
    TimeUnit.MILLISECONDS.sleep(new SplittableRandom().nextInt(OPEN_MILLIS_MAX));
    database.close();
    assertEndedByClosing(running);
    try (DatabaseEngine again = open()) {
      assertNothingIsLost(again);
    }
  }

  /** No call fails by an interrupt, except the wait for a change; the database does not, either. */
  @Test
  void interruptsHarmNothing(@TempDir Path folder) throws Exception {
    DatabaseEngine database = (DatabaseEngine) Database.open(folder, options());
    database.createTable(TableDescriptor.of("t", "f"));
    Map<String, FutureTask<Throwable>> running = beginAll(database);
    for (int i = 0; i < INTERRUPTS; i++) {
      threads.forEach(Thread::interrupt);
      TimeUnit.MILLISECONDS.sleep(1);
    }
    acknowledge(key -> database.keyValueStore("kv").put(bytes(key), bytes(key), Durability.FSYNC));
    database.close();
    assertEndedByClosing(running);
    try (Database again = Database.open(folder, options())) {
      assertNothingIsLost(again);
    }
  }

  private Map<String, FutureTask<Throwable>> beginAll(DatabaseEngine database) throws IOException {
    Map<String, FutureTask<Throwable>> running = new LinkedHashMap<>();
    work(database).forEach((name, each) -> running.put(name, begin(name, each)));
    return running;
  }

  private static void assertEndedByClosing(Map<String, FutureTask<Throwable>> closed)
      throws Exception {
    List<String> others = new ArrayList<>();
    for (Map.Entry<String, FutureTask<Throwable>> each : closed.entrySet()) {
      Throwable end = each.getValue().get(5, TimeUnit.MINUTES);
      if (!(end instanceof DatabaseClosedException)) {
        others.add(each.getKey() + ": " + end);
      }
    }
    assertThat(others).isEmpty();
  }

  private void assertNothingIsLost(Database again) throws IOException {
    KeyValueStore store = again.keyValueStore("kv");
    for (String key : acknowledged) {
      assertThat(store.get(bytes(key))).as(key).isEqualTo(bytes(key));
    }
  }

  /** The files of a store that is closed are no longer known, so waiting for them would not end. */
  @Test
  @Timeout(value = 1, unit = TimeUnit.MINUTES, threadMode = ThreadMode.SEPARATE_THREAD)
  void aCheckpointThatFindsTheDatabaseClosedEnds() throws IOException {
    DatabaseEngine database = open();
    database.keyValueStore("kv").put(bytes("k"), bytes("v"));
    database.flush();
    Storage closing =
        new WrappingStorage(new MemoryStorage()) {
          @Override
          public List<String> list(String directory) throws IOException {
            database.close();
            return super.list(directory);
          }
        };
    assertThatThrownBy(() -> database.checkpoint(closing, LogExtent.NEEDED))
        .isInstanceOf(DatabaseClosedException.class);
    try (DatabaseEngine again = open()) {
      assertThat(again.keyValueStore("kv").get(bytes("k"))).isEqualTo(bytes("v"));
    }
  }

  private DatabaseEngine open() throws IOException {
    return (DatabaseEngine) DatabaseEngine.open(storage, options());
  }

  private static DatabaseOptions options() {
    return DatabaseOptions.builder()
        .memoryBytes(8 << 20)
        .logRetention(Duration.ofMinutes(1))
        .build();
  }

  /** Repeats work on a thread of its own; returns what ends it. */
  private FutureTask<Throwable> begin(String name, ThrowingCallable work) {
    FutureTask<Throwable> task =
        new FutureTask<>(
            () -> {
              while (true) {
                Throwable thrown = ThrowableAssert.catchThrowable(work);
                if (thrown != null) {
                  return thrown;
                }
              }
            });
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    threads.add(thread);
    thread.start();
    return task;
  }
}
