// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.bench.demo;

import io.accordiondb.Database;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.DatabaseStatistics;
import io.accordiondb.Durability;
import io.accordiondb.Get;
import io.accordiondb.Put;
import io.accordiondb.Result;
import io.accordiondb.ResultScanner;
import io.accordiondb.Scan;
import io.accordiondb.Table;
import io.accordiondb.TableDescriptor;
import io.accordiondb.bench.Distribution;
import io.accordiondb.bench.ProcessFigures;
import io.accordiondb.bench.Progress;
import io.accordiondb.bench.Rows;
import io.accordiondb.bench.TemporaryFolder;
import io.accordiondb.memstore.MemStorePolicy;
import io.accordiondb.memstore.Policy;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.LongSupplier;

/**
 * Runs the paper's write workload (section 4.1) under a policy, closes the store, opens it again,
 * and compares every row with what was written last to it.
 */
public final class Demo {
  private static final String TABLE = "usertable";
  private static final String FAMILY = "f";
  private static final byte[] FAMILY_BYTES = FAMILY.getBytes(StandardCharsets.US_ASCII);
  private static final int KEY_BYTES = 23;

  /** Stands for a row that was never written. */
  private static final int NEVER = -1;

  private final DemoOptions options;
  private final PrintStream messages;
  private final Rows rows;
  private final byte[][] qualifiers;

  /** Creates a demonstration that tells of its progress. */
  public Demo(DemoOptions options, PrintStream messages) {
    this.options = options;
    this.messages = messages;
    this.rows = new Rows(KEY_BYTES, options.fields(), options.fieldBytes());
    this.qualifiers = new byte[options.fields()][];
    for (int field = 0; field < options.fields(); field++) {
      qualifiers[field] = ("field" + field).getBytes(StandardCharsets.US_ASCII);
    }
  }

  /** Runs under one policy. */
  public PolicyFigures run(Policy policy) throws IOException {
    try (TemporaryFolder folder = TemporaryFolder.create(options.directory(), "demo")) {
      return run(policy, folder.path().resolve("store"));
    }
  }

  private PolicyFigures run(Policy policy, Path directory) throws IOException {
    int[] lastOperation = new int[options.records()];
    Arrays.fill(lastOperation, NEVER);
    DatabaseStatistics statistics;
    double seconds;
    long gcMillis = ProcessFigures.gcMillis();
    long closing;
    try (Database database = open(directory, policy)) {
      database.createTable(TableDescriptor.of(TABLE, FAMILY));
      long begun = System.nanoTime();
      write(database, policy, lastOperation);
      seconds = (System.nanoTime() - begun) / 1e9;
      gcMillis = ProcessFigures.gcMillis() - gcMillis;
      statistics = database.statistics();
      closing = System.nanoTime();
    }
    try (Database database = open(directory, policy)) {
      double reopenSeconds = (System.nanoTime() - closing) / 1e9;
      long verified = verify(database, policy, lastOperation);
      double rowBytes =
          (double) options.operations() * (KEY_BYTES + options.fields() * options.fieldBytes());
      return new PolicyFigures(
          policy.name(),
          options.operations(),
          seconds,
          options.operations() / seconds,
          statistics,
          (statistics.flushes().bytesWritten()
                  + statistics.compactions().bytesWritten()
                  + statistics.log().bytesAppended())
              / rowBytes,
          gcMillis,
          statistics.memory().cells() / options.fields(),
          reopenSeconds,
          verified);
    }
  }

  private Database open(Path directory, Policy policy) throws IOException {
    return Database.open(
        directory,
        DatabaseOptions.builder()
            .memoryBytes(options.memoryBytes())
            .durability(Durability.ASYNC)
            .memStorePolicy(MemStorePolicy.of(policy))
            .build());
  }

  private void write(Database database, Policy policy, int[] lastOperation) throws IOException {
    Table table = database.table(TABLE);
    LongSupplier records = options.distribution().records(options.records());
    int batchRows =
        Math.max(1, options.batchBytes() / Math.max(1, options.fields() * options.fieldBytes()));
    List<Put> batch = new ArrayList<>(batchRows);
    try (Progress progress =
        new Progress(messages, policy.name(), options.operations(), () -> state(database))) {
      for (int operation = 0; operation < options.operations(); operation++) {
        int record = (int) records.getAsLong();
        Put put = new Put(rows.key(record));
        byte[][] values = rows.values(record, operation);
        for (int field = 0; field < qualifiers.length; field++) {
          put.addColumn(FAMILY_BYTES, qualifiers[field], values[field]);
        }
        batch.add(put);
        lastOperation[record] = operation;
        if (batch.size() == batchRows || operation + 1 == options.operations()) {
          table.put(batch);
          progress.add(batch.size());
          batch.clear();
        }
      }
    }
  }

  private static String state(Database database) {
    try {
      DatabaseStatistics statistics = database.statistics();
      return String.format(
          Locale.ROOT,
          "pipeline %d segments, memory %d MB, %d flushes, %d compactions",
          statistics.memory().pipelineSegments(),
          statistics.memory().usedBytes() >> 20,
          statistics.flushes().count(),
          statistics.compactions().count());
    } catch (IOException e) {
      return "closed";
    }
  }

  /** Counts the rows by a scan, and compares each with what was written, by a get. */
  private long verify(Database database, Policy policy, int[] lastOperation) throws IOException {
    Table table = database.table(TABLE);
    long expected = Arrays.stream(lastOperation).filter(operation -> operation != NEVER).count();
    long scanned = 0;
    try (ResultScanner scanner = table.scan(new Scan())) {
      for (Result row = scanner.next(); row != null; row = scanner.next()) {
        scanned++;
      }
    }
    if (scanned != expected) {
      throw new DemoFailedException(
          policy + ": a scan finds " + scanned + " rows, expected " + expected);
    }
    long verified = 0;
    try (Progress progress = new Progress(messages, "verify", expected, () -> policy.name())) {
      for (int record = 0; record < lastOperation.length; record++) {
        verifyRow(table, record, lastOperation[record]);
        if (lastOperation[record] != NEVER) {
          verified++;
          progress.add(1);
        }
      }
    }
    return verified;
  }

  private void verifyRow(Table table, int record, int operation) throws IOException {
    byte[] key = rows.key(record);
    Result row = table.get(new Get(key));
    String name = new String(key, StandardCharsets.US_ASCII);
    if (operation == NEVER) {
      if (!row.isEmpty()) {
        throw new DemoFailedException("row " + name + " was never written, but is there");
      }
      return;
    }
    byte[][] expected = rows.values(record, operation);
    for (int field = 0; field < qualifiers.length; field++) {
      byte[] value = row.value(FAMILY_BYTES, qualifiers[field]);
      if (!Arrays.equals(value, expected[field])) {
        throw new DemoFailedException(
            "row " + name + ", field" + field + ": not what operation " + operation + " wrote");
      }
    }
  }

  /** Returns the paper's workload for one store, at a length that suits a demonstration. */
  public static DemoOptions paperWorkload(Path directory, long operations) {
    return new DemoOptions(
        directory, Distribution.ZIPFIAN, 2_000_000, operations, 4, 25, 10_000, 120 << 20);
  }
}
