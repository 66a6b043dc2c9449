// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.jmh;

import io.accordiondb.Database;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.KeyValueStore;
import io.accordiondb.internal.metrics.Operations;
import io.accordiondb.internal.metrics.Tally;
import io.accordiondb.internal.metrics.Telemetry;
import io.accordiondb.statistics.BlockKind;
import io.accordiondb.statistics.OperationKind;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * What counting and timing cost, beside the operations that are counted: nanoseconds for one
 * operation. The database has no files, so that nothing else makes an operation slow. The counting
 * benchmarks make the calls that the engine makes for one operation.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class CountingBenchmark {
  private static final int KEYS = 100_000;
  private static final String TABLE = "table";

  private final SplittableRandom random = new SplittableRandom(7);
  private final byte[] value = new byte[100];
  private final Telemetry telemetry = new Telemetry("", DatabaseOptions.builder().build());
  private final Operations operations = telemetry.operations();
  private final byte[] row = new byte[24];
  private Database database;
  private KeyValueStore store;

  @Setup
  public void open() throws IOException {
    database = Database.inMemory(DatabaseOptions.builder().build());
    store = database.keyValueStore(TABLE);
    for (int i = 0; i < KEYS; i++) {
      store.put(key(i), value);
    }
  }

  @TearDown
  public void close() throws IOException {
    database.close();
    telemetry.close();
  }

  private static byte[] key(int number) {
    return ByteBuffer.allocate(24).putInt(20, number).array();
  }

  @Benchmark
  public void put() throws IOException {
    store.put(key(random.nextInt(KEYS)), value);
  }

  @Benchmark
  public void countingOfPut() {
    Tally tally = operations.tally();
    long begun = operations.begin(tally);
    Tally commit = operations.tally();
    if (commit.isTiming()) {
      long logged = System.nanoTime();
      long nanos = System.nanoTime() - logged;
      commit.addLogWait(nanos);
      operations.time(OperationKind.COMMIT_WAIT, nanos);
    }
    commit.count(OperationKind.COMMIT_WAIT, 1);
    commit.countCommit(1, value.length);
    operations.end(tally, OperationKind.WRITE_SYNC, begun, TABLE, row);
  }

  @Benchmark
  public byte[] get() throws IOException {
    return store.get(key(random.nextInt(KEYS)));
  }

  @Benchmark
  public void countingOfGet() {
    Tally tally = operations.tally();
    long cacheReads = tally.cacheReads();
    long fileReads = tally.fileReads();
    long begun = operations.begin(tally);
    telemetry.tallies().mine().countHit(BlockKind.DATA);
    OperationKind kind = tally.getSince(cacheReads, fileReads);
    operations.end(tally, kind, begun, TABLE, row);
  }
}
