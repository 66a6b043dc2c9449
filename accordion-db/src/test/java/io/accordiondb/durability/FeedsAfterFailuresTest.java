// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.durability;

import static io.accordiondb.fixtures.TestData.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.accordiondb.Change;
import io.accordiondb.ChangeFeed;
import io.accordiondb.ChangesLostException;
import io.accordiondb.Database;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.Durability;
import io.accordiondb.KeyValueStore;
import io.accordiondb.LogWriting;
import io.accordiondb.Snapshot;
import io.accordiondb.WritesSuspendedException;
import io.accordiondb.internal.engine.DatabaseEngine;
import io.accordiondb.internal.repair.Repairer;
import io.accordiondb.internal.storage.FaultyStorage;
import io.accordiondb.internal.storage.FaultyStorage.InjectedFault;
import io.accordiondb.internal.storage.FaultyStorage.Operation;
import io.accordiondb.internal.storage.MemoryStorage;
import io.accordiondb.internal.storage.Storage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a change feed delivers after a failure: neither less nor more than without it. */
class FeedsAfterFailuresTest {
  private static final int LOG_FILE_BYTES = 4 << 10;
  private static final Set<Operation> READING =
      EnumSet.of(Operation.LOOK, Operation.OPEN, Operation.READ);

  private static DatabaseOptions.Builder options() {
    return DatabaseOptions.builder().memoryBytes(4 << 20).logFileBytes(LOG_FILE_BYTES);
  }

  private static void put(KeyValueStore store, String key) throws IOException {
    store.put(bytes(key), new byte[LOG_FILE_BYTES]);
  }

  /** Adds the keys of all changes that there are. */
  private static void drain(ChangeFeed feed, List<String> keys) throws IOException {
    for (Change change = feed.next(Duration.ZERO);
        change != null;
        change = feed.next(Duration.ZERO)) {
      change
          .cells()
          .forEach(cell -> keys.add(new String(cell.cell().row(), StandardCharsets.US_ASCII)));
    }
  }

  @Test
  void afterAReadThatFailedOnceTheFeedGoesOnWhereItWas() throws IOException {
    boolean failed = true;
    for (int nth = 1; failed; nth++) {
      FaultyStorage storage = new FaultyStorage(new MemoryStorage());
      try (Database database = DatabaseEngine.open(storage, options().build());
          ChangeFeed feed = database.changes()) {
        KeyValueStore store = database.keyValueStore("s");
        for (int i = 0; i < 4; i++) {
          put(store, "k" + i);
        }
        failed = false;
        List<String> keys = new ArrayList<>();
        storage.failOnce(READING, nth);
        try {
          drain(feed, keys);
        } catch (InjectedFault e) {
          failed = true;
          drain(feed, keys);
        }
        storage.count(Set.of());
        assertThat(keys).as("fault %d", nth).containsExactly("k0", "k1", "k2", "k3");
      }
    }
  }

  /**
   * Returns a storage that fails once, behind an append to a log file, when it may.
   *
   * @param isWanted whether it may fail behind this append to the log file with this name
   */
  private static Storage failingBehindAnAppend(
      Storage disk, Predicate<String> isWanted, AtomicBoolean fails) {
    return DefectiveStorage.with(
            (operation, name, original) -> {
              Object result = original.run();
              if (operation.equals("append")
                  && name.startsWith("wal/")
                  && isWanted.test(name)
                  && fails.getAndSet(false)) {
                throw new IOException("the device has failed");
              }
              return result;
            })
        .apply(disk);
  }

  /** The record of the refused write is whole, and the first one of its log file. */
  @ParameterizedTest
  @EnumSource(LogWriting.class)
  void aRefusedWriteThatBeginsALogFileIsNotDelivered(LogWriting writing) throws IOException {
    AtomicBoolean fails = new AtomicBoolean();
    Map<String, Integer> appends = new ConcurrentHashMap<>();
    Storage storage =
        failingBehindAnAppend(
            new MemoryStorage(), log -> appends.merge(log, 1, Integer::sum) == 2, fails);
    try (Database database = DatabaseEngine.open(storage, options().logWriting(writing).build());
        ChangeFeed feed = database.changes()) {
      KeyValueStore store = database.keyValueStore("s");
      put(store, "first");
      fails.set(true);
      assertThatExceptionOfType(WritesSuspendedException.class)
          .isThrownBy(() -> put(store, "refused"));
      database.resume();
      put(store, "last");
      List<String> keys = new ArrayList<>();
      drain(feed, keys);
      assertThat(keys).containsExactly("first", "last");
      assertThat(store.get(bytes("refused"))).isNull();
    }
  }

  /**
   * The file that a repair puts aside said that the one before it ends before the refused write.
   */
  @ParameterizedTest
  @EnumSource(LogWriting.class)
  void aRefusedWriteBeforeAGapOfTheLogIsNotDelivered(LogWriting writing) throws IOException {
    AtomicBoolean fails = new AtomicBoolean();
    MemoryStorage disk = new MemoryStorage();
    Storage storage = failingBehindAnAppend(disk, log -> true, fails);
    DatabaseOptions options =
        options().logWriting(writing).logRetention(Duration.ofHours(1)).build();
    String token;
    try (Database database = DatabaseEngine.open(storage, options);
        ChangeFeed feed = database.changes()) {
      KeyValueStore store = database.keyValueStore("s");
      store.put(bytes("first"), new byte[100], Durability.SYNC);
      drain(feed, new ArrayList<>());
      token = feed.token();
      fails.set(true);
      assertThatExceptionOfType(WritesSuspendedException.class)
          .isThrownBy(() -> store.put(bytes("refused"), new byte[100], Durability.SYNC));
      database.resume();
      for (int i = 0; i < 3; i++) {
        put(store, "last" + i);
      }
      database.flush();
    }
    String behindRefused = disk.list("kept").get(1);
    disk.flip("kept/" + behindRefused, (int) disk.size("kept/" + behindRefused) / 2);
    assertThat(new Repairer(disk).repair().lost()).hasSize(1);
    assertThat(disk.list("lost")).containsExactly(behindRefused);
    try (Database database = DatabaseEngine.open(disk, options);
        ChangeFeed feed = database.changes(0)) {
      List<String> keys = new ArrayList<>();
      assertThatExceptionOfType(ChangesLostException.class).isThrownBy(() -> drain(feed, keys));
      assertThatExceptionOfType(ChangesLostException.class)
          .isThrownBy(
              () -> {
                try (ChangeFeed after = database.changesAfter(token)) {
                  drain(after, keys);
                }
              });
      assertThat(keys).doesNotContain("refused");
    }
  }

  /** The log then has no record of some writes that are visible, until writes resume. */
  @ParameterizedTest
  @EnumSource(LogWriting.class)
  void aFeedThatBeginsWhileWritesAreSuspendedDeliversNoEarlierWrite(LogWriting writing)
      throws IOException {
    AtomicBoolean fails = new AtomicBoolean();
    MemoryStorage disk = new MemoryStorage();
    Storage storage =
        DefectiveStorage.with(
                (operation, name, original) -> {
                  if (operation.equals("append") && name.startsWith("wal/") && fails.get()) {
                    throw new IOException("the device has failed");
                  }
                  return original.run();
                })
            .apply(disk);
    DatabaseOptions.Builder options =
        options().logWriting(writing).asyncLogDelay(Duration.ofMinutes(1));
    MemoryStorage killed;
    List<String> tokens;
    try (Database database = DatabaseEngine.open(storage, options.build())) {
      KeyValueStore store = database.keyValueStore("s");
      store.put(bytes("first"), new byte[100], Durability.SYNC);
      store.put(bytes("buffered"), new byte[100], Durability.ASYNC);
      fails.set(true);
      assertThatExceptionOfType(WritesSuspendedException.class)
          .isThrownBy(() -> store.put(bytes("refused"), new byte[100], Durability.SYNC));
      long next;
      try (Snapshot snapshot = database.snapshot()) {
        next = snapshot.sequenceNumber() + 1;
      }
      try (ChangeFeed fromNow = database.changes();
          ChangeFeed fromNext = database.changes(next)) {
        tokens = List.of(fromNow.token(), fromNext.token());
        killed = disk.copy();
        fails.set(false);
        database.resume();
        store.put(bytes("last"), new byte[100], Durability.SYNC);
        for (ChangeFeed feed : List.of(fromNow, fromNext)) {
          List<String> keys = new ArrayList<>();
          drain(feed, keys);
          assertThat(keys).containsExactly("last");
        }
      }
      assertThat(keysAfter(database, tokens)).containsExactly("last", "last");
    }
    // The numbers of the writes that were in the buffer are given out again.
    try (Database database = DatabaseEngine.open(killed, options.build())) {
      database.keyValueStore("s").put(bytes("other"), new byte[100], Durability.SYNC);
      assertThat(keysAfter(database, tokens)).containsExactly("other", "other");
    }
  }

  private static List<String> keysAfter(Database database, List<String> tokens) throws IOException {
    List<String> keys = new ArrayList<>();
    for (String token : tokens) {
      try (ChangeFeed feed = database.changesAfter(token)) {
        drain(feed, keys);
      }
    }
    return keys;
  }

  @Test
  void aChangeThatCannotBeDeliveredIsNotPassedOverByTheNextCall() throws IOException {
    MemoryStorage disk = new MemoryStorage();
    MemoryStorage killed;
    try (Database database = DatabaseEngine.open(disk, options().build())) {
      database.keyValueStore("gone").put(bytes("k"), bytes("v"));
      database.keyValueStore("s").put(bytes("k"), bytes("v"));
      database.dropTable("gone");
      killed = disk.copy();
    }
    try (Database database = DatabaseEngine.open(killed, options().build());
        ChangeFeed feed = database.changes(0)) {
      for (int call = 0; call < 2; call++) {
        assertThatExceptionOfType(ChangesLostException.class)
            .isThrownBy(() -> feed.next(Duration.ZERO));
      }
    }
  }
}
