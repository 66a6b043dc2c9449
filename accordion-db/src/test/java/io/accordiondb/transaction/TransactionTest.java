// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.transaction;

import static io.accordiondb.fixtures.TestData.bytes;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.accordiondb.Append;
import io.accordiondb.CheckAndMutate;
import io.accordiondb.Delete;
import io.accordiondb.Durability;
import io.accordiondb.FamilyDescriptor;
import io.accordiondb.FamilyNotFoundException;
import io.accordiondb.Get;
import io.accordiondb.Increment;
import io.accordiondb.KeyValue;
import io.accordiondb.KeyValueCursor;
import io.accordiondb.KeyValueIterator;
import io.accordiondb.KeyValueStore;
import io.accordiondb.Merge;
import io.accordiondb.Put;
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
import io.accordiondb.ValueTooLargeException;
import io.accordiondb.retention.KeepDeletedCells;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What each read and write of a transaction does, and what it refuses. */
class TransactionTest extends TransactionFixture {
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
  void aDeletedRangeOfAFamilyThatKeepsDeletedCellsIsKeptForReadsOfThePast() throws IOException {
    database.createTable(
        TableDescriptor.builder("kept")
            .family(FamilyDescriptor.builder("f").keepDeletedCells(KeepDeletedCells.TRUE).build())
            .build());
    Table kept = database.table("kept");
    byte[] row = bytes("r");
    Get past = new Get(row).setTimeRange(0, Long.MAX_VALUE - 1);
    kept.put(new Put(row).addColumn(F, Q, 5, bytes("old")));
    try (Transaction transaction = database.beginTransaction()) {
      Table own = transaction.table("kept");
      own.deleteRange(bytes("q"), bytes("s"));
      assertThat(own.exists(new Get(row))).isFalse();
      assertThat(own.get(past).value(F, Q)).isEqualTo(bytes("old"));
      transaction.commit();
    }
    assertThat(kept.exists(new Get(row))).isFalse();
    assertThat(kept.get(past).value(F, Q)).isEqualTo(bytes("old"));
    kept.deleteRange(bytes("q"), bytes("s"));
    assertThat(kept.exists(past)).isFalse();
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
  void aScanDoesNotReturnWhatWasRolledBackAheadOfIt() throws IOException {
    store.put(bytes("c"), bytes("old"));
    table.put(new Put(bytes("c")).addColumn(F, Q, bytes("old")));
    try (Transaction transaction = database.beginTransaction()) {
      KeyValueStore own = transaction.keyValueStore("kv");
      Table ownTable = transaction.table("t");
      own.put(bytes("a"), bytes("kept"));
      ownTable.put(new Put(bytes("a")).addColumn(F, Q, bytes("kept")));
      ownTable.put(new Put(bytes("d")).addColumn(F, Q, bytes("kept")));
      Savepoint savepoint = transaction.savepoint();
      own.put(bytes("b"), bytes("undone"));
      own.delete(bytes("c"));
      ownTable.put(new Put(bytes("b")).addColumn(F, Q, bytes("undone")));
      ownTable.put(new Put(bytes("c")).addColumn(bytes("g"), Q, bytes("undone")));
      try (KeyValueIterator keys = own.range(null, null);
          KeyValueCursor cursor = own.cursor(null, null);
          ResultScanner up = ownTable.scan(new Scan());
          ResultScanner down = ownTable.scan(new Scan().setReversed(true))) {
        assertThat(keys.next().key()).isEqualTo(bytes("a"));
        assertThat(cursor.first()).isTrue();
        assertThat(up.next().row()).isEqualTo(bytes("a"));
        assertThat(down.next().row()).isEqualTo(bytes("d"));
        transaction.rollbackTo(savepoint);
        KeyValue next = keys.next();
        assertThat(next.key()).isEqualTo(bytes("c"));
        assertThat(next.value()).isEqualTo(bytes("old"));
        assertThat(keys.hasNext()).isFalse();
        assertThat(cursor.next()).isTrue();
        assertThat(cursor.valueBytes()).isEqualTo(bytes("old"));
        for (ResultScanner rows : List.of(up, down)) {
          Result row = rows.next();
          assertThat(row.row()).isEqualTo(bytes("c"));
          assertThat(row.cells()).hasSize(1);
        }
        assertThat(up.next().row()).isEqualTo(bytes("d"));
        assertThat(up.next()).isNull();
        assertThat(down.next().row()).isEqualTo(bytes("a"));
        assertThat(down.next()).isNull();
      }
    }
  }

  /** Columns that have no value are left out of a family with a merge operator. */
  @Test
  void aScanReturnsOperandsWhoseDeletionWasRolledBackAheadOfIt() throws IOException {
    FamilyDescriptor counters = FamilyDescriptor.builder("f").mergeOperator("counter").build();
    database.createTable(TableDescriptor.builder("m").family(counters).build());
    for (String row : List.of("a", "b", "c", "d")) {
      database.table("m").merge(new Merge(bytes(row)).addColumn(F, Q, new byte[Long.BYTES]));
    }
    try (Transaction transaction = database.beginTransaction()) {
      Table own = transaction.table("m");
      Savepoint savepoint = transaction.savepoint();
      for (String row : List.of("b", "c")) {
        own.delete(new Delete(bytes(row)));
      }
      try (ResultScanner up = own.scan(new Scan());
          ResultScanner upToTheDeleted = own.scan(new Scan().setStopRow(bytes("d")));
          ResultScanner down = own.scan(new Scan().setReversed(true))) {
        assertThat(up.next().row()).isEqualTo(bytes("a"));
        assertThat(upToTheDeleted.next().row()).isEqualTo(bytes("a"));
        assertThat(down.next().row()).isEqualTo(bytes("d"));
        transaction.rollbackTo(savepoint);
        assertThat(rows(up)).containsExactly("b", "c", "d");
        assertThat(rows(upToTheDeleted)).containsExactly("b", "c");
        assertThat(rows(down)).containsExactly("c", "b", "a");
      }
    }
  }

  private static List<String> rows(ResultScanner scanner) {
    List<String> rows = new ArrayList<>();
    scanner.forEach(row -> rows.add(new String(row.row(), US_ASCII)));
    return rows;
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
  void whatATransactionHasAcceptedItCommits() throws IOException {
    database.reconfigure(now -> now.batchBytesMax(2000).valueBytesMax(1000));
    Transaction transaction = database.beginTransaction();
    KeyValueStore own = transaction.keyValueStore("kv");
    // The lengths of tags and the headers of a batch need room besides.
    own.put(bytes("a"), Q, 1000);
    int accepted = 1;
    boolean room = true;
    while (room) {
      try {
        own.put(bytes("b" + accepted), Q);
        accepted++;
      } catch (ValueTooLargeException e) {
        room = false;
      }
    }
    transaction.commit();
    assertThat(keys(store)).hasSize(accepted);
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
  void aWriteWithoutATimestampDoesNotExpireBeforeTheCommit() throws IOException {
    FamilyDescriptor expiring = FamilyDescriptor.builder("f").ttlMillis(1000).build();
    FamilyDescriptor merging = expiring.toBuilder().mergeOperator("counter").build();
    database.createTable(TableDescriptor.builder("expiring").family(expiring).build());
    database.createTable(TableDescriptor.builder("merging").family(merging).build());
    byte[] three = ByteBuffer.allocate(Long.BYTES).putLong(3).array();
    try (Transaction transaction = database.beginTransaction()) {
      KeyValueStore own = transaction.keyValueStore("kv");
      own.put(bytes("a"), bytes("deleted"), 1000);
      own.put(bytes("b"), bytes("kept"), 1000);
      Table counts = transaction.table("expiring");
      counts.increment(Q, F, Q, 5);
      counts.put(new Put(Q).addColumn(F, bytes("dated"), clock.get(), bytes("v")));
      transaction.table("merging").merge(new Merge(Q).addColumn(F, Q, three));
      clock.addAndGet(1001);
      assertThat(keys(own)).containsExactly("a", "b");
      assertThat(own.putIfAbsent(bytes("b"), bytes("other"))).isEqualTo(bytes("kept"));
      own.deleteRange(bytes("a"), bytes("b"));
      assertThat(keys(own)).containsExactly("b");
      assertThat(counts.increment(Q, F, Q, 3)).isEqualTo(8);
      assertThat(counts.get(new Get(Q)).cells()).hasSize(1);
      transaction.table("merging").merge(new Merge(Q).addColumn(F, Q, three));
      Result merged = transaction.table("merging").get(new Get(Q));
      assertThat(ByteBuffer.wrap(merged.value(F, Q)).getLong()).isEqualTo(6);
      transaction.commit();
    }
    clock.addAndGet(1000);
    assertThat(keys(store)).containsExactly("b");
    assertThat(database.table("expiring").increment(Q, F, Q, 0)).isEqualTo(8);
    Result merged = database.table("merging").get(new Get(Q));
    assertThat(ByteBuffer.wrap(merged.value(F, Q)).getLong()).isEqualTo(6);
    clock.addAndGet(1);
    assertThat(keys(store)).isEmpty();
    assertThat(database.table("merging").get(new Get(Q)).isEmpty()).isTrue();
  }
}
