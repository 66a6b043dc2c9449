// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.transaction;

import static io.accordiondb.fixtures.TestData.bytes;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.accordiondb.ClosedException;
import io.accordiondb.Database;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.Durability;
import io.accordiondb.FamilyDescriptor;
import io.accordiondb.Get;
import io.accordiondb.KeyValueIterator;
import io.accordiondb.KeyValueStore;
import io.accordiondb.Table;
import io.accordiondb.TableDescriptor;
import io.accordiondb.Transaction;
import io.accordiondb.TransactionConflictException;
import io.accordiondb.internal.engine.DatabaseEngine;
import io.accordiondb.internal.storage.MemoryStorage;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A database with a store and a table, and what the tests of transactions say about them. */
abstract class TransactionFixture {
  static final byte[] F = bytes("f");
  static final byte[] Q = bytes("q");

  final MemoryStorage storage = new MemoryStorage();
  final AtomicLong clock = new AtomicLong(1_000_000);
  Database database;
  KeyValueStore store;
  Table table;

  DatabaseOptions.Builder options() {
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

  /** Begins a transaction that has written one row. */
  Transaction writing() throws IOException {
    Transaction transaction = database.beginTransaction();
    transaction.keyValueStore("kv").put(bytes("a"), Q);
    return transaction;
  }

  static void assertConflict(Transaction transaction) {
    assertThatExceptionOfType(TransactionConflictException.class).isThrownBy(transaction::commit);
  }

  static void assertEnded(Transaction transaction) {
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

  static void assertClosed(ThrowingCallable use) {
    assertThatExceptionOfType(ClosedException.class)
        .isThrownBy(use)
        .withMessageContaining("the transaction");
  }

  static List<String> keys(KeyValueStore store) throws IOException {
    List<String> keys = new ArrayList<>();
    try (KeyValueIterator found = store.range(null, null)) {
      found.forEachRemaining(each -> keys.add(new String(each.key(), US_ASCII)));
    }
    return keys;
  }
}
