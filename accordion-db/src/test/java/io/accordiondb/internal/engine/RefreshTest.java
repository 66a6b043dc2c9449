// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.engine;

import static io.accordiondb.fixtures.Await.await;
import static io.accordiondb.fixtures.TestData.bytes;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.accordiondb.ClosedException;
import io.accordiondb.Database;
import io.accordiondb.DatabaseClosedException;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.FamilyDescriptor;
import io.accordiondb.Get;
import io.accordiondb.KeyValue;
import io.accordiondb.KeyValueIterator;
import io.accordiondb.KeyValueStore;
import io.accordiondb.LogWriting;
import io.accordiondb.MergeOperator;
import io.accordiondb.Put;
import io.accordiondb.ReadOnlyDatabaseException;
import io.accordiondb.Result;
import io.accordiondb.Snapshot;
import io.accordiondb.Table;
import io.accordiondb.TableDescriptor;
import io.accordiondb.TableNotFoundException;
import io.accordiondb.internal.storage.FaultyStorage;
import io.accordiondb.internal.storage.FaultyStorage.Operation;
import io.accordiondb.internal.storage.MemoryStorage;
import io.accordiondb.internal.storage.OpeningStorage;
import io.accordiondb.memstore.MemStorePolicy;
import io.accordiondb.memstore.Policy;
import io.accordiondb.statistics.ReaderStatistics;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A reader of a folder sees what another one writes there, whenever it asks for it. */
@Timeout(value = 1, unit = TimeUnit.MINUTES)
class RefreshTest {
  private static final String STORE = "s";
  private static final int KEYS = 200;

  private final MemoryStorage disk = new MemoryStorage();

  private static DatabaseOptions.Builder options() {
    return DatabaseOptions.builder().memoryBytes(4 << 20).logFileBytes(16 << 10);
  }

  private Database writer(LogWriting writing) throws IOException {
    return DatabaseEngine.open(disk, options().logWriting(writing).build());
  }

  private Database writer() throws IOException {
    return writer(LogWriting.MAPPED);
  }

  private Database reader() throws IOException {
    return DatabaseEngine.open(disk, options().readOnly(true).build());
  }

  @AfterEach
  void everyFileIsClosed() {
    assertThat(disk.openFiles()).isZero();
  }

  private static List<String> contents(KeyValueIterator entries) {
    List<String> contents = new ArrayList<>();
    try (entries) {
      for (KeyValue entry : (Iterable<KeyValue>) () -> entries) {
        contents.add(new String(entry.key(), US_ASCII) + new String(entry.value(), US_ASCII));
      }
    }
    return contents;
  }

  private static List<String> contents(Database database) throws IOException {
    return contents(database.keyValueStore(STORE).range(null, null));
  }

  @Test
  void readersOfEarlierContentsAreCounted() throws IOException {
    try (Database writer = writer()) {
      writer.keyValueStore(STORE).put(bytes("k"), bytes("1"));
      try (Database reader = reader();
          Snapshot before = reader.snapshot()) {
        ReaderStatistics held = reader.statistics().readers();
        assertThat(held.oldestSequence()).isEqualTo(before.sequenceNumber());
        writer.keyValueStore(STORE).put(bytes("k"), bytes("2"));
        assertThat(reader.refresh()).isTrue();
        ReaderStatistics refreshed = reader.statistics().readers();
        assertThat(refreshed.snapshots()).isOne();
        assertThat(refreshed.readPoints()).isEqualTo(held.readPoints());
        assertThat(refreshed.oldestSequence()).isEqualTo(before.sequenceNumber());
        assertThat(refreshed.oldestAgeNanos()).isGreaterThan(held.oldestAgeNanos());
        try (Snapshot after = reader.snapshot()) {
          assertThat(after.sequenceNumber()).isGreaterThan(before.sequenceNumber());
          assertThat(reader.statistics().readers().snapshots()).isEqualTo(2);
        }
      }
    }
  }

  @Test
  void oneCallReadsThePresentAndAnEarlierSnapshot() throws IOException {
    byte[] key = bytes("k");
    try (Database writer = writer()) {
      writer.keyValueStore(STORE).put(key, bytes("1"));
      try (Database reader = reader();
          Snapshot before = reader.snapshot()) {
        writer.keyValueStore(STORE).put(key, bytes("2"));
        assertThat(reader.refresh()).isTrue();
        Get now = new Get(key);
        Get then = new Get(key).setSnapshot(before);
        for (List<Get> gets : List.of(List.of(now, then), List.of(then, now))) {
          List<Result> found = reader.table(STORE).get(gets);
          for (int i = 0; i < 2; i++) {
            assertThat(found.get(i).cells().get(0).value())
                .isEqualTo(bytes(gets.get(i) == now ? "2" : "1"));
          }
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource(LogWriting.class)
  void seesWhateverIsWritten(LogWriting writing) throws IOException {
    SplittableRandom random = new SplittableRandom(1);
    try (Database writer = writer(writing)) {
      KeyValueStore store = writer.keyValueStore(STORE);
      try (Database reader = reader()) {
        KeyValueStore read = reader.keyValueStore(STORE);
        for (int round = 0; round < 60; round++) {
          for (int i = random.nextInt(30); i >= 0; i--) {
            byte[] key = bytes("k" + random.nextInt(KEYS));
            if (random.nextInt(4) == 0) {
              store.delete(key);
            } else {
              store.put(key, bytes("v" + round + " ".repeat(random.nextInt(100))));
            }
          }
          switch (random.nextInt(6)) {
            case 0 -> writer.flush();
            case 1 -> writer.compact(STORE);
            case 2 -> writer.majorCompact(STORE);
            case 3 -> writer.splitRegion(STORE, bytes("k" + random.nextInt(KEYS)));
            case 4 -> writer.mergeRegions(STORE, bytes("k" + random.nextInt(KEYS)));
            default -> ((DatabaseEngine) writer).truncateLog();
          }
          reader.refresh();
          List<String> expected = contents(writer);
          assertThat(contents(reader)).as("round %d", round).isEqualTo(expected);
          assertThat(contents(read.range(null, null))).isEqualTo(expected);
          byte[] key = bytes("k" + random.nextInt(KEYS));
          assertThat(read.get(key)).isEqualTo(store.get(key));
        }
      }
    }
  }

  @Test
  void nothingNewIsSaidSo() throws IOException {
    try (Database writer = writer()) {
      assertThat(writer.refresh()).isFalse();
      KeyValueStore store = writer.keyValueStore(STORE);
      store.put(bytes("a"), bytes("1"));
      try (Database reader = reader()) {
        assertThat(reader.refresh()).isFalse();
        store.put(bytes("b"), bytes("2"));
        assertThat(reader.keyValueStore(STORE).get(bytes("b"))).isNull();
        assertThat(reader.refresh()).isTrue();
        assertThat(reader.keyValueStore(STORE).get(bytes("b"))).isEqualTo(bytes("2"));
        assertThat(reader.refresh()).isFalse();
        writer.flush();
        assertThat(reader.refresh()).isTrue();
      }
    }
    try (Database reader = reader()) {
      assertThat(reader.refresh()).isFalse();
    }
  }

  @Test
  void tablesComeGoAndChange() throws IOException {
    try (Database writer = writer()) {
      writer.createTable(TableDescriptor.of("t", "f"));
      writer.table("t").put(new Put(bytes("r")).addColumn(bytes("f"), bytes("q"), bytes("v")));
      try (Database reader = reader()) {
        Table table = reader.table("t");
        writer.alterTable(TableDescriptor.of("t", "f", "g"));
        writer.createTable(TableDescriptor.of("u", "f"));
        assertThat(reader.exists("u")).isFalse();
        reader.refresh();
        assertThat(reader.exists("u")).isTrue();
        assertThat(reader.tables()).isEqualTo(writer.tables());
        assertThat(table.descriptor().familyNames()).containsExactly("f", "g");
        writer.dropTable("t");
        assertThat(table.get(new Get(bytes("r"))).isEmpty()).isFalse();
        reader.refresh();
        assertThatExceptionOfType(TableNotFoundException.class)
            .isThrownBy(() -> table.get(new Get(bytes("r"))));
        assertThatExceptionOfType(ReadOnlyDatabaseException.class)
            .isThrownBy(
                () -> table.put(new Put(bytes("r")).addColumn(bytes("f"), bytes("q"), bytes("v"))));
      }
    }
  }

  @Test
  void whatIsOpenKeepsTheOldStateUntilItIsClosed() throws IOException {
    try (Database writer = writer()) {
      KeyValueStore store = writer.keyValueStore(STORE);
      for (int i = 0; i < KEYS; i++) {
        store.put(bytes("k" + i), bytes("old"));
      }
      writer.flush();
      List<String> before = contents(writer);
      Database reader = reader();
      KeyValueStore read = reader.keyValueStore(STORE);
      KeyValueIterator open = read.range(null, null);
      open.next();
      Snapshot snapshot = reader.snapshot();
      for (int round = 0; round < 3; round++) {
        for (int i = 0; i < KEYS; i++) {
          store.put(bytes("k" + i), bytes("new" + round));
        }
        writer.majorCompact(STORE);
        writer.splitRegion(STORE, bytes("k" + (50 + round)));
        assertThat(reader.refresh()).isTrue();
        assertThat(read.get(bytes("k7"))).isEqualTo(bytes("new" + round));
        assertThat(read.at(snapshot).get(bytes("k7"))).isEqualTo(bytes("old"));
        assertThat(contents(read.at(snapshot).range(null, null))).isEqualTo(before);
      }
      assertThat(contents(open)).isEqualTo(before.subList(1, before.size()));
      int files = disk.openFiles();
      snapshot.close();
      reader.refresh();
      assertThat(disk.openFiles()).isLessThan(files);
      assertThatExceptionOfType(ClosedException.class)
          .isThrownBy(() -> read.at(snapshot).get(bytes("k7")));
      KeyValueIterator left = read.range(null, null);
      left.next();
      store.put(bytes("k7"), bytes("newest"));
      reader.refresh();
      reader.close();
      assertThatExceptionOfType(DatabaseClosedException.class).isThrownBy(() -> contents(left));
      assertThatExceptionOfType(DatabaseClosedException.class).isThrownBy(reader::refresh);
      assertThatExceptionOfType(DatabaseClosedException.class)
          .isThrownBy(() -> read.get(bytes("k7")));
    }
  }

  @Test
  void aSnapshotKeepsTheStoresThatTheWriterDrops() throws IOException {
    byte[] key = bytes("k");
    try (Database writer = writer()) {
      writer.keyValueStore(STORE).put(key, bytes("old"));
      try (Database reader = reader();
          Snapshot before = reader.snapshot()) {
        KeyValueStore store = reader.keyValueStore(STORE);
        Table table = reader.table(STORE);
        writer.dropTable(STORE);
        assertThat(reader.refresh()).isTrue();

        assertThat(store.at(before).get(key)).isEqualTo(bytes("old"));
        assertThat(store.at(before).multiGet(List.of(key)).get(0)).isEqualTo(bytes("old"));
        assertThat(contents(store.at(before).range(null, null))).containsExactly("kold");
        assertThat(table.get(new Get(key).setSnapshot(before)).cells()).hasSize(1);
        assertThatExceptionOfType(TableNotFoundException.class).isThrownBy(() -> store.get(key));
      }
    }
  }

  @Test
  void aRefreshThatFailsLeavesWhatWasSeen() throws IOException {
    try (Database writer = writer()) {
      KeyValueStore store = writer.keyValueStore(STORE);
      store.put(bytes("a"), bytes("1"));
      FaultyStorage faulty = new FaultyStorage(disk);
      try (Database reader = DatabaseEngine.open(faulty, options().readOnly(true).build())) {
        store.put(bytes("a"), bytes("2"));
        writer.flush();
        Set<Operation> reads = Set.of(Operation.OPEN, Operation.READ, Operation.LOOK);
        int failures = 0;
        boolean failed = true;
        for (int nth = 1; failed; nth++) {
          faulty.failForEver(reads, nth);
          try {
            reader.refresh();
            failed = false;
          } catch (IOException e) {
            failures++;
          }
          faulty.count(Set.of());
          assertThat(reader.keyValueStore(STORE).get(bytes("a")))
              .isEqualTo(bytes(failed ? "1" : "2"));
        }
        assertThat(failures).isGreaterThan(10);
      }
    }
  }

  /** A batch writes the same number to all keys, so no read may find two. */
  @Test
  void readsBesideRefreshesSeeWholeBatchesAndNeverGoBack() throws Exception {
    AtomicBoolean done = new AtomicBoolean();
    ExecutorService threads = Executors.newFixedThreadPool(3);
    try (Database writer = writer();
        Database reader = reader(writer)) {
      List<Future<?>> work = new ArrayList<>();
      work.add(threads.submit(() -> read(reader, done)));
      work.add(threads.submit(() -> read(reader, done)));
      work.add(
          threads.submit(
              () -> {
                while (!done.get()) {
                  reader.refresh();
                }
                return null;
              }));
      long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(2);
      for (int number = 1; System.nanoTime() < end; number++) {
        writeAll(writer.keyValueStore(STORE), number);
        if (number % 20 == 0) {
          writer.flush();
        }
        if (number % 100 == 0) {
          writer.majorCompact(STORE);
        }
      }
      done.set(true);
      for (Future<?> each : work) {
        each.get();
      }
    } finally {
      done.set(true);
      threads.shutdownNow();
      assertThat(threads.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
    }
  }

  private Database reader(Database writer) throws IOException {
    writeAll(writer.keyValueStore(STORE), 0);
    return reader();
  }

  private static void writeAll(KeyValueStore store, int number) throws IOException {
    var batch = store.writeBatch();
    for (int i = 0; i < 10; i++) {
      batch.put(bytes("k" + i), bytes(Integer.toString(number)));
    }
    batch.commit();
  }

  private static Void read(Database reader, AtomicBoolean done) throws IOException {
    KeyValueStore store = reader.keyValueStore(STORE);
    int last = 0;
    while (!done.get()) {
      assertThat(reader.exists(STORE)).isTrue();
      assertThat(reader.tables()).isNotEmpty();
      int got = Integer.parseInt(new String(store.get(bytes("k3")), US_ASCII));
      assertThat(got).isGreaterThanOrEqualTo(last);
      List<String> all = contents(store.range(null, null));
      assertThat(all).hasSize(10);
      int scanned = Integer.parseInt(all.get(0).substring(2));
      assertThat(scanned).isGreaterThanOrEqualTo(got);
      for (int i = 0; i < 10; i++) {
        assertThat(all.get(i)).isEqualTo("k" + i + scanned);
      }
      last = scanned;
    }
    return null;
  }

  /** The writer uses up a block of file numbers before each operation of the opening reader. */
  @Test
  void aReaderOpensWhileTheWriterBeginsManyFiles() throws IOException {
    boolean isReached = true;
    for (int nth = 0; isReached; nth++) {
      isReached = opensWhileTheWriterBeginsManyFiles(nth);
      assertThat(isReached || nth > 5).isTrue();
    }
  }

  /** Returns whether opening a reader takes more operations than this number. */
  private static boolean opensWhileTheWriterBeginsManyFiles(int nth) throws IOException {
    MemoryStorage disk = new MemoryStorage();
    boolean isReached;
    try (Database writer = DatabaseEngine.open(disk, options().build())) {
      KeyValueStore store = writer.keyValueStore(STORE);
      store.put(bytes("a"), bytes("1"));
      OpeningStorage busy =
          new OpeningStorage(
              disk,
              operation -> {
                for (int i = 0; operation == nth && i < 200; i++) {
                  store.put(bytes("b" + i), new byte[10 << 10]);
                }
              });
      try (Database reader = DatabaseEngine.open(busy, options().readOnly(true).build())) {
        isReached = busy.operations() > nth;
        assertThat(reader.keyValueStore(STORE).get(bytes("a"))).isEqualTo(bytes("1"));
        reader.refresh();
        assertThat(contents(reader)).isEqualTo(contents(writer));
      }
    }
    assertThat(disk.openFiles()).isZero();
    return isReached;
  }

  /** The writer uses up the numbers that the manifest had given out when the reader read it. */
  @Test
  void aRefreshBesideAWriterThatTakesManyNumbersIsNoDamage() throws IOException {
    try (Database writer = writer()) {
      KeyValueStore store = writer.keyValueStore(STORE);
      AtomicInteger operationsBefore = new AtomicInteger(-1);
      OpeningStorage busy =
          new OpeningStorage(
              disk,
              operation -> {
                for (int i = 0; operationsBefore.get() == 0 && i < 80; i++) {
                  store.put(bytes("b" + i), bytes("v"));
                  writer.flush();
                }
                operationsBefore.decrementAndGet();
              });
      try (Database reader = DatabaseEngine.open(busy, options().readOnly(true).build())) {
        for (int before = 0; before < 6; before++) {
          operationsBefore.set(before);
          reader.refresh();
        }
        reader.refresh();
        assertThat(contents(reader)).isEqualTo(contents(writer));
      }
    }
  }

  @Test
  void aClosedReaderRefusesARefresh() throws IOException {
    try (Database writer = writer()) {
      writer.keyValueStore(STORE);
      Database reader = reader();
      reader.close();
      reader.close();
      assertThatThrownBy(reader::refresh).isInstanceOf(DatabaseClosedException.class);
    }
  }

  /** Nothing may be closed half: the thread on which an operator runs would wait for itself. */
  @Test
  void anOperatorMustNotWaitForTheReaderThatCallsIt() throws IOException {
    AtomicReference<Database> opened = new AtomicReference<>();
    List<Throwable> thrown = new CopyOnWriteArrayList<>();
    MergeOperator operator =
        MergeOperator.associative(
            "last",
            (older, newer) -> {
              boolean isOfReader = Thread.currentThread().getName().contains("-memory-");
              Database reader = isOfReader ? opened.getAndSet(null) : null;
              if (reader != null) {
                thrown.add(catchThrowable(reader::close));
                thrown.add(catchThrowable(reader::refresh));
              }
              return newer;
            });
    FamilyDescriptor family =
        FamilyDescriptor.builder(KeyValueStore.FAMILY)
            .mergeOperator("last")
            .memStorePolicy(MemStorePolicy.of(Policy.EAGER))
            .build();
    DatabaseOptions.Builder options = options().mergeOperator(operator);
    try (Database writer = DatabaseEngine.open(disk, options.build())) {
      KeyValueStore store = writer.keyValueStore(STORE, family);
      for (int i = 0; i < 10_000; i++) {
        store.merge(bytes("k"), bytes("value " + i));
      }
      try (Database reader = DatabaseEngine.open(disk, options.readOnly(true).build())) {
        opened.set(reader);
        reader.flushInMemory(STORE);
        await("the operator", () -> thrown.size() == 2);
        assertThat(thrown)
            .allSatisfy(
                each ->
                    assertThat(each)
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("must not flush, compact, refresh or close"));
        store.merge(bytes("k"), bytes("end"));
        assertThat(reader.refresh()).isTrue();
        assertThat(reader.keyValueStore(STORE).get(bytes("k"))).isEqualTo(bytes("end"));
      }
    }
  }
}
