// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.bench.demo;

import io.accordiondb.Database;
import io.accordiondb.DatabaseStatistics;
import io.accordiondb.Put;
import io.accordiondb.bench.Distribution;
import io.accordiondb.bench.OperationRate;
import io.accordiondb.bench.ProcessFigures;
import io.accordiondb.bench.Progress;
import io.accordiondb.bench.Rows;
import io.accordiondb.bench.TemporaryFolder;
import io.accordiondb.memstore.Policy;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

/**
 * Runs the paper's write workload (section 4.1) under a policy, closes the store, opens it again,
 * and compares every row with what was written last to it.
 */
public final class Demo {
  private static final int KEY_BYTES = 23;

  private final DemoOptions options;
  private final PrintStream messages;
  private final Rows rows;

  /** Creates a demonstration that reports its progress. */
  public Demo(DemoOptions options, PrintStream messages) {
    this.options = options;
    this.messages = messages;
    this.rows = new Rows(KEY_BYTES, options.fields(), options.fieldBytes());
  }

  /** Runs under one policy, as fast as it goes. */
  public PolicyFigures run(Policy policy) throws IOException {
    return run(List.of(policy), 0, (unused, database) -> {}).get(0);
  }

  /**
   * Runs under several policies at the same time: each store gets each batch, one store after the
   * other. The time in garbage collection is that of all of them together.
   *
   * @param rowsPerSecond rows written a second at most; 0 for as many as there can be
   * @param watcher gets each database when it is opened, and when it is opened again; it must not
   *     close it
   * @return figures in the order of the policies
   */
  public List<PolicyFigures> run(
      List<Policy> policies, long rowsPerSecond, BiConsumer<Policy, Database> watcher)
      throws IOException {
    List<DemoStore> stores = new ArrayList<>();
    try (TemporaryFolder folder = TemporaryFolder.create(options.directory(), "demo")) {
      try {
        for (Policy policy : policies) {
          Path directory = folder.path().resolve("store-" + policy);
          stores.add(new DemoStore(options, policy, directory, rows, watcher));
        }
        return run(stores, rowsPerSecond);
      } finally {
        for (DemoStore store : stores) {
          store.close();
        }
      }
    }
  }

  private List<PolicyFigures> run(List<DemoStore> stores, long rowsPerSecond) throws IOException {
    int[] lastOperation = new int[options.records()];
    Arrays.fill(lastOperation, DemoStore.NEVER);
    long gcMillis = ProcessFigures.gcMillis();
    long begun = System.nanoTime();
    write(stores, lastOperation, rowsPerSecond);
    long nanos = System.nanoTime() - begun;
    gcMillis = ProcessFigures.gcMillis() - gcMillis;
    long written =
        Arrays.stream(lastOperation).filter(operation -> operation != DemoStore.NEVER).count();
    long allWriting = stores.stream().mapToLong(DemoStore::nanosWriting).sum();
    List<PolicyFigures> figures = new ArrayList<>();
    for (DemoStore store : stores) {
      double seconds = (nanos - (allWriting - store.nanosWriting())) / 1e9;
      figures.add(finish(store, lastOperation, written, seconds, gcMillis));
    }
    return figures;
  }

  private PolicyFigures finish(
      DemoStore store, int[] lastOperation, long written, double seconds, long gcMillis)
      throws IOException {
    DatabaseStatistics statistics = store.statistics();
    double reopenSeconds = store.reopen();
    try (Progress progress =
        new Progress(messages, "verify", written, () -> store.policy().name())) {
      store.verify(lastOperation, written, progress::add);
    }
    return new PolicyFigures(
        store.policy().name(),
        options.operations(),
        seconds,
        options.operations() / seconds,
        statistics,
        gcMillis,
        statistics.memory().cells() / options.fields(),
        reopenSeconds,
        written);
  }

  private void write(List<DemoStore> stores, int[] lastOperation, long rowsPerSecond)
      throws IOException {
    LongSupplier records = options.distribution().records(options.records());
    int batchRows =
        Math.max(1, options.batchBytes() / Math.max(1, options.fields() * options.fieldBytes()));
    OperationRate rate = OperationRate.of(rowsPerSecond);
    List<Put> batch = new ArrayList<>(batchRows);
    String label =
        stores.stream().map(store -> store.policy().name()).collect(Collectors.joining(", "));
    try (Progress progress =
        new Progress(messages, label, options.operations(), () -> state(stores))) {
      for (int operation = 0; operation < options.operations(); operation++) {
        int record = (int) records.getAsLong();
        batch.add(stores.get(0).row(record, operation));
        lastOperation[record] = operation;
        if (batch.size() == batchRows || operation + 1 == options.operations()) {
          rate.await(operation);
          for (DemoStore store : stores) {
            store.write(batch);
          }
          progress.add(batch.size());
          batch.clear();
        }
      }
    }
  }

  private static String state(List<DemoStore> stores) {
    return stores.stream().map(DemoStore::state).collect(Collectors.joining("; "));
  }

  /** Returns the paper's workload for one store, at a length that suits a demonstration. */
  public static DemoOptions paperWorkload(Path directory, long operations) {
    return new DemoOptions(
        directory, Distribution.ZIPFIAN, 2_000_000, operations, 4, 25, 10_000, 120 << 20);
  }
}
