// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.feed;

import static io.accordiondb.fixtures.TestData.bytes;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.accordiondb.Change;
import io.accordiondb.ChangeFeed;
import io.accordiondb.ChangedCell;
import io.accordiondb.ChangesLostException;
import io.accordiondb.ClosedException;
import io.accordiondb.Database;
import io.accordiondb.DatabaseClosedException;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.Delete;
import io.accordiondb.Durability;
import io.accordiondb.FamilyDescriptor;
import io.accordiondb.KeyValueStore;
import io.accordiondb.LogWriting;
import io.accordiondb.Put;
import io.accordiondb.ReadOnlyDatabaseException;
import io.accordiondb.Snapshot;
import io.accordiondb.TableDescriptor;
import io.accordiondb.TableNotFoundException;
import io.accordiondb.WriteBatch;
import io.accordiondb.WritesSuspendedException;
import io.accordiondb.encoding.CellType;
import io.accordiondb.fixtures.TestThread;
import io.accordiondb.internal.engine.DatabaseEngine;
import io.accordiondb.internal.storage.FaultyStorage;
import io.accordiondb.internal.storage.FaultyStorage.Operation;
import io.accordiondb.internal.storage.MemoryStorage;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ChangeFeedTest {
  private static final byte[] F = bytes("f");
  private static final byte[] Q = bytes("q");
  private static final Duration SOON = Duration.ofSeconds(20);
  private static final String STORE = "store";

  private final AtomicLong now = new AtomicLong(1_000_000);
  private MemoryStorage disk = new MemoryStorage();

  private DatabaseOptions.Builder options() {
    return DatabaseOptions.builder()
        .memoryBytes(4 << 20)
        .logFileBytes(4 << 10)
        .logRetention(Duration.ofDays(1))
        .clock(() -> Instant.ofEpochMilli(now.get()));
  }

  private Database open() throws IOException {
    return DatabaseEngine.open(disk, options().build());
  }

  private static List<Change> all(ChangeFeed feed) throws IOException {
    List<Change> changes = new ArrayList<>();
    for (Change change = feed.next(Duration.ZERO);
        change != null;
        change = feed.next(Duration.ZERO)) {
      changes.add(change);
    }
    return changes;
  }

  private static List<Long> numbers(List<Change> changes) {
    return changes.stream()
        .flatMap(change -> change.cells().stream())
        .map(cell -> ByteBuffer.wrap(cell.cell().value()).getLong())
        .toList();
  }

  private static void write(KeyValueStore store, long from, long to) throws IOException {
    for (long i = from; i < to; i++) {
      store.put(bytes("k" + i % 7), number(i));
    }
  }

  private static byte[] number(long i) {
    return ByteBuffer.allocate(100).putLong(i).array();
  }

  private static List<Long> range(long from, long to) {
    List<Long> range = new ArrayList<>();
    for (long i = from; i < to; i++) {
      range.add(i);
    }
    return range;
  }

  /** The writer is faster than a feed that reads what it does not deliver. */
  @Test
  void otherTablesDoNotHoldUpTheEndOfAWait() throws Exception {
    try (Database database = DatabaseEngine.open(disk, DatabaseOptions.defaults())) {
      database.keyValueStore(STORE);
      KeyValueStore busy = database.keyValueStore("busy");
      AtomicBoolean ended = new AtomicBoolean();
      try (ChangeFeed feed = database.changes(STORE, STORE)) {
        TestThread writer =
            TestThread.start(
                "writer",
                () -> {
                  while (!ended.get()) {
                    write(busy, 0, 100);
                  }
                });
        try {
          for (int i = 0; i < 20; i++) {
            assertThat(feed.next(Duration.ofMillis(1))).isNull();
          }
        } finally {
          ended.set(true);
          writer.join();
        }
      }
    }
  }

  @Test
  @Timeout(60)
  void aNegativeTimeoutIsNone() throws IOException {
    try (Database database = DatabaseEngine.open(disk, DatabaseOptions.defaults());
        ChangeFeed feed = database.changes()) {
      assertThat(feed.next(Duration.ofNanos(Long.MIN_VALUE))).isNull();
      assertThat(feed.next(Duration.ofSeconds(Long.MIN_VALUE))).isNull();
    }
  }

  @Test
  @Timeout(60)
  void anotherThreadEndsAWaitByClosingTheFeed() throws Exception {
    try (Database database = open();
        ChangeFeed feed = database.changes()) {
      KeyValueStore store = database.keyValueStore(STORE);
      TestThread waiting = waitingFor(feed, ClosedException.class, "the change feed");
      feed.close();
      waiting.join();
      write(store, 0, 1);
      assertThatExceptionOfType(ClosedException.class)
          .isThrownBy(() -> feed.next(Duration.ZERO))
          .withMessageContaining("the change feed");
    }
  }

  @Test
  @Timeout(60)
  void closingTheDatabaseClosesFeedsAndTheirFiles() throws Exception {
    Database database = open();
    KeyValueStore store = database.keyValueStore(STORE);
    ChangeFeed left = database.changes();
    write(store, 0, 100);
    assertThat(numbers(List.of(left.next(SOON)))).containsExactly(0L);
    ChangeFeed waited = database.changes();
    TestThread waiting = waitingFor(waited, DatabaseClosedException.class, "/memory");
    database.close();
    waiting.join();
    assertThat(disk.openFiles()).isZero();
    assertThatExceptionOfType(DatabaseClosedException.class)
        .isThrownBy(() -> left.next(Duration.ZERO));
    left.close();
    waited.close();
  }

  /** Starts a thread that waits for a change for a long time, and must get an exception. */
  private static TestThread waitingFor(
      ChangeFeed feed, Class<? extends Exception> expected, String message) {
    TestThread waiting =
        TestThread.start(
            "waiting",
            () ->
                assertThatExceptionOfType(expected)
                    .isThrownBy(() -> feed.next(Duration.ofDays(1)))
                    .withMessageContaining(message));
    waiting.awaitBlockedIn("next");
    return waiting;
  }

  @Test
  void deliversWhatIsWrittenInOrder() throws IOException {
    try (Database database = open()) {
      database.createTable(TableDescriptor.of("t", "f"));
      KeyValueStore store = database.keyValueStore(STORE);
      store.put(bytes("before"), Q);
      try (ChangeFeed feed = database.changes()) {
        assertThat(feed.next(Duration.ofMillis(1))).isNull();
        database.table("t").put(new Put(bytes("a")).addColumn(F, Q, 7, bytes("v")));
        database.table("t").delete(new Delete(bytes("a")).addFamily(F));
        database.write(
            new WriteBatch()
                .put("t", new Put(bytes("b")).addColumn(F, Q, bytes("1")))
                .put(
                    STORE,
                    new Put(bytes("c"))
                        .addColumn(
                            KeyValueStore.FAMILY.getBytes(US_ASCII), new byte[0], bytes("2"))));
        database.transact(
            transaction -> {
              transaction.keyValueStore(STORE).delete(bytes("c"));
              return null;
            });
        List<Change> changes = all(feed);
        assertThat(changes).hasSize(4);
        ChangedCell first = changes.get(0).cells().get(0);
        assertThat(first.table()).isEqualTo("t");
        assertThat(first.cell().row()).isEqualTo(bytes("a"));
        assertThat(first.cell().family()).isEqualTo(F);
        assertThat(first.cell().qualifier()).isEqualTo(Q);
        assertThat(first.cell().timestamp()).isEqualTo(7);
        assertThat(first.cell().type()).isEqualTo(CellType.PUT);
        assertThat(first.cell().value()).isEqualTo(bytes("v"));
        assertThat(changes.get(1).cells().get(0).cell().type()).isEqualTo(CellType.DELETE_FAMILY);
        assertThat(changes.get(2).cells()).extracting(ChangedCell::table).containsOnly("t", STORE);
        assertThat(changes.get(3).cells()).hasSize(1);
        assertThat(changes).extracting(Change::sequence).isSorted().doesNotHaveDuplicates();
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void beginsBehindWritesThatAreStillInTheBufferOfTheLog(LogWriting writing) throws IOException {
    DatabaseOptions options =
        options().logWriting(writing).asyncLogDelay(Duration.ofMinutes(1)).build();
    try (Database database = DatabaseEngine.open(disk, options)) {
      KeyValueStore store = database.keyValueStore(STORE);
      store.put(Q, number(1), Durability.SYNC);
      store.put(Q, number(2), Durability.ASYNC);
      long next;
      try (Snapshot snapshot = database.snapshot()) {
        next = snapshot.sequenceNumber() + 1;
      }
      try (ChangeFeed fromNow = database.changes();
          ChangeFeed fromNext = database.changes(next);
          ChangeFeed after = database.changesAfter(fromNow.token())) {
        store.put(Q, number(3), Durability.SYNC);
        for (ChangeFeed feed : List.of(fromNow, fromNext, after)) {
          assertThat(numbers(all(feed))).containsExactly(3L);
        }
      }
    }
  }

  @Test
  void deliversOnlyTheTablesAskedFor() throws IOException {
    try (Database database = open()) {
      KeyValueStore one = database.keyValueStore("one");
      KeyValueStore two = database.keyValueStore("two");
      try (ChangeFeed feed = database.changes("two")) {
        one.put(Q, number(1));
        two.put(Q, number(2));
        database.writeAsync(
            new WriteBatch()
                .put("one", new Put(Q).addColumn(bytes(KeyValueStore.FAMILY), new byte[0], Q))
                .put(
                    "two",
                    new Put(Q).addColumn(bytes(KeyValueStore.FAMILY), new byte[0], number(3))));
        assertThat(numbers(List.of(feed.next(SOON), feed.next(SOON)))).containsExactly(2L, 3L);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void goesBackToTheBeginningAcrossRestartsAndFlushes(LogWriting writing) throws IOException {
    DatabaseOptions options = options().logWriting(writing).build();
    for (int run = 0; run < 4; run++) {
      try (Database database = DatabaseEngine.open(disk, options)) {
        KeyValueStore store = database.keyValueStore(STORE);
        write(store, run * 300L, run * 300L + 300);
        database.flush();
        ((DatabaseEngine) database).truncateLog();
        assertThat(disk.list("kept")).isNotEmpty();
        try (ChangeFeed feed = database.changes(0)) {
          assertThat(numbers(all(feed))).isEqualTo(range(0, run * 300L + 300));
        }
      }
      assertThat(disk.openFiles()).isZero();
    }
    try (Database database = DatabaseEngine.open(disk, options);
        ChangeFeed feed = database.changes(0)) {
      assertThat(numbers(all(feed))).isEqualTo(range(0, 1200));
    }
  }

  @Test
  void aTokenGoesOnAfterARestart() throws IOException {
    SplittableRandom random = new SplittableRandom(1);
    List<Long> seen = new ArrayList<>();
    String token = null;
    long written = 0;
    for (int run = 0; run < 30; run++) {
      try (Database database = open()) {
        KeyValueStore store = database.keyValueStore(STORE);
        long next = written + random.nextInt(100);
        try (ChangeFeed feed =
            token == null ? database.changes(0) : database.changesAfter(token, STORE)) {
          write(store, written, next);
          written = next;
          for (int i = random.nextInt(120); i > 0; i--) {
            Change change = feed.next(Duration.ZERO);
            if (change != null) {
              seen.addAll(numbers(List.of(change)));
            }
          }
          token = feed.token();
        }
        if (random.nextBoolean()) {
          database.flush();
          ((DatabaseEngine) database).truncateLog();
        }
      }
    }
    try (Database database = open();
        ChangeFeed feed = database.changesAfter(token)) {
      seen.addAll(numbers(all(feed)));
    }
    assertThat(seen).isEqualTo(range(0, written));
  }

  @Test
  void deliversEachChangeOfManyWritersOnceWhileTheLogRolls() throws Exception {
    try (Database database = open();
        ChangeFeed feed = database.changes()) {
      int writers = 3;
      long each = 2000;
      KeyValueStore store = database.keyValueStore(STORE);
      List<TestThread> threads = new ArrayList<>();
      for (int writer = 0; writer < writers; writer++) {
        long first = writer * each;
        Durability durability = Durability.values()[1 + writer % 3];
        TestThread thread =
            TestThread.start(
                "writer",
                () -> {
                  for (long i = first; i < first + each; i++) {
                    store.put(bytes("k" + i % 50), number(i), durability);
                    if (i % 500 == 0) {
                      database.flush();
                      database.splitRegion(STORE, bytes("k" + i % 50));
                    }
                  }
                });
        threads.add(thread);
      }
      List<Change> changes = new ArrayList<>();
      while (changes.size() < writers * each) {
        Change change = feed.next(SOON);
        assertThat(change).isNotNull();
        changes.add(change);
      }
      for (TestThread thread : threads) {
        thread.join();
      }
      assertThat(changes).extracting(Change::sequence).isSorted().doesNotHaveDuplicates();
      List<Long> numbers = numbers(changes);
      assertThat(numbers).doesNotHaveDuplicates().hasSize((int) (writers * each));
      for (int writer = 0; writer < writers; writer++) {
        long first = writer * each;
        assertThat(numbers.stream().filter(i -> i / each == first / each)).isSorted();
      }
    }
  }

  @Test
  void tablesThatAreGoneKeepTheirNames() throws IOException {
    try (Database database = open()) {
      database.createTable(TableDescriptor.of("gone", "f"));
      database.table("gone").put(new Put(bytes("a")).addColumn(F, Q, number(1)));
      database.splitRegion("gone", bytes("m"));
      database.table("gone").put(new Put(bytes("z")).addColumn(F, Q, number(2)));
      database.dropTable("gone");
      write(database.keyValueStore(STORE), 3, 100);
      database.flush();
      ((DatabaseEngine) database).truncateLog();
    }
    try (Database database = open();
        ChangeFeed feed = database.changes(0)) {
      List<Change> changes = all(feed);
      assertThat(numbers(changes)).isEqualTo(range(1, 100));
      assertThat(changes.get(0).cells().get(0).table()).isEqualTo("gone");
      assertThat(changes.get(1).cells().get(0).table()).isEqualTo("gone");
    }
  }

  @Test
  void withoutRetentionOldChangesAreLostAndTheErrorSaysSo() throws IOException {
    try (Database database =
        DatabaseEngine.open(disk, options().logRetention(Duration.ZERO).build())) {
      KeyValueStore store = database.keyValueStore(STORE);
      String token;
      try (ChangeFeed feed = database.changes(0)) {
        write(store, 0, 1);
        all(feed);
        token = feed.token();
        write(store, 1, 500);
        database.flush();
        ((DatabaseEngine) database).truncateLog();
        // It has its file open, and fails when it needs the next one.
        assertThatExceptionOfType(ChangesLostException.class)
            .isThrownBy(() -> all(feed))
            .withMessageContaining("the log begins with");
      }
      assertThat(disk.isDirectory("kept")).isFalse();
      assertThatExceptionOfType(ChangesLostException.class)
          .isThrownBy(() -> database.changes(0))
          .withMessageContaining("logRetention");
      assertThatExceptionOfType(ChangesLostException.class)
          .isThrownBy(() -> database.changesAfter(token));
      try (ChangeFeed feed = database.changes()) {
        write(store, 500, 501);
        assertThat(numbers(all(feed))).containsExactly(500L);
      }
    }
  }

  @Test
  void retentionEndsByTimeAndBySize() throws IOException {
    try (Database database = open()) {
      DatabaseEngine engine = (DatabaseEngine) database;
      KeyValueStore store = database.keyValueStore(STORE);
      write(store, 0, 500);
      database.flush();
      engine.truncateLog();
      int kept = disk.list("kept").size();
      assertThat(kept).isGreaterThan(5);
      database.reconfigure(options -> options.logRetentionBytesMax(20 << 10));
      engine.truncateLog();
      assertThat(disk.list("kept")).hasSizeBetween(2, kept - 1);
      try (ChangeFeed feed = database.changes()) {
        assertThat(all(feed)).isEmpty();
      }
      database.reconfigure(options -> options.logRetention(Duration.ofMillis(1)));
      now.addAndGet(10);
      write(store, 500, 501);
      // It may keep another file, which has become needless by the write.
      engine.truncateLog();
      now.addAndGet(10);
      engine.truncateLog();
      assertThat(disk.list("kept")).containsExactly("names");
    }
  }

  @Test
  void aLossOfPowerThatUndoesWhatWasSeenIsNoticed() throws IOException {
    String token;
    MemoryStorage after;
    try (Database database = open()) {
      KeyValueStore store = database.keyValueStore(STORE);
      write(store, 0, 3);
      store.put(Q, number(3), Durability.FSYNC);
      try (ChangeFeed feed = database.changes()) {
        write(store, 4, 10);
        assertThat(all(feed)).hasSize(6);
        token = feed.token();
      }
      after = withoutTail();
    }
    disk = after;
    try (Database database = open()) {
      assertThatExceptionOfType(ChangesLostException.class)
          .isThrownBy(() -> database.changesAfter(token))
          .withMessageContaining("undone");
      // Others take the numbers.
      write(database.keyValueStore(STORE), 20, 40);
      assertThatExceptionOfType(ChangesLostException.class)
          .isThrownBy(() -> database.changesAfter(token))
          .withMessageContaining("undone");
      try (ChangeFeed feed = database.changes(0)) {
        assertThat(numbers(all(feed))).startsWith(0L, 1L, 2L, 3L).endsWith(39L).doesNotContain(9L);
      }
    }
  }

  /** Returns what a loss of power leaves, with an unsynced write missing. */
  private MemoryStorage withoutTail() throws IOException {
    for (long seed = 0; ; seed++) {
      MemoryStorage crashed = disk.crash(new SplittableRandom(seed));
      MemoryStorage tried = crashed.copy();
      try (Database database = DatabaseEngine.open(tried, options().build())) {
        byte[] last = database.keyValueStore(STORE).get(bytes("k2"));
        if (last == null || ByteBuffer.wrap(last).getLong() != 9) {
          return crashed;
        }
      }
    }
  }

  /** The file that had the change is no longer needed, and none is kept. */
  @Test
  void aLogThatBeginsBehindTheLastChangeIsNoLossOfPower() throws IOException {
    DatabaseOptions keepsNone = options().logRetention(Duration.ZERO).build();
    String token;
    try (Database database = DatabaseEngine.open(disk, keepsNone)) {
      write(database.keyValueStore(STORE), 0, 10);
      try (ChangeFeed feed = database.changes(0)) {
        assertThat(all(feed)).hasSize(10);
        token = feed.token();
      }
    }
    try (Database database = DatabaseEngine.open(disk, keepsNone)) {
      database.flush();
      ((DatabaseEngine) database).truncateLog();
      assertThatExceptionOfType(ChangesLostException.class)
          .isThrownBy(() -> database.changesAfter(token))
          .withMessageContaining("the log begins behind the change that was seen last")
          .withMessageContaining("logRetention");
    }
  }

  /** The table is there, so the reason must not be that it is gone. */
  @Test
  void aChangeOfAFamilyThatIsGoneIsLostWithoutRetention() throws IOException {
    DatabaseOptions options = options().logRetention(Duration.ZERO).build();
    MemoryStorage killed;
    try (Database database = DatabaseEngine.open(disk, options)) {
      database.createTable(TableDescriptor.of("t", "f", "g"));
      database.table("t").put(new Put(bytes("a")).addColumn(bytes("g"), Q, number(1)));
      database.alterTable(TableDescriptor.of("t", "f"));
      killed = disk.copy();
    }
    try (Database database = DatabaseEngine.open(killed, options);
        ChangeFeed feed = database.changes(0, "t")) {
      assertThatExceptionOfType(ChangesLostException.class)
          .isThrownBy(() -> feed.next(Duration.ZERO))
          .withMessageContaining("of a table or family that is gone");
    }
  }

  @Test
  void aTokenOfAnotherDatabaseIsRefused() throws IOException {
    String token;
    try (Database database = open();
        ChangeFeed feed = database.changes()) {
      write(database.keyValueStore(STORE), 0, 10);
      all(feed);
      token = feed.token();
    }
    disk = new MemoryStorage();
    now.addAndGet(5);
    try (Database database = open()) {
      assertThatExceptionOfType(ChangesLostException.class)
          .isThrownBy(() -> database.changesAfter(token))
          .withMessageContaining("another database");
      write(database.keyValueStore(STORE), 100, 200);
      assertThatExceptionOfType(ChangesLostException.class)
          .isThrownBy(() -> database.changesAfter(token))
          .withMessageContaining("another database");
    }
  }

  @ParameterizedTest
  @EnumSource(LogWriting.class)
  void aWriteThatFailedForAWhileIsNotDelivered(LogWriting writing) throws IOException {
    int failures = 0;
    for (int nth = 1; nth <= 12; nth++) {
      FaultyStorage storage = new FaultyStorage(new MemoryStorage());
      List<String> acknowledged = new ArrayList<>();
      List<String> delivered = new ArrayList<>();
      try (Database database = DatabaseEngine.open(storage, options().logWriting(writing).build());
          ChangeFeed feed = database.changes()) {
        KeyValueStore store = database.keyValueStore(STORE);
        storage.failOnce(Set.of(Operation.APPEND), nth);
        for (int i = 0; i < 8; i++) {
          try {
            // More than the log's buffer, so that a part of it is in the file when it fails.
            store
                .writeBatch()
                .put(bytes("k" + i), new byte[40_000])
                .put(bytes("l" + i), new byte[40_000])
                .commit();
            acknowledged.addAll(List.of("k" + i, "l" + i));
          } catch (WritesSuspendedException e) {
            failures++;
            assertThat(all(feed)).isEmpty();
            database.resume();
          }
          all(feed)
              .forEach(
                  change ->
                      change
                          .cells()
                          .forEach(cell -> delivered.add(new String(cell.cell().row(), US_ASCII))));
        }
        assertThat(delivered).as("fault %d", nth).isEqualTo(acknowledged);
      }
    }
    assertThat(failures).isPositive();
  }

  @Test
  void operandsOfMergesAreDeliveredAsTheyWereWritten() throws IOException {
    FamilyDescriptor counters =
        FamilyDescriptor.builder(KeyValueStore.FAMILY).mergeOperator("counter").build();
    try (Database database = open();
        ChangeFeed feed = database.changes()) {
      KeyValueStore hits = database.keyValueStore("hits", counters);
      byte[] one = ByteBuffer.allocate(Long.BYTES).putLong(1).array();
      for (int i = 0; i < 3; i++) {
        hits.merge(bytes("page"), one);
      }
      List<Change> changes = all(feed);
      assertThat(changes).hasSize(3);
      for (Change change : changes) {
        assertThat(change.cells().get(0).cell().type()).isEqualTo(CellType.MERGE);
        assertThat(change.cells().get(0).cell().value()).isEqualTo(one);
      }
      assertThat(ByteBuffer.wrap(hits.get(bytes("page"))).getLong()).isEqualTo(3);
    }
  }

  /** With a higher sequence number, the feed would pass over changes and say nothing. */
  @Test
  void aTokenOfWhichAByteWasChangedIsRefused() throws IOException {
    try (Database database = open()) {
      KeyValueStore store = database.keyValueStore(STORE);
      String token;
      try (ChangeFeed feed = database.changes()) {
        write(store, 0, 1);
        all(feed);
        token = feed.token();
      }
      write(store, 1, 9);
      try (ChangeFeed feed = database.changesAfter(token)) {
        assertThat(numbers(all(feed))).isEqualTo(range(1, 9));
      }
      byte[] sound = token.getBytes(US_ASCII);
      for (int bit = 0; bit < sound.length * Byte.SIZE; bit++) {
        byte[] changed = sound.clone();
        changed[bit / Byte.SIZE] ^= (byte) (1 << bit % Byte.SIZE);
        assertRefused(database, new String(changed, ISO_8859_1));
      }
      for (int length = 0; length < sound.length; length++) {
        assertRefused(database, token.substring(0, length));
      }
    }
  }

  private static void assertRefused(Database database, String token) {
    assertThatIllegalArgumentException()
        .as(token)
        .isThrownBy(() -> database.changesAfter(token).close())
        .withMessageContaining("\"" + token + "\" is no token");
  }

  @Test
  void badInputIsNamed() throws IOException {
    Database database = open();
    database.keyValueStore(STORE);
    for (String token : List.of("", "nonsense", "accordion-1-1-2-3", "accordion-1-g-1-1-1")) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> database.changesAfter(token))
          .withMessageContaining(token);
    }
    assertThatIllegalArgumentException().isThrownBy(() -> database.changes(-1));
    assertThatExceptionOfType(TableNotFoundException.class)
        .isThrownBy(() -> database.changes("missing"));
    assertThatExceptionOfType(ChangesLostException.class)
        .isThrownBy(() -> database.changes(1_000_000))
        .withMessageContaining("999999");
    ChangeFeed closed = database.changes();
    closed.close();
    closed.close();
    assertThatExceptionOfType(ClosedException.class).isThrownBy(() -> closed.next(SOON));
    try (ChangeFeed feed = database.changes()) {
      Thread.currentThread().interrupt();
      assertThatExceptionOfType(InterruptedIOException.class).isThrownBy(() -> feed.next(SOON));
      assertThat(Thread.interrupted()).isTrue();
      database.close();
      assertThatExceptionOfType(DatabaseClosedException.class).isThrownBy(() -> feed.next(SOON));
    }
    try (Database readOnly = DatabaseEngine.open(disk, options().readOnly(true).build())) {
      assertThatExceptionOfType(ReadOnlyDatabaseException.class).isThrownBy(readOnly::changes);
    }
  }

  @Test
  void aDatabaseInMemoryHasFeeds() throws IOException {
    try (Database database = Database.inMemory(options().build());
        ChangeFeed feed = database.changes()) {
      KeyValueStore store = database.keyValueStore(STORE);
      write(store, 0, 1000);
      database.flush();
      assertThat(numbers(all(feed))).isEqualTo(range(0, 1000));
    }
  }

  @Test
  void aCopyHasNoKeptLog(@TempDir Path folder) throws IOException {
    Path copy = folder.resolve("copy");
    try (Database database = Database.open(folder.resolve("database"), options().build())) {
      KeyValueStore store = database.keyValueStore(STORE);
      write(store, 0, 300);
      database.flush();
      ((DatabaseEngine) database).truncateLog();
      database.checkpoint(copy);
      try (ChangeFeed feed = database.changes(0)) {
        assertThat(numbers(all(feed))).isEqualTo(range(0, 300));
      }
    }
    assertThat(Database.verify(folder.resolve("database")).isSound()).isTrue();
    try (Database database = Database.open(copy)) {
      assertThatThrownBy(() -> database.changes(0)).isInstanceOf(ChangesLostException.class);
    }
  }
}
