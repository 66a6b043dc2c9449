// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.feed;

import static io.accordiondb.fixtures.TestData.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.Change;
import io.accordiondb.ChangeFeed;
import io.accordiondb.ChangesLostException;
import io.accordiondb.Database;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.KeyValueStore;
import io.accordiondb.TestKeys;
import io.accordiondb.internal.crypt.EncryptedStorage;
import io.accordiondb.internal.engine.DatabaseEngine;
import io.accordiondb.internal.engine.StorageOperations;
import io.accordiondb.internal.storage.MemoryStorage;
import io.accordiondb.internal.storage.OpeningStorage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A feed continues in the log that is kept, whatever becomes of the database in between. */
class RetainedLogTest {
  private static final String STORE = "store";
  private static final Duration WEEK = Duration.ofDays(7);

  private final AtomicLong now = new AtomicLong(1_000_000);
  private final MemoryStorage disk = new MemoryStorage();

  private DatabaseOptions.Builder options() {
    return DatabaseOptions.builder()
        .memoryBytes(4 << 20)
        .logFileBytes(4 << 10)
        .logRetention(WEEK)
        .clock(() -> Instant.ofEpochMilli(now.get()));
  }

  private Database open() throws IOException {
    return DatabaseEngine.open(disk, options().build());
  }

  private static void write(Database database, long from, long to) throws IOException {
    KeyValueStore store = database.keyValueStore(STORE);
    for (long i = from; i < to; i++) {
      store.put(bytes("k" + i % 7), ByteBuffer.allocate(100).putLong(i).array());
    }
  }

  private static List<Long> numbers(ChangeFeed feed) throws IOException {
    List<Long> numbers = new ArrayList<>();
    try {
      for (Change change = feed.next(Duration.ZERO);
          change != null;
          change = feed.next(Duration.ZERO)) {
        change.cells().forEach(cell -> numbers.add(ByteBuffer.wrap(cell.cell().value()).getLong()));
      }
    } catch (ChangesLostException e) {
      throw new AssertionError("the log was to be kept", e);
    }
    return numbers;
  }

  private static List<Long> range(long from, long to) {
    return LongStream.range(from, to).boxed().toList();
  }

  /** Of a database that is opened once a week, and of one that was closed for a while. */
  @Test
  void theLogIsKeptFromWhenItIsNeedless() throws IOException {
    try (Database database = open()) {
      write(database, 0, 1);
    }
    now.addAndGet(2 * WEEK.toMillis());
    String token;
    try (Database database = open();
        ChangeFeed feed = database.changes()) {
      token = feed.token();
      write(database, 1, 500);
      database.flush();
      ((DatabaseEngine) database).truncateLog();
      assertThat(disk.list("kept")).hasSizeGreaterThan(5);
    }
    now.addAndGet(WEEK.toMillis() / 2);
    try (Database database = open()) {
      ((DatabaseEngine) database).truncateLog();
      try (ChangeFeed feed = database.changesAfter(token)) {
        assertThat(numbers(feed)).isEqualTo(range(1, 500));
      }
    }
  }

  /** Each flush tells the next opening that time has passed. */
  @Test
  void theLogIsKeptForAsLongAsItMustBeAndNotLonger() throws IOException {
    String token;
    try (Database database = open();
        ChangeFeed feed = database.changes()) {
      token = feed.token();
      write(database, 0, 500);
      database.flush();
      ((DatabaseEngine) database).truncateLog();
    }
    List<String> kept = disk.list("kept").stream().filter(name -> name.endsWith(".log")).toList();
    assertThat(kept).hasSizeGreaterThan(5);
    now.addAndGet(WEEK.toMillis() - 1);
    flushAndReopen(500);
    try (Database database = open()) {
      ((DatabaseEngine) database).truncateLog();
      try (ChangeFeed feed = database.changesAfter(token)) {
        assertThat(numbers(feed)).isEqualTo(range(0, 501));
      }
    }
    assertThat(disk.list("kept")).containsAll(kept);
    now.addAndGet(1);
    flushAndReopen(501);
    assertThat(disk.list("kept")).doesNotContainAnyElementsOf(kept);
  }

  private void flushAndReopen(long next) throws IOException {
    try (Database database = open()) {
      write(database, next, next + 1);
      database.flush();
    }
    try (Database database = open()) {
      ((DatabaseEngine) database).truncateLog();
    }
  }

  @Test
  void filesThatAClockAheadHasDatedGoOnceNoneAreToBeKept() throws IOException {
    now.addAndGet(520 * WEEK.toMillis());
    try (Database database = open()) {
      write(database, 0, 100);
    }
    now.addAndGet(-520 * WEEK.toMillis());
    try (Database database = open()) {
      write(database, 100, 200);
      database.flush();
      ((DatabaseEngine) database).truncateLog();
      now.addAndGet(2 * WEEK.toMillis());
      ((DatabaseEngine) database).truncateLog();
      assertThat(disk.list("kept")).anyMatch(name -> name.endsWith(".log"));
      database.reconfigure(present -> present.logRetention(Duration.ZERO));
      ((DatabaseEngine) database).truncateLog();
      assertThat(disk.list("kept")).noneMatch(name -> name.endsWith(".log"));
    }
  }

  /** The log is moved to the kept files at any moment of a feed that reads it. */
  @Test
  void aFileThatIsBeingKeptIsNotLost() throws IOException {
    int operations = 1;
    for (int moment = 0; moment < operations; moment++) {
      MemoryStorage folder = new MemoryStorage();
      AtomicReference<DatabaseEngine> truncated = new AtomicReference<>();
      AtomicInteger left = new AtomicInteger(moment);
      OpeningStorage storage =
          new OpeningStorage(
              folder,
              operation -> {
                DatabaseEngine engine = truncated.get();
                if (engine != null && left.getAndDecrement() == 0) {
                  truncated.set(null);
                  engine.flush();
                  engine.truncateLog();
                }
              });
      try (Database database = DatabaseEngine.open(storage, options().build())) {
        write(database, 0, 1);
        try (ChangeFeed feed = database.changes(0)) {
          assertThat(numbers(feed)).isEqualTo(range(0, 1));
          write(database, 1, 150);
          int before = storage.operations();
          truncated.set((DatabaseEngine) database);
          assertThat(numbers(feed)).as("moment " + moment).isEqualTo(range(1, 150));
          truncated.set(null);
          operations = Math.max(operations, storage.operations() - before);
        }
      }
    }
  }

  @Test
  void aRegionThatWasSplitKeepsItsNameAcrossARestart() throws IOException {
    DatabaseOptions unretained = options().logRetention(Duration.ZERO).build();
    String token;
    try (Database database = DatabaseEngine.open(disk, unretained);
        ChangeFeed feed = database.changes()) {
      token = feed.token();
      write(database, 0, 5);
      assertThat(database.splitRegion(STORE, bytes("k3"))).isTrue();
      write(database, 5, 10);
    }
    try (Database database = DatabaseEngine.open(disk, unretained);
        ChangeFeed feed = database.changesAfter(token)) {
      assertThat(numbers(feed)).isEqualTo(range(0, 10));
    }
  }

  /** Copies by the owner and by a reader. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aCopyOfTheKeptLogHasTheNamesOfTablesThatAreGone(boolean byReader) throws IOException {
    MemoryStorage copy = new MemoryStorage();
    try (Database database = open()) {
      database.keyValueStore("gone").put(bytes("k"), ByteBuffer.allocate(8).putLong(0).array());
      database.dropTable("gone");
      write(database, 1, 100);
      database.flush();
      ((DatabaseEngine) database).truncateLog();
      try (Database reader = DatabaseEngine.open(disk, options().readOnly(true).build())) {
        assertThat(disk.list("kept")).hasSizeGreaterThan(2);
        StorageOperations.checkpointWithLog(byReader ? reader : database, copy);
      }
    }
    try (Database copied = DatabaseEngine.open(copy, options().build());
        ChangeFeed feed = copied.changes(0)) {
      assertThat(numbers(feed)).isEqualTo(range(0, 100));
    }
  }

  @Test
  void namesAreKeptFromWhenTheLogIs() throws IOException {
    DatabaseOptions unretained = options().logRetention(Duration.ZERO).build();
    MemoryStorage killed;
    try (Database database = DatabaseEngine.open(disk, unretained)) {
      database.keyValueStore("gone").put(bytes("k"), ByteBuffer.allocate(8).putLong(0).array());
      database.dropTable("gone");
      database.reconfigure(options -> options.logRetention(WEEK));
      try (ChangeFeed feed = database.changes(0)) {
        assertThat(numbers(feed)).isEqualTo(range(0, 1));
      }
      killed = disk.copy();
    }
    try (Database database = DatabaseEngine.open(killed, options().build());
        ChangeFeed feed = database.changes(0)) {
      assertThat(numbers(feed)).isEqualTo(range(0, 1));
    }
  }

  @Test
  void noFileNeedsAKeyForLongerThanTheLogIsKept() throws IOException {
    try (Database database =
        DatabaseEngine.open(disk, options().encryption(TestKeys.current("a")).build())) {
      write(database, 0, 100);
      database.flush();
      ((DatabaseEngine) database).truncateLog();
      assertThat(disk.list("kept")).contains("names").hasSizeGreaterThan(2);
    }
    DatabaseOptions changed = options().encryption(TestKeys.current("b")).build();
    try (Database database = DatabaseEngine.open(disk, changed)) {
      database.majorCompact(STORE);
      write(database, 100, 200);
      database.flush();
    }
    now.addAndGet(WEEK.toMillis() + 1);
    try (Database database = DatabaseEngine.open(disk, changed)) {
      write(database, 200, 300);
      database.flush();
      ((DatabaseEngine) database).truncateLog();
    }
    now.addAndGet(WEEK.toMillis() + 1);
    try (Database database = DatabaseEngine.open(disk, changed)) {
      write(database, 300, 301);
      ((DatabaseEngine) database).truncateLog();
    }
    assertThat(EncryptedStorage.filesByKey(disk)).containsOnlyKeys("b");
  }
}
