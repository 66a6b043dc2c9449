// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.transaction;

import static io.accordiondb.fixtures.TestData.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.accordiondb.DatabaseClosedException;
import io.accordiondb.Isolation;
import io.accordiondb.KeyValueIterator;
import io.accordiondb.KeyValueStore;
import io.accordiondb.ResultScanner;
import io.accordiondb.Scan;
import io.accordiondb.TransactionConflictException;
import io.accordiondb.fixtures.TestThread;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How a body of a transaction runs again after conflicts. */
class TransactTest extends TransactionFixture {
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

  /** Iterators wrap the exception that says so. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void transactRunsAgainAfterATruncationThatAnIteratorMeets(boolean ofTable) throws IOException {
    store.put(bytes("n"), Q);
    AtomicInteger runs = new AtomicInteger();
    boolean found =
        database.transact(
            transaction -> {
              if (runs.incrementAndGet() == 1) {
                database.truncateTable("kv");
              }
              if (ofTable) {
                try (ResultScanner rows = transaction.table("kv").scan(new Scan())) {
                  return rows.iterator().hasNext();
                }
              }
              try (KeyValueIterator keys = transaction.keyValueStore("kv").range(null, null)) {
                return keys.hasNext();
              }
            });
    assertThat(found).isFalse();
    assertThat(runs).hasValue(2);
  }

  /** Closing the database ends the transaction before the body uses it again. */
  @Test
  void transactSaysThatTheDatabaseWasClosedBesideIt() {
    assertThatExceptionOfType(DatabaseClosedException.class)
        .isThrownBy(
            () ->
                database.transact(
                    transaction -> {
                      database.close();
                      return transaction.keyValueStore("kv").get(bytes("n"));
                    }));
  }

  @Test
  @Tag("slow")
  void transactGivesUpAtLast() {
    AtomicInteger runs = new AtomicInteger();
    long begun = System.nanoTime();
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
    long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begun);
    assertThat(runs).hasValueLessThanOrEqualTo(100);
    assertThat(runs.get() == 100 || seconds >= 10)
        .as("%d attempts, %d s", runs.get(), seconds)
        .isTrue();
  }

  /** Without pauses, all attempts would end within some ten milliseconds. */
  @Test
  void anInterruptedThreadPausesBetweenItsAttempts() throws IOException {
    long begun = System.nanoTime();
    Thread.currentThread().interrupt();
    try {
      database.transact(
          transaction -> {
            transaction.keyValueStore("kv").put(bytes("a"), bytes("own"));
            if (System.nanoTime() - begun < 500_000_000) {
              store.put(bytes("a"), Q);
            }
            return null;
          });
    } finally {
      assertThat(Thread.interrupted()).as("the flag of the thread").isTrue();
    }
    assertThat(store.get(bytes("a"))).isEqualTo(bytes("own"));
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
    List<TestThread> threads = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      TestThread thread =
          TestThread.start(
              "incrementing",
              () -> {
                for (int n = 0; n < 50; n++) {
                  database.transact(
                      Isolation.SERIALIZABLE,
                      transaction -> {
                        KeyValueStore own = transaction.keyValueStore("kv");
                        keys(own);
                        return own.increment(bytes("n"), 1);
                      });
                }
              });
      threads.add(thread);
    }
    for (TestThread thread : threads) {
      thread.join();
    }
    assertThat(store.increment(bytes("n"), 0)).isEqualTo(200);
  }
}
