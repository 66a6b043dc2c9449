// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.transaction;

import static io.accordiondb.fixtures.TestData.bytes;
import static io.accordiondb.internal.storage.MemoryStorage.LOSES_ALL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.accordiondb.Database;
import io.accordiondb.Durability;
import io.accordiondb.Get;
import io.accordiondb.KeyValueStore;
import io.accordiondb.LoggedText;
import io.accordiondb.Put;
import io.accordiondb.ReadOnlyDatabaseException;
import io.accordiondb.ResultScanner;
import io.accordiondb.Savepoint;
import io.accordiondb.Scan;
import io.accordiondb.Table;
import io.accordiondb.Transaction;
import io.accordiondb.internal.engine.DatabaseEngine;
import io.accordiondb.internal.storage.MemoryStorage;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is left of a transaction that has ended, and what ends it. */
class TransactionEndTest extends TransactionFixture {
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
    try (LoggedText log = new LoggedText()) {
      Transaction left = writing();
      database.close();
      assertClosed(left::commit);
      assertThat(log.toString())
          .contains("a transaction open, which is rolled back")
          .contains("TransactionFixture.writing");
    }
  }

  /** A stack for each would fill the log. */
  @Test
  void ofManyTransactionsOpenAtTheEndTenAreReportedAndTheOthersCounted() throws IOException {
    try (LoggedText log = new LoggedText()) {
      for (int i = 0; i < 13; i++) {
        writing();
      }
      database.close();
      assertThat(log.toString().split("a transaction open, which is rolled back", -1)).hasSize(11);
      assertThat(log.toString()).contains("3 more transactions were open and are rolled back");
    }
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

  @Test
  void aCommitIsAsDurableAsTheStrongestOfItsWrites() throws IOException {
    for (List<Durability> writes :
        List.of(
            List.of(Durability.FSYNC, Durability.ASYNC),
            List.of(Durability.SKIP, Durability.FSYNC, Durability.SYNC))) {
      try (Transaction transaction = database.beginTransaction()) {
        Table own = transaction.table("t");
        for (Durability durability : writes) {
          put(own, durability);
        }
        Savepoint savepoint = transaction.savepoint();
        put(own, Durability.SKIP);
        transaction.rollbackTo(savepoint);
        transaction.commit();
      }
      try (Database after = DatabaseEngine.open(storage.crash(LOSES_ALL), options().build())) {
        for (Durability durability : writes) {
          assertThat(after.table("t").get(new Get(bytes(durability.name()))).isEmpty())
              .as("%s of %s", durability, writes)
              .isFalse();
        }
      }
    }
  }

  @Test
  void aWriteThatIsRolledBackAsksForNoDurability() throws IOException {
    try (Transaction transaction = database.beginTransaction()) {
      put(transaction.table("t"), Durability.ASYNC);
      Savepoint savepoint = transaction.savepoint();
      put(transaction.table("t"), Durability.FSYNC);
      transaction.rollbackTo(savepoint);
      transaction.commit();
    }
    try (Database after = DatabaseEngine.open(storage.copy(), options().build())) {
      assertThat(after.table("t").get(new Get(bytes(Durability.ASYNC.name()))).isEmpty()).isTrue();
    }
  }

  private static void put(Table table, Durability durability) throws IOException {
    Put put = new Put(bytes(durability.name())).addColumn(F, Q, Q);
    put.setDurability(durability);
    table.put(put);
  }

  @ParameterizedTest
  @EnumSource(Durability.class)
  void aCommitIsAsDurableAsAskedFor(Durability durability) throws IOException {
    Transaction transaction = writing();
    transaction.commit(durability);
    MemoryStorage left = durability == Durability.FSYNC ? storage.crash(LOSES_ALL) : storage.copy();
    try (Database after = DatabaseEngine.open(left, options().build())) {
      assertThat(keys(after.keyValueStore("kv")).isEmpty())
          .isEqualTo(durability == Durability.SKIP || durability == Durability.ASYNC);
    }
  }
}
