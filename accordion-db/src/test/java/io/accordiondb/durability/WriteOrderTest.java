// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.durability;

import static io.accordiondb.fixtures.TestData.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.CheckAndMutate;
import io.accordiondb.Database;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.Durability;
import io.accordiondb.Get;
import io.accordiondb.Increment;
import io.accordiondb.KeyValueStore;
import io.accordiondb.LogWriting;
import io.accordiondb.Put;
import io.accordiondb.RowMutations;
import io.accordiondb.Table;
import io.accordiondb.TableDescriptor;
import io.accordiondb.Transaction;
import io.accordiondb.TransactionConflictException;
import io.accordiondb.WriteBatch;
import io.accordiondb.durability.StoppableStorage.Stop;
import io.accordiondb.fixtures.Await;
import io.accordiondb.internal.engine.DatabaseEngine;
import io.accordiondb.internal.storage.MemoryStorage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Writes and changes of the same row that overtake each other between the time that they get and
 * their commit: whatever is committed last is what readers see.
 */
class WriteOrderTest {
  /** It is a matter of luck which thread gets the log; some attempts are enough. */
  private static final int ATTEMPTS_MAX = 2_000;

  private static final int MANY = 4_000;
  private static final int ROUNDS = 100_000;
  private static final int THREADS = 4;
  private static final byte[] ROW = bytes("row");
  private static final byte[] F = bytes("f");
  private static final byte[] Q = bytes("q");
  private static final byte[] HUNDRED = ByteBuffer.allocate(Long.BYTES).putLong(100).array();

  private final AtomicLong clock = new AtomicLong(1_000_000);
  private final StoppableStorage stoppable = new StoppableStorage();
  private final MemoryStorage disk = new MemoryStorage();
  private Database database = open();
  private KeyValueStore store = store();

  /** A change that depends on what is stored; returns whether it was made without the write. */
  interface Change {
    boolean apply(byte[] key) throws IOException;
  }

  private Database open() {
    try {
      return DatabaseEngine.open(
          stoppable.over(disk),
          DatabaseOptions.builder()
              .memoryBytes(8 << 20)
              .logWriting(LogWriting.PLAIN)
              .clock(() -> Instant.ofEpochMilli(clock.get()))
              .build());
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private KeyValueStore store() {
    try {
      return database.keyValueStore("s");
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @AfterEach
  void close() throws IOException {
    database.close();
  }

  @Test
  void aPutIsNotHiddenByAConditionalPut() throws Exception {
    assertShowsThePut(key -> store.putIfAbsent(key, bytes("change")) == null);
  }

  @Test
  void aPutIsNotHiddenByAnIncrement() throws Exception {
    assertShowsThePut(key -> store.increment(key, 5) == 5);
  }

  @Test
  void aPutIsNotHiddenByATransaction() throws Exception {
    assertShowsThePut(
        key -> {
          try (Transaction transaction = database.beginTransaction()) {
            boolean first = transaction.keyValueStore("s").putIfAbsent(key, bytes("c")) == null;
            transaction.commit();
            return first;
          } catch (TransactionConflictException e) {
            return false;
          }
        });
  }

  private void assertShowsThePut(Change change) throws Exception {
    List<byte[]> keys = overtaken(key -> new WriteBatch().put(store, key, HUNDRED), change);
    for (byte[] key : keys) {
      assertThat(store.get(key)).isEqualTo(HUNDRED);
    }
    database.flush();
    database.majorCompact("s");
    database.close();
    database = open();
    store = store();
    for (byte[] key : keys) {
      assertThat(store.get(key)).isEqualTo(HUNDRED);
    }
  }

  @Test
  void aDeleteHidesAnExchange() throws Exception {
    List<byte[]> keys =
        overtaken(
            key -> {
              store.put(key, bytes("old"));
              return new WriteBatch().delete(store, key);
            },
            key -> store.getAndPut(key, bytes("change")) != null);
    for (byte[] key : keys) {
      assertThat(store.get(key)).isNull();
    }
  }

  /**
   * A put comes between the time of a check and its read. That is rare, so it takes many rounds.
   */
  @Test
  @Tag("long")
  void aPutDoesNotHideAChangeThatHasSeenIt() throws Exception {
    Database running = Database.inMemory(DatabaseOptions.builder().memoryBytes(64 << 20).build());
    AtomicLong round = new AtomicLong();
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try (running) {
      running.createTable(TableDescriptor.of("t", "f"));
      Table table = running.table("t");
      Future<?> putting = threads.submit(() -> putEachRound(table, round));
      for (int i = 1; i < THREADS; i++) {
        // They take the processor away from the others in the midst of a call.
        threads.execute(
            () -> {
              while (round.get() < ROUNDS) {
                Thread.onSpinWait();
              }
            });
      }
      for (int i = 1; i <= ROUNDS; i++) {
        round.set(i);
        CheckAndMutate change = changeOf(bytes("put" + i), bytes("change" + i));
        while (!table.checkAndMutate(change).succeeded()) {
          Thread.onSpinWait();
        }
        assertThat(table.get(new Get(ROW)).value(F, Q)).isEqualTo(bytes("change" + i));
      }
      putting.get();
    } finally {
      round.set(ROUNDS);
      threads.shutdown();
    }
  }

  private static Void putEachRound(Table table, AtomicLong round) throws IOException {
    long done = 0;
    while (done < ROUNDS) {
      long now = round.get();
      if (now > done) {
        table.put(new Put(ROW).addColumn(F, Q, bytes("put" + now)));
        done = now;
      }
    }
    return null;
  }

  private static CheckAndMutate changeOf(byte[] expected, byte[] value) {
    return CheckAndMutate.builder(ROW)
        .ifEquals(F, Q, expected)
        .build(
            new RowMutations(ROW)
                .add(new Put(ROW).addColumn(F, Q, value))
                .add(new Increment(ROW).addColumn(F, bytes("count"), 1)));
  }

  /** Returns the batch to submit. */
  interface Submission {
    WriteBatch of(byte[] key) throws IOException;
  }

  /** Returns keys whose change got its number before the write that was submitted before it. */
  private List<byte[]> overtaken(Submission submission, Change change) throws Exception {
    List<byte[]> keys = new ArrayList<>();
    for (int attempt = 0; attempt < ATTEMPTS_MAX && keys.size() < 3; attempt++) {
      byte[] key = bytes("k" + attempt);
      if (isOvertaken(submission.of(key), () -> change.apply(key))) {
        keys.add(key);
      }
    }
    assertThat(keys).isNotEmpty();
    return keys;
  }

  private boolean isOvertaken(WriteBatch batch, Callable<Boolean> change) throws Exception {
    Stop device = stoppable.stop("accordion", "sync", "wal/");
    // The thread that commits adds these to memory while the change gets the log.
    WriteBatch many = new WriteBatch();
    for (int i = 0; i < MANY; i++) {
      many.put(store, bytes("other" + i), HUNDRED);
    }
    CompletableFuture<?> busy = database.writeAsync(many, Durability.FSYNC).toCompletableFuture();
    device.awaitReached();
    CompletableFuture<?> submitted =
        database.writeAsync(batch, Durability.FSYNC).toCompletableFuture();
    clock.addAndGet(10);
    FutureTask<Boolean> changed = new FutureTask<>(change);
    Thread thread = new Thread(changed);
    thread.start();
    Await.await("the change waits for the log", () -> thread.getState() == Thread.State.WAITING);
    device.release();
    busy.get();
    submitted.get();
    return changed.get();
  }
}
