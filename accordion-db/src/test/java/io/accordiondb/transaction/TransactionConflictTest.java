// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.transaction;

import static io.accordiondb.fixtures.TestData.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.accordiondb.Bound;
import io.accordiondb.Database;
import io.accordiondb.FamilyDescriptor;
import io.accordiondb.Get;
import io.accordiondb.HistoryLostException;
import io.accordiondb.Isolation;
import io.accordiondb.KeyValue;
import io.accordiondb.KeyValueIterator;
import io.accordiondb.KeyValueStore;
import io.accordiondb.Put;
import io.accordiondb.ResultScanner;
import io.accordiondb.Scan;
import io.accordiondb.SortedFileWriter;
import io.accordiondb.TableDescriptor;
import io.accordiondb.Transaction;
import io.accordiondb.TransactionConflictException;
import io.accordiondb.internal.engine.DatabaseEngine;
import io.accordiondb.internal.storage.MemoryStorage;
import io.accordiondb.internal.storage.ReadingStorage;
import io.accordiondb.internal.storage.Storage;
import io.accordiondb.merge.MergeOperators;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which transactions conflict, under each isolation, and which do not. */
class TransactionConflictTest extends TransactionFixture {
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
  void aDeletedRangeThatDeletedNothingIsFoundInFiles() throws IOException {
    store.put(bytes("z"), Q);
    Transaction writing = writing();
    Transaction reading = database.beginTransaction(Isolation.SERIALIZABLE);
    assertThat(reading.keyValueStore("kv").get(bytes("a"))).isNull();
    reading.keyValueStore("kv").put(bytes("b"), Q);
    store.deleteRange(bytes("a"), bytes("b"));
    database.flush();
    database.majorCompact("kv");
    assertConflict(writing);
    assertConflict(reading);
  }

  @Test
  void anOperandThatHasExpiredSinceIsFoundInFiles() throws IOException {
    FamilyDescriptor expiring =
        FamilyDescriptor.builder(KeyValueStore.FAMILY)
            .mergeOperator(MergeOperators.append().name())
            .ttlMillis(1_000)
            .build();
    KeyValueStore operands = database.keyValueStore("m", expiring);
    Transaction transaction = database.beginTransaction(Isolation.SERIALIZABLE);
    assertThat(transaction.keyValueStore("m").get(bytes("a"))).isNull();
    transaction.keyValueStore("kv").put(bytes("b"), Q);
    operands.merge(bytes("a"), Q);
    clock.addAndGet(10_000);
    assertThat(operands.get(bytes("a"))).isNull();
    database.flush();
    database.majorCompact("m");
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
  void whatIsReadBesideARowReadForUpdateConflictsIfSerializable() throws IOException {
    for (Isolation isolation : Isolation.values()) {
      Transaction rowRead = database.beginTransaction(isolation);
      rowRead.getForUpdate("kv", bytes("a"));
      rowRead.keyValueStore("kv").get(bytes("b"));
      Transaction rangeRead = database.beginTransaction(isolation);
      rangeRead.getForUpdate("kv", bytes("a"));
      keys(rangeRead.keyValueStore("kv"));
      store.put(bytes("b"), Q);
      if (isolation == Isolation.SNAPSHOT) {
        rowRead.commit();
        rangeRead.commit();
      } else {
        assertConflict(rowRead);
        assertConflict(rangeRead);
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

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aPhantomOnABoundConflictsIfTheScanIncludesTheBound(boolean reversed) throws IOException {
    for (Bound bound : Bound.values()) {
      Scan scan =
          new Scan()
              .setReversed(reversed)
              .setStartRow(bytes(reversed ? "f" : "b"), bound)
              .setStopRow(bytes(reversed ? "b" : "f"), bound);
      for (String written : List.of("b", "f")) {
        Transaction transaction = database.beginTransaction(Isolation.SERIALIZABLE);
        transaction.keyValueStore("kv").put(bytes("zz"), Q);
        try (ResultScanner rows = transaction.table("kv").scan(scan)) {
          assertThat(rows.next()).isNull();
        }
        store.put(bytes(written), Q);
        if (bound == Bound.INCLUSIVE) {
          assertConflict(transaction);
        } else {
          transaction.commit();
        }
        store.delete(bytes(written));
      }
    }
  }

  @Test
  void anIngestedFileConflictsWithWhatWasRead(@TempDir Path folder) throws IOException {
    Transaction transaction = database.beginTransaction(Isolation.SERIALIZABLE);
    assertThat(transaction.keyValueStore("kv").get(bytes("a"))).isNull();
    transaction.keyValueStore("kv").put(bytes("b"), Q);
    String family = KeyValueStore.FAMILY;
    Path file = folder.resolve("ingested.sst");
    try (SortedFileWriter writer =
        SortedFileWriter.create(file, database.describe("kv").family(family))) {
      writer.add(bytes("a"), new byte[0], clock.get(), Q);
      writer.finish();
    }
    database.ingest("kv", family, List.of(file));
    assertThat(store.get(bytes("a"))).isEqualTo(Q);
    assertConflict(transaction);
  }

  @Test
  void aPhantomConflictsWhateverTheApplicationDoesWithArraysOfTheScan() throws IOException {
    store.put(bytes("c"), Q);
    for (boolean ownBounds : new boolean[] {true, false}) {
      byte[] from = bytes("a");
      byte[] to = bytes("h");
      Transaction transaction = database.beginTransaction(Isolation.SERIALIZABLE);
      KeyValueStore own = transaction.keyValueStore("kv");
      own.put(bytes("zz"), Q);
      try (KeyValueIterator found = own.range(from, to)) {
        byte[] key = found.next().key();
        if (ownBounds) {
          assertThat(found.hasNext()).isFalse();
          from[0] = 'f';
          to[0] = 'f';
        } else {
          key[0] = 'a';
        }
      }
      store.put(bytes("b"), Q);
      assertConflict(transaction);
      store.delete(bytes("b"));
    }
  }

  @Test
  void aPhantomBesideANeighbourConflictsWhateverTheApplicationDoesWithTheKey() throws IOException {
    store.put(bytes("c"), Q);
    for (boolean up : new boolean[] {true, false}) {
      byte[] key = bytes(up ? "a" : "h");
      Transaction transaction = database.beginTransaction(Isolation.SERIALIZABLE);
      KeyValueStore own = transaction.keyValueStore("kv");
      KeyValue found = up ? own.ceiling(key) : own.floor(key);
      assertThat(found.key()).isEqualTo(bytes("c"));
      key[0] = (byte) (up ? 'f' : 'a');
      own.put(bytes("zz"), Q);
      store.put(bytes(up ? "b" : "d"), Q);
      assertConflict(transaction);
      store.delete(bytes(up ? "b" : "d"));
    }
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
  void aCommitSearchesARangeOnceHoweverMuchIsWrittenBesideIt() throws IOException {
    int alone = readsOfCommit(0, "other", Q);
    assertThat(alone).isPositive();
    assertThat(readsOfCommit(3, "other", Q)).isEqualTo(alone);
  }

  @Test
  void aPhantomConflictsIfItIsWrittenWhileTheCommitSearches() {
    assertThatExceptionOfType(TransactionConflictException.class)
        .isThrownBy(() -> readsOfCommit(1, "kv", bytes("b1")));
  }

  /**
   * Returns how often the commit of a transaction that has read a range reads a file.
   *
   * @param puts before this many reads, the row is put into the other store
   */
  private int readsOfCommit(int puts, String otherStore, byte[] row) throws IOException {
    AtomicReference<KeyValueStore> other = new AtomicReference<>();
    AtomicInteger reads = new AtomicInteger();
    Storage busy =
        new ReadingStorage(
            new MemoryStorage(),
            "sst/",
            () -> {
              if (other.get() != null && reads.incrementAndGet() <= puts) {
                other.get().put(row, Q);
              }
            });
    try (Database database = DatabaseEngine.open(busy, options().build())) {
      KeyValueStore store = database.keyValueStore("kv");
      store.put(bytes("b"), Q);
      Transaction transaction = database.beginTransaction(Isolation.SERIALIZABLE);
      try (KeyValueIterator found = transaction.keyValueStore("kv").range(bytes("a"), bytes("c"))) {
        assertThat(found.next().key()).isEqualTo(bytes("b"));
        assertThat(found.hasNext()).isFalse();
      }
      transaction.keyValueStore("kv").put(bytes("zz"), Q);
      store.put(bytes("d"), Q);
      database.flush();
      other.set(database.keyValueStore(otherStore));
      transaction.commit();
      other.set(null);
    }
    return reads.get();
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

  @Test
  void aTableOfTheSameNameThatRefusesTheWriteConflicts() throws IOException {
    FamilyDescriptor plain = FamilyDescriptor.of(KeyValueStore.FAMILY);
    FamilyDescriptor merging =
        plain.toBuilder().mergeOperator(MergeOperators.append().name()).build();
    database.keyValueStore("m", merging);
    Transaction transaction = database.beginTransaction();
    transaction.keyValueStore("m").merge(bytes("a"), Q);
    database.dropTable("m");
    database.keyValueStore("m", plain);
    assertConflict(transaction);
    Transaction expiring = database.beginTransaction();
    expiring.keyValueStore("m").put(bytes("a"), Q, 1_000);
    database.dropTable("m");
    database.keyValueStore("m", merging);
    assertConflict(expiring);
  }

  @Test
  void aFamilyThatWasReadAndIsDroppedConflicts() throws IOException {
    byte[] row = bytes("r");
    table.put(new Put(row).addColumn(F, Q, Q).addColumn(bytes("g"), Q, Q));
    Transaction reading = database.beginTransaction(Isolation.SERIALIZABLE);
    assertThat(reading.table("t").get(new Get(row)).cells()).hasSize(2);
    reading.keyValueStore("kv").put(bytes("a"), Q);
    Transaction scanning = database.beginTransaction(Isolation.SERIALIZABLE);
    try (ResultScanner rows = scanning.table("t").scan(new Scan())) {
      assertThat(rows.next()).isNotNull();
    }
    scanning.keyValueStore("kv").put(bytes("b"), Q);
    Transaction forUpdate = database.beginTransaction();
    assertThat(forUpdate.getForUpdate("t", new Get(row)).cells()).hasSize(2);
    Transaction other = database.beginTransaction();
    other.table("t").put(new Put(row).addColumn(F, Q, bytes("other")));
    database.alterTable(TableDescriptor.of("t", "f"));
    assertConflict(reading);
    assertConflict(scanning);
    assertConflict(forUpdate);
    other.commit();
  }

  @Test
  void aTransactionOfBeforeTheDropOfAFamilyConflictsAlsoIfItReadsAfterwards() throws IOException {
    byte[] row = bytes("r");
    table.put(new Put(row).addColumn(F, Q, Q).addColumn(bytes("g"), Q, Q));
    Transaction reading = database.beginTransaction(Isolation.SERIALIZABLE);
    database.alterTable(TableDescriptor.of("t", "f"));
    assertThatExceptionOfType(HistoryLostException.class)
        .isThrownBy(() -> reading.table("t").get(new Get(row)));
    assertThat(reading.table("t").get(new Get(row).addFamily(F)).cells()).hasSize(1);
    reading.keyValueStore("kv").put(bytes("a"), Q);
    assertConflict(reading);
  }
}
