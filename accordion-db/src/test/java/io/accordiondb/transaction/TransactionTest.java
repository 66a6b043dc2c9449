// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.transaction;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.accordiondb.Append;
import io.accordiondb.CheckAndMutate;
import io.accordiondb.ClosedException;
import io.accordiondb.Database;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.Delete;
import io.accordiondb.Durability;
import io.accordiondb.FamilyDescriptor;
import io.accordiondb.FamilyNotFoundException;
import io.accordiondb.Get;
import io.accordiondb.Increment;
import io.accordiondb.Isolation;
import io.accordiondb.KeyValue;
import io.accordiondb.KeyValueIterator;
import io.accordiondb.KeyValueStore;
import io.accordiondb.Put;
import io.accordiondb.ReadOnlyDatabaseException;
import io.accordiondb.Result;
import io.accordiondb.ResultScanner;
import io.accordiondb.RowMutations;
import io.accordiondb.Savepoint;
import io.accordiondb.Scan;
import io.accordiondb.Snapshot;
import io.accordiondb.Table;
import io.accordiondb.TableDescriptor;
import io.accordiondb.TableNotFoundException;
import io.accordiondb.Transaction;
import io.accordiondb.TransactionConflictException;
import io.accordiondb.ValueTooLargeException;
import io.accordiondb.internal.engine.DatabaseEngine;
import io.accordiondb.internal.storage.MemoryStorage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What each method of a transaction does, and what it refuses. */
class TransactionTest {
  private static final byte[] F = bytes("f");
  private static final byte[] Q = bytes("q");

  private final MemoryStorage storage = new MemoryStorage();
  private final AtomicLong clock = new AtomicLong(1_000_000);
  private Database database;
  private KeyValueStore store;
  private Table table;

  private DatabaseOptions.Builder options() {
    return DatabaseOptions.builder()
        .memoryBytes(8 << 20)
        .asyncLogDelay(Duration.ofMinutes(1))
        .clock(() -> Instant.ofEpochMilli(clock.get()));
  }

  @BeforeEach
  void open() throws IOException {
    database = DatabaseEngine.open(storage, options().build());
    database.createTable(
        TableDescriptor.builder("t")
            .family(FamilyDescriptor.builder("f").maxVersions(3).build())
            .family(FamilyDescriptor.of("g"))
            .build());
    store = database.keyValueStore("kv");
    table = database.table("t");
  }

  @AfterEach
  void close() throws IOException {
    database.close();
  }

  @Test
  void writesAreSeenByTheTransactionAloneUntilItCommits() throws IOException {
    store.put(bytes("a"), bytes("old"));
    Transaction transaction = database.beginTransaction();
    KeyValueStore own = transaction.keyValueStore("kv");
    own.put(bytes("a"), bytes("new"));
    own.put(bytes("b"), bytes("new"));
    transaction.table("t").put(new Put(bytes("r")).addColumn(F, Q, bytes("new")));
    assertThat(own.get(bytes("a"))).isEqualTo(bytes("new"));
    assertThat(keys(own)).containsExactly("a", "b");
    assertThat(store.get(bytes("a"))).isEqualTo(bytes("old"));
    assertThat(keys(store)).containsExactly("a");
    assertThat(table.get(new Get(bytes("r"))).isEmpty()).isTrue();
    transaction.commit();
    assertThat(store.get(bytes("a"))).isEqualTo(bytes("new"));
    assertThat(keys(store)).containsExactly("a", "b");
    assertThat(table.get(new Get(bytes("r"))).value(F, Q)).isEqualTo(bytes("new"));
  }

  @Test
  void readsAreAsOfTheBeginning() throws IOException {
    store.put(bytes("a"), bytes("1"));
    try (Transaction transaction = database.beginTransaction()) {
      store.put(bytes("a"), bytes("2"));
      store.put(bytes("b"), bytes("2"));
      KeyValueStore own = transaction.keyValueStore("kv");
      assertThat(own.get(bytes("a"))).isEqualTo(bytes("1"));
      assertThat(own.multiGet(List.of(bytes("a"), bytes("b")))).containsExactly(bytes("1"), null);
      own.put(bytes("c"), bytes("own"));
      assertThat(keys(own)).containsExactly("a", "c");
      assertThat(own.last().key()).isEqualTo(bytes("c"));
      assertThat(own.floor(bytes("bb")).key()).isEqualTo(bytes("a"));
      database.flush();
      database.majorCompact("kv");
      assertThat(keys(own)).containsExactly("a", "c");
    }
  }

  @Test
  void allWritesOfAStoreWorkWithin() throws IOException {
    store.put(bytes("n"), new byte[] {0, 0, 0, 0, 0, 0, 0, 5});
    Transaction transaction = database.beginTransaction();
    KeyValueStore own = transaction.keyValueStore("kv");
    assertThat(own.increment(bytes("n"), 2)).isEqualTo(7);
    clock.addAndGet(10);
    assertThat(own.increment(bytes("n"), 2)).isEqualTo(9);
    assertThat(own.putIfAbsent(bytes("a"), bytes("1"))).isNull();
    assertThat(own.putIfAbsent(bytes("a"), bytes("2"))).isEqualTo(bytes("1"));
    assertThat(own.replace(bytes("a"), bytes("3"))).isEqualTo(bytes("1"));
    assertThat(own.compareAndSet(bytes("a"), bytes("3"), bytes("4"))).isTrue();
    assertThat(own.compareAndSet(bytes("a"), bytes("3"), bytes("5"))).isFalse();
    assertThat(own.getAndPut(bytes("a"), bytes("6"))).isEqualTo(bytes("4"));
    own.putAll(List.of(new KeyValue(bytes("x1"), Q), new KeyValue(bytes("x2"), Q)));
    own.writeBatch().put(bytes("x3"), Q).delete(bytes("x1")).commit(Durability.SYNC);
    own.delete(bytes("x2"));
    assertThat(keys(own)).containsExactly("a", "n", "x3");
    own.deleteRange(bytes("x"), null);
    clock.addAndGet(10);
    transaction.commit();
    assertThat(keys(store)).containsExactly("a", "n");
    assertThat(store.get(bytes("a"))).isEqualTo(bytes("6"));
    assertThat(store.increment(bytes("n"), 0)).isEqualTo(9);
  }

  @Test
  void allWritesOfATableWorkWithin() throws IOException {
    byte[] row = bytes("r");
    table.put(new Put(row).addColumn(F, Q, 5, bytes("old")));
    Transaction transaction = database.beginTransaction();
    Table own = transaction.table("t");
    assertThat(own.increment(row, F, bytes("n"), 3)).isEqualTo(3);
    Result appended = own.append(new Append(row).addColumn(F, Q, bytes("+")));
    assertThat(appended.value(F, Q)).isEqualTo(bytes("old+"));
    assertThat(appended.cells().get(0).timestamp()).isEqualTo(clock.get());
    assertThat(own.get(new Get(row).addColumn(F, Q).setAllVersions()).cells()).hasSize(2);
    own.delete(new Delete(row).addColumn(F, Q));
    assertThat(own.get(new Get(row)).value(F, Q)).isEqualTo(bytes("old"));
    assertThat(
            own.checkAndMutate(
                    CheckAndMutate.builder(row)
                        .ifEquals(F, Q, bytes("old"))
                        .build(new Put(row).addColumn(F, bytes("c"), Q)))
                .succeeded())
        .isTrue();
    own.mutateRow(
        new RowMutations(row)
            .add(new Increment(row).addColumn(F, bytes("n"), 4))
            .add(new Delete(row).addFamily(bytes("g"))));
    own.put(new Put(bytes("s")).addColumn(bytes("g"), Q, Q));
    own.delete(new Delete(bytes("s")));
    assertThat(own.exists(new Get(bytes("s")))).isFalse();
    clock.addAndGet(1000);
    transaction.commit();
    Result stored = table.get(new Get(row));
    assertThat(stored.value(F, Q)).isEqualTo(bytes("old"));
    assertThat(stored.value(F, bytes("c"))).isEqualTo(Q);
    assertThat(stored.value(F, bytes("n"))).isEqualTo(new byte[] {0, 0, 0, 0, 0, 0, 0, 7});
    assertThat(stored.cell(F, bytes("n")).timestamp()).isEqualTo(clock.get());
    assertThat(table.exists(new Get(bytes("s")))).isFalse();
  }

  @Test
  void aScanSeesTheWritesBeforeIt() throws IOException {
    store.put(bytes("b"), Q);
    try (Transaction transaction = database.beginTransaction()) {
      KeyValueStore own = transaction.keyValueStore("kv");
      own.put(bytes("a"), Q);
      List<String> found = new ArrayList<>();
      try (KeyValueIterator keys = own.range(null, null)) {
        own.put(bytes("c"), Q);
        own.delete(bytes("b"));
        keys.forEachRemaining(each -> found.add(new String(each.key(), US_ASCII)));
      }
      assertThat(found).containsExactly("a", "b");
      assertThat(keys(own)).containsExactly("a", "c");
    }
  }

  @Test
  void aWriteOfTheSameRowIsAConflict() throws IOException {
    Transaction transaction = database.beginTransaction();
    transaction.keyValueStore("kv").put(bytes("a"), bytes("1"));
    store.put(bytes("a"), bytes("2"));
    assertThatExceptionOfType(TransactionConflictException.class)
        .isThrownBy(transaction::commit)
        .withMessageContaining("row \"a\" of table \"kv\"")
        .satisfies(e -> assertThat(e.table()).isEqualTo("kv"))
        .satisfies(e -> assertThat(e.row()).isEqualTo(bytes("a")));
    assertThat(store.get(bytes("a"))).isEqualTo(bytes("2"));
    assertEnded(transaction);
  }

  @Test
  void aConflictIsFoundInFilesAndInMarkers() throws IOException {
    store.put(bytes("a"), bytes("1"));
    Transaction transaction = database.beginTransaction();
    transaction.keyValueStore("kv").put(bytes("a"), bytes("2"));
    store.delete(bytes("a"));
    database.flush();
    database.majorCompact("kv");
    database.splitRegion("kv", bytes("a"));
    assertConflict(transaction);
  }

  @Test
  void anotherRowIsNoConflict() throws IOException {
    Transaction transaction = database.beginTransaction();
    transaction.keyValueStore("kv").put(bytes("a"), bytes("1"));
    store.put(bytes("b"), bytes("2"));
    database.splitRegion("kv", bytes("b"));
    transaction.commit();
    assertThat(keys(store)).containsExactly("a", "b");
  }

  @Test
  void aRowReadForUpdateConflicts() throws IOException {
    Transaction transaction = database.beginTransaction();
    assertThat(transaction.getForUpdate("kv", bytes("a"))).isNull();
    transaction.keyValueStore("kv").put(bytes("b"), Q);
    store.put(bytes("a"), Q);
    assertConflict(transaction);
    Transaction other = database.beginTransaction();
    assertThat(other.getForUpdate("t", new Get(bytes("r"))).isEmpty()).isTrue();
    table.put(new Put(bytes("r")).addColumn(F, Q, Q));
    assertConflict(other);
  }

  @Test
  void whatIsOnlyReadConflictsIfSerializable() throws IOException {
    for (Isolation isolation : Isolation.values()) {
      Transaction transaction = database.beginTransaction(isolation);
      transaction.keyValueStore("kv").get(bytes("a"));
      transaction.keyValueStore("kv").put(bytes("b"), Q);
      store.put(bytes("a"), Q);
      if (isolation == Isolation.SNAPSHOT) {
        transaction.commit();
      } else {
        assertConflict(transaction);
      }
    }
  }

  @Test
  void aPhantomConflictsWithinTheRangeThatWasScanned() throws IOException {
    store.put(bytes("c"), Q);
    store.put(bytes("f"), Q);
    assertThat(commitsAfterScan(bytes("a"), false)).isFalse();
    assertThat(commitsAfterScan(bytes("b"), false)).isFalse();
    assertThat(commitsAfterScan(bytes("d"), false)).isTrue();
    assertThat(commitsAfterScan(bytes("b1"), true)).isTrue();
    assertThat(commitsAfterScan(bytes("g"), true)).isFalse();
    Transaction transaction = database.beginTransaction(Isolation.SERIALIZABLE);
    keys(transaction.keyValueStore("kv"));
    transaction.keyValueStore("kv").put(bytes("z"), Q);
    table.put(new Put(bytes("y")).addColumn(F, Q, Q));
    transaction.commit();
  }

  /** Reads the first row of a scan, has another one write a row, and tries to commit. */
  private boolean commitsAfterScan(byte[] written, boolean reversed) throws IOException {
    Transaction transaction = database.beginTransaction(Isolation.SERIALIZABLE);
    KeyValueStore own = transaction.keyValueStore("kv");
    own.put(bytes("zz"), Q);
    try (ResultScanner rows =
        transaction
            .table("kv")
            .scan(
                new Scan()
                    .setReversed(reversed)
                    .setStartRow(bytes(reversed ? "h" : "a"))
                    .setStopRow(bytes(reversed ? "a" : "h")))) {
      assertThat(rows.next()).isNotNull();
    }
    store.put(written, Q);
    try {
      transaction.commit();
      return true;
    } catch (TransactionConflictException e) {
      return false;
    } finally {
      store.delete(written);
    }
  }

  @Test
  void aReaderAlwaysCommits() throws IOException {
    Transaction transaction = database.beginTransaction(Isolation.SERIALIZABLE);
    keys(transaction.keyValueStore("kv"));
    store.put(bytes("a"), Q);
    transaction.commit();
    assertEnded(transaction);
  }

  @Test
  void aTableThatWasDroppedOrTruncatedConflicts() throws IOException {
    Transaction truncated = writing();
    database.truncateTable("kv");
    assertConflict(truncated);
    Transaction dropped = writing();
    database.dropTable("kv");
    assertConflict(dropped);
    store = database.keyValueStore("kv");
    Transaction recreated = writing();
    database.dropTable("kv");
    store = database.keyValueStore("kv");
    assertConflict(recreated);
    Transaction family = database.beginTransaction();
    family.table("t").put(new Put(bytes("r")).addColumn(bytes("g"), Q, Q));
    database.alterTable(TableDescriptor.of("t", "f"));
    assertConflict(family);
  }

  private Transaction writing() throws IOException {
    Transaction transaction = database.beginTransaction();
    transaction.keyValueStore("kv").put(bytes("a"), Q);
    return transaction;
  }

  @Test
  void savepointsTakeWritesBack() throws IOException {
    Transaction transaction = database.beginTransaction();
    KeyValueStore own = transaction.keyValueStore("kv");
    own.put(bytes("a"), bytes("1"));
    Savepoint first = transaction.savepoint();
    own.put(bytes("a"), bytes("2"));
    Savepoint second = transaction.savepoint();
    own.put(bytes("b"), bytes("2"));
    transaction.rollbackTo(second);
    assertThat(own.get(bytes("b"))).isNull();
    assertThat(own.get(bytes("a"))).isEqualTo(bytes("2"));
    transaction.rollbackTo(first);
    assertThat(own.get(bytes("a"))).isEqualTo(bytes("1"));
    assertThatIllegalArgumentException().isThrownBy(() -> transaction.rollbackTo(second));
    own.put(bytes("c"), bytes("3"));
    transaction.rollbackTo(first);
    try (Transaction other = database.beginTransaction()) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> other.rollbackTo(first))
          .withMessageContaining("another transaction");
    }
    store.put(bytes("b"), Q);
    transaction.commit();
    assertThat(keys(store)).containsExactly("a", "b");
    assertThat(store.get(bytes("a"))).isEqualTo(bytes("1"));
  }

  @Test
  void aRefusedWriteLeavesNothing() throws IOException {
    database.reconfigure(now -> now.valueBytesMax(10));
    try (Transaction transaction = database.beginTransaction()) {
      Table own = transaction.table("t");
      Put good = new Put(bytes("r")).addColumn(F, Q, Q);
      Put bad = new Put(bytes("s")).addColumn(F, Q, new byte[11]);
      assertThatExceptionOfType(ValueTooLargeException.class)
          .isThrownBy(() -> own.put(List.of(good, bad)));
      assertThatExceptionOfType(FamilyNotFoundException.class)
          .isThrownBy(
              () -> own.put(new Put(bytes("r")).addColumn(F, Q, Q).addColumn(bytes("x"), Q, Q)));
      assertThatIllegalArgumentException().isThrownBy(() -> own.put(new Put(bytes("r"))));
      assertThat(own.exists(new Get(bytes("r")))).isFalse();
    }
  }

  @Test
  void allWritesTogetherAreLimited() throws IOException {
    database.reconfigure(now -> now.batchBytesMax(2000).valueBytesMax(1000));
    Transaction transaction = database.beginTransaction();
    KeyValueStore own = transaction.keyValueStore("kv");
    own.put(bytes("a"), new byte[900]);
    own.put(bytes("b"), new byte[900]);
    assertThatExceptionOfType(ValueTooLargeException.class)
        .isThrownBy(() -> own.put(bytes("c"), new byte[900]))
        .withMessageContaining("the batch");
    transaction.commit();
    assertThat(keys(store)).containsExactly("a", "b");
  }

  @Test
  void snapshotsAreRefusedWithin() throws IOException {
    try (Transaction transaction = database.beginTransaction();
        Snapshot snapshot = database.snapshot()) {
      Table own = transaction.table("t");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> own.get(new Get(bytes("r")).setSnapshot(snapshot)))
          .withMessageContaining("snapshot");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> own.get(List.of(new Get(bytes("r")).setSnapshot(snapshot))));
      assertThatIllegalArgumentException()
          .isThrownBy(() -> own.scan(new Scan().setSnapshot(snapshot)));
      KeyValueStore kv = transaction.keyValueStore("kv");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> kv.at(snapshot).get(bytes("a")))
          .withMessageContaining("snapshot");
    }
  }

  @Test
  void whatHasEndedIsClosed() throws IOException {
    Transaction committed = database.beginTransaction();
    Table own = committed.table("t");
    KeyValueStore kv = committed.keyValueStore("kv");
    ResultScanner scanner = own.scan(new Scan());
    Savepoint savepoint = committed.savepoint();
    committed.commit();
    assertEnded(committed);
    assertClosed(() -> own.get(new Get(bytes("r"))));
    assertClosed(() -> own.put(new Put(bytes("r")).addColumn(F, Q, Q)));
    assertClosed(() -> own.scan(new Scan()));
    assertClosed(own::descriptor);
    assertClosed(() -> own.increment(bytes("r"), F, Q, 1));
    assertClosed(() -> own.deleteRange(bytes("r"), bytes("s")));
    assertClosed(() -> kv.get(bytes("r")));
    assertClosed(kv::approximateBytes);
    assertClosed(() -> kv.putAll(List.of()));
    assertClosed(scanner::next);
    assertClosed(() -> committed.rollbackTo(savepoint));
    scanner.close();
    Transaction rolledBack = database.beginTransaction();
    rolledBack.rollback();
    assertEnded(rolledBack);
    Transaction closed = writing();
    closed.close();
    closed.close();
    assertEnded(closed);
    assertThat(keys(store)).isEmpty();
  }

  private static void assertEnded(Transaction transaction) {
    assertClosed(transaction::commit);
    assertClosed(() -> transaction.commit(Durability.SYNC));
    assertClosed(transaction::rollback);
    assertClosed(transaction::savepoint);
    assertClosed(() -> transaction.table("t"));
    assertClosed(() -> transaction.keyValueStore("kv"));
    assertClosed(() -> transaction.getForUpdate("kv", Q));
    assertClosed(() -> transaction.getForUpdate("t", new Get(Q)));
    transaction.close();
  }

  private static void assertClosed(ThrowingCallable use) {
    assertThatExceptionOfType(ClosedException.class)
        .isThrownBy(use)
        .withMessageContaining("the transaction");
  }

  @Test
  void namesThatAreNotThereAreRefused() throws IOException {
    try (Transaction transaction = database.beginTransaction()) {
      assertThatExceptionOfType(TableNotFoundException.class)
          .isThrownBy(() -> transaction.table("none"));
      assertThatExceptionOfType(TableNotFoundException.class)
          .isThrownBy(() -> transaction.keyValueStore("none"));
      assertThatExceptionOfType(FamilyNotFoundException.class)
          .isThrownBy(() -> transaction.keyValueStore("t"));
    }
  }

  @Test
  void closingTheDatabaseRollsBack() throws IOException {
    Transaction transaction = writing();
    Transaction second = writing();
    second.close();
    database.close();
    assertClosed(() -> transaction.savepoint());
    transaction.close();
    database = DatabaseEngine.open(storage, options().build());
    assertThat(keys(database.keyValueStore("kv"))).isEmpty();
  }

  @Test
  void aTransactionOpenAtTheEndIsReportedWithItsBeginning() throws IOException {
    PrintStream before = System.err;
    ByteArrayOutputStream log = new ByteArrayOutputStream();
    System.setErr(new PrintStream(log, true, US_ASCII));
    try {
      Transaction left = writing();
      database.close();
      assertClosed(left::commit);
    } finally {
      System.setErr(before);
    }
    assertThat(log.toString(US_ASCII))
        .contains("a transaction open, which is rolled back")
        .contains("TransactionTest.writing");
  }

  @Test
  void aReadOnlyDatabaseIsReadInTransactions() throws IOException {
    store.put(bytes("a"), Q);
    database.close();
    database = DatabaseEngine.open(storage, options().readOnly(true).build());
    try (Transaction transaction = database.beginTransaction()) {
      KeyValueStore own = transaction.keyValueStore("kv");
      assertThat(own.get(bytes("a"))).isEqualTo(Q);
      assertThatExceptionOfType(ReadOnlyDatabaseException.class)
          .isThrownBy(() -> own.put(bytes("a"), Q));
      transaction.commit();
    }
  }

  @ParameterizedTest
  @EnumSource(Durability.class)
  void aCommitIsAsDurableAsAskedFor(Durability durability) throws IOException {
    Transaction transaction = writing();
    transaction.commit(durability);
    MemoryStorage left =
        durability == Durability.FSYNC ? storage.crash(new SplittableRandom(1)) : storage.copy();
    try (Database after = DatabaseEngine.open(left, options().build())) {
      assertThat(keys(after.keyValueStore("kv")).isEmpty())
          .isEqualTo(durability == Durability.SKIP || durability == Durability.ASYNC);
    }
  }

  @Test
  void transactRunsAgainAfterAConflict() throws IOException {
    AtomicInteger runs = new AtomicInteger();
    long sum =
        database.transact(
            transaction -> {
              KeyValueStore own = transaction.keyValueStore("kv");
              long result = own.increment(bytes("n"), 1);
              if (runs.incrementAndGet() < 4) {
                store.increment(bytes("n"), 10);
              }
              return result;
            });
    assertThat(sum).isEqualTo(31);
    assertThat(runs).hasValue(4);
    assertThat(store.increment(bytes("n"), 0)).isEqualTo(31);
  }

  @Test
  void transactRunsAgainAfterATruncation() throws IOException {
    store.put(bytes("n"), Q);
    AtomicInteger runs = new AtomicInteger();
    byte[] read =
        database.transact(
            transaction -> {
              if (runs.incrementAndGet() == 1) {
                database.truncateTable("kv");
              }
              return transaction.keyValueStore("kv").get(bytes("n"));
            });
    assertThat(read).isNull();
    assertThat(runs).hasValue(2);
  }

  @Test
  @Tag("slow")
  void transactGivesUpAtLast() {
    AtomicInteger runs = new AtomicInteger();
    assertThatExceptionOfType(TransactionConflictException.class)
        .isThrownBy(
            () ->
                database.transact(
                    Isolation.SERIALIZABLE,
                    transaction -> {
                      runs.incrementAndGet();
                      transaction.keyValueStore("kv").put(bytes("a"), Q);
                      store.put(bytes("a"), Q);
                      return null;
                    }));
    assertThat(runs.get()).isBetween(10, 100);
  }

  @Test
  void transactRollsBackWhatFails() throws IOException {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                database.transact(
                    transaction -> {
                      transaction.keyValueStore("kv").put(bytes("a"), Q);
                      throw new IllegalArgumentException("of the body");
                    }));
    assertThat(keys(store)).isEmpty();
  }

  @Test
  void manyWhoIncrementLoseNothing() throws Exception {
    List<Thread> threads = new ArrayList<>();
    AtomicInteger failures = new AtomicInteger();
    for (int i = 0; i < 4; i++) {
      Thread thread =
          new Thread(
              () -> {
                try {
                  for (int n = 0; n < 50; n++) {
                    database.transact(
                        Isolation.SERIALIZABLE,
                        transaction -> {
                          KeyValueStore own = transaction.keyValueStore("kv");
                          keys(own);
                          return own.increment(bytes("n"), 1);
                        });
                  }
                } catch (IOException e) {
                  failures.incrementAndGet();
                }
              });
      thread.start();
      threads.add(thread);
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(failures).hasValue(0);
    assertThat(store.increment(bytes("n"), 0)).isEqualTo(200);
  }

  private static void assertConflict(Transaction transaction) {
    assertThatExceptionOfType(TransactionConflictException.class).isThrownBy(transaction::commit);
  }

  private static List<String> keys(KeyValueStore store) throws IOException {
    List<String> keys = new ArrayList<>();
    try (KeyValueIterator found = store.range(null, null)) {
      found.forEachRemaining(each -> keys.add(new String(each.key(), US_ASCII)));
    }
    return keys;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(US_ASCII);
  }
}
