// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import static io.accordiondb.fixtures.TestData.bytes;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.fixtures.TestThread;
import io.accordiondb.internal.function.IoFunction;
import io.accordiondb.memstore.MemStorePolicy;
import io.accordiondb.memstore.Policy;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Writers, readers, scanners and read-modify-writes at once, while flushes and compactions run: no
 * batch is seen torn, no row goes back, no count is lost.
 */
class DatabaseConcurrencyTest {
  private static final byte[] F = bytes("f");
  private static final byte[] G = bytes("g");
  private static final byte[] Q = bytes("q");
  private static final int ROWS = 64;
  private static final int WRITERS = 2;
  private static final int PUTS_MAX = 100;
  private static final long RUN_MILLIS = 500;
  private static final long RUN_MILLIS_LONG = 20_000;

  @TempDir Path folder;

  private static byte[] row(int number) {
    return bytes(String.format("row%03d", number));
  }

  private static byte[] value(long number) {
    return ByteBuffer.allocate(200).putLong(number).array();
  }

  private static long number(byte[] value) {
    return value == null ? 0 : ByteBuffer.wrap(value).getLong();
  }

  @ParameterizedTest
  @EnumSource(Policy.class)
  void showsOnlyWholeBatchesAndLosesNoCount(Policy policy) throws Exception {
    run(policy, RUN_MILLIS);
  }

  @ParameterizedTest
  @EnumSource(Policy.class)
  @Tag("long")
  void showsOnlyWholeBatchesAndLosesNoCountForLonger(Policy policy) throws Exception {
    run(policy, RUN_MILLIS_LONG);
  }

  private void run(Policy policy, long millis) throws Exception {
    DatabaseOptions options =
        DatabaseOptions.builder()
            .memoryBytes(4 << 20)
            .storeFlushBytes(512 << 10)
            .experiment(e -> e.withChunkBytes(16 << 10))
            .durability(Durability.ASYNC)
            .memStorePolicy(MemStorePolicy.of(policy).withActiveFraction(0.1))
            .build();
    try (Database database = Database.open(folder, options)) {
      database.createTable(TableDescriptor.of("t", "f", "g"), row(20), row(40));
      database.createTable(TableDescriptor.of("u", "f"));
      long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
      List<Callable<Long>> tasks = new ArrayList<>();
      for (int writer = 0; writer < WRITERS; writer++) {
        int id = writer;
        tasks.add(() -> writeRounds(database, id, deadline));
      }
      tasks.add(() -> readRows(database, deadline));
      tasks.add(() -> scanRows(database, deadline));
      tasks.add(() -> increment(database, deadline));
      tasks.add(() -> increment(database, deadline));
      tasks.add(() -> checkAndMutate(database, deadline));
      tasks.add(() -> maintain(database, deadline));
      ExecutorService executor = Executors.newFixedThreadPool(tasks.size());
      List<Future<Long>> results = new ArrayList<>();
      tasks.forEach(task -> results.add(executor.submit(task)));
      List<Long> counts = new ArrayList<>();
      for (Future<Long> result : results) {
        counts.add(result.get(10, TimeUnit.MINUTES));
      }
      executor.shutdown();

      assertThat(counts).allMatch(count -> count > 0);
      long increments = counts.get(WRITERS + 2) + counts.get(WRITERS + 3);
      assertThat(number(database.table("u").get(new Get(bytes("n"))).value(F, Q)))
          .isEqualTo(increments);
      assertThat(number(database.table("u").get(new Get(bytes("cas"))).value(F, Q)))
          .isEqualTo(counts.get(WRITERS + 4));
      assertThat(database.statistics().flushes().count()).as("flushes").isPositive();
    }
  }

  /** Each time that it has read the row and looks at the clock, another thread writes the row. */
  @Test
  void anIncrementEndsThoughOtherWritesOvertakeItAgainAndAgain() throws Exception {
    Put put = new Put(row(1)).addColumn(F, G, bytes("v"));
    assertThat(incrementedBeside(put).value(F, G)).isEqualTo(bytes("v"));
  }

  @Test
  void anIncrementEndsThoughDeletionsOfRangesOvertakeItAgainAndAgain() throws Exception {
    // Locks go by rows, and the range begins at another one.
    DeleteRange range = new DeleteRange(row(0), row(2));
    assertThat(incrementedBeside(range).isEmpty()).isTrue();
  }

  @Test
  void anIncrementEndsThoughDeletionsOfRangesThatAreLookedUpOvertakeItAgainAndAgain()
      throws Exception {
    DeleteRange range = new DeleteRange(row(0), row(2));
    Delete newest = new Delete(row(0)).addColumn(F, Q);
    assertThat(incrementedBeside(range, newest).isEmpty()).isTrue();
  }

  @Test
  void anIncrementEndsThoughTransactionsOvertakeItAgainAndAgain() throws Exception {
    Put put = new Put(row(1)).addColumn(F, G, bytes("v"));
    Result left =
        incrementedBeside(
            database ->
                database.transact(
                    transaction -> {
                      transaction.table("t").put(put);
                      return true;
                    }));
    assertThat(left.value(F, G)).isEqualTo(bytes("v"));
  }

  private Result incrementedBeside(Mutation... other) throws Exception {
    return incrementedBeside(
        database -> {
          database.table("t").mutate(List.of(other));
          return true;
        });
  }

  /** Increments a row that another write overtakes; returns the row after both. */
  private Result incrementedBeside(IoFunction<Database, Boolean> other) throws Exception {
    Thread incrementing = Thread.currentThread();
    AtomicReference<TestThread> waiting = new AtomicReference<>();
    AtomicReference<Database> overtaken = new AtomicReference<>();
    AtomicInteger puts = new AtomicInteger();
    InstantSource clock =
        () -> {
          Database written = overtaken.get();
          if (written != null && Thread.currentThread() == incrementing) {
            TestThread put = TestThread.start("overtaking", () -> other.apply(written));
            if (!put.endsBeforeItIsBlockedIn("awaitTurns")) {
              waiting.set(put);
              overtaken.set(null);
            } else if (puts.incrementAndGet() == PUTS_MAX) {
              overtaken.set(null);
            }
          }
          return Instant.now();
        };
    try (Database database =
        Database.open(folder, DatabaseOptions.builder().clock(clock).build())) {
      database.createTable(TableDescriptor.of("t", "f"));
      Table table = database.table("t");
      overtaken.set(database);
      assertThat(table.increment(row(1), F, Q, 5)).isEqualTo(5);
      assertThat(puts).hasValueBetween(1, PUTS_MAX - 1);
      waiting.get().join();
      return table.get(new Get(row(1)));
    }
  }

  /** Each round is one batch: the same number into both families of all rows of the writer. */
  private static long writeRounds(Database database, int writer, long deadline) throws IOException {
    long round = 0;
    while (round == 0 || System.nanoTime() < deadline) {
      round++;
      WriteBatch batch = new WriteBatch();
      for (int row = writer; row < ROWS; row += WRITERS) {
        batch.put(
            "t", new Put(row(row)).addColumn(F, Q, value(round)).addColumn(G, Q, value(round)));
      }
      database.write(batch);
      long found = number(database.table("t").get(new Get(row(writer))).value(G, Q));
      assertThat(found).as("own write").isEqualTo(round);
    }
    return round;
  }

  private static long readRows(Database database, long deadline) throws IOException {
    Table table = database.table("t");
    long[] seen = new long[ROWS];
    Random random = new Random(1);
    long reads = 0;
    while (reads == 0 || System.nanoTime() < deadline) {
      int row = random.nextInt(ROWS);
      Get get = new Get(row(row));
      if (reads % 2 == 0) {
        get.addColumn(F, Q).addColumn(G, Q);
      }
      Result result = table.get(get);
      long inF = number(result.value(F, Q));
      assertThat(number(result.value(G, Q))).as("families of row %d", row).isEqualTo(inF);
      assertThat(inF).as("row %d", row).isGreaterThanOrEqualTo(seen[row]);
      seen[row] = inF;
      reads++;
    }
    return reads;
  }

  /** A scan sees one moment: all rows of a writer hold the same number. */
  private static long scanRows(Database database, long deadline) throws IOException {
    Table table = database.table("t");
    long scans = 0;
    while (scans == 0 || System.nanoTime() < deadline) {
      long[] numbers = new long[WRITERS];
      Arrays.fill(numbers, -1);
      try (ResultScanner scanner = table.scan(new Scan().setReversed(scans % 2 == 1))) {
        for (Result result : scanner) {
          int row = Integer.parseInt(new String(result.row(), US_ASCII).substring(3));
          long inF = number(result.value(F, Q));
          assertThat(number(result.value(G, Q))).isEqualTo(inF);
          if (numbers[row % WRITERS] < 0) {
            numbers[row % WRITERS] = inF;
          }
          assertThat(inF).as("row %d of one scan", row).isEqualTo(numbers[row % WRITERS]);
        }
      }
      scans++;
    }
    return scans;
  }

  private static long increment(Database database, long deadline) throws IOException {
    Table table = database.table("u");
    long done = 0;
    while (done == 0 || System.nanoTime() < deadline) {
      table.increment(bytes("n"), F, Q, 1);
      done++;
    }
    return done;
  }

  private static long checkAndMutate(Database database, long deadline) throws IOException {
    Table table = database.table("u");
    byte[] row = bytes("cas");
    long done = 0;
    byte[] expected = null;
    while (done == 0 || System.nanoTime() < deadline) {
      byte[] next = ByteBuffer.allocate(Long.BYTES).putLong(done + 1).array();
      CheckAndMutate.Builder check = CheckAndMutate.builder(row);
      if (expected == null) {
        check.ifNotExists(F, Q);
      } else {
        check.ifEquals(F, Q, expected);
      }
      Put put = new Put(row).addColumn(F, Q, next);
      assertThat(table.checkAndMutate(check.build(put)).succeeded()).isTrue();
      expected = next;
      done++;
    }
    return done;
  }

  private static long maintain(Database database, long deadline) throws IOException {
    long rounds = 0;
    while (rounds == 0 || System.nanoTime() < deadline) {
      database.flushInMemory("t");
      database.flush(rounds % 2 == 0 ? "t" : "u");
      Compactions.compact(database, "t", rounds % 5 == 4);
      rounds++;
    }
    return rounds;
  }
}
