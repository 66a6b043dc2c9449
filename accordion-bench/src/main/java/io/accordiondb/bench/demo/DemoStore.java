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
import io.accordiondb.bench.Rows;
import io.accordiondb.memstore.MemStorePolicy;
import io.accordiondb.memstore.Policy;
import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.BiConsumer;
import java.util.function.LongConsumer;

/** The demonstration's store under one policy. Not thread-safe. */
final class DemoStore implements Closeable {
  /** Stands for a row that was never written. */
  static final int NEVER = -1;

  private static final String TABLE = "usertable";
  private static final String FAMILY = "f";
  private static final byte[] FAMILY_BYTES = FAMILY.getBytes(StandardCharsets.US_ASCII);

  private final DemoOptions options;
  private final Policy policy;
  private final Path directory;
  private final Rows rows;
  private final BiConsumer<Policy, Database> watcher;
  private final byte[][] qualifiers;
  private Database database;
  private Table table;
  private long nanosWriting;

  /** Opens a new store; the watcher gets its database, now and when it is opened again. */
  DemoStore(
      DemoOptions options,
      Policy policy,
      Path directory,
      Rows rows,
      BiConsumer<Policy, Database> watcher)
      throws IOException {
    this.options = options;
    this.policy = policy;
    this.directory = directory;
    this.rows = rows;
    this.watcher = watcher;
    this.qualifiers = new byte[options.fields()][];
    for (int field = 0; field < options.fields(); field++) {
      qualifiers[field] = ("field" + field).getBytes(StandardCharsets.US_ASCII);
    }
    this.database = open();
    database.createTable(TableDescriptor.of(TABLE, FAMILY));
    this.table = database.table(TABLE);
  }

  Policy policy() {
    return policy;
  }

  private Database open() throws IOException {
    Database opened =
        Database.open(
            directory,
            DatabaseOptions.builder()
                .memoryBytes(options.memoryBytes())
                .durability(Durability.ASYNC)
                .memStorePolicy(MemStorePolicy.of(policy))
                .jmx(true)
                .build());
    watcher.accept(policy, opened);
    return opened;
  }

  /** Returns the put that an operation makes of a record. */
  Put row(int record, int operation) {
    Put put = new Put(rows.key(record));
    byte[][] values = rows.values(record, operation);
    for (int field = 0; field < qualifiers.length; field++) {
      put.addColumn(FAMILY_BYTES, qualifiers[field], values[field]);
    }
    return put;
  }

  void write(List<Put> batch) throws IOException {
    long begun = System.nanoTime();
    table.put(batch);
    nanosWriting += System.nanoTime() - begun;
  }

  /** Returns how long writes have taken so far. */
  long nanosWriting() {
    return nanosWriting;
  }

  DatabaseStatistics statistics() throws IOException {
    return database.statistics();
  }

  /** Returns in a line how the store stands. */
  String state() {
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

  /** Closes the store and opens it again; returns how many seconds that took. */
  double reopen() throws IOException {
    long begun = System.nanoTime();
    database.close();
    database = open();
    table = database.table(TABLE);
    return (System.nanoTime() - begun) / 1e9;
  }

  /**
   * Counts the rows by a scan, and compares each that was written, by a get. So a row that was
   * never written is found by the scan.
   *
   * @param lastOperation for each record, the operation that wrote it last
   * @param expected how many records were written
   * @param progress receives the rows that are verified
   */
  void verify(int[] lastOperation, long expected, LongConsumer progress) throws IOException {
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
    for (int record = 0; record < lastOperation.length; record++) {
      if (lastOperation[record] != NEVER) {
        verifyRow(record, lastOperation[record]);
        progress.accept(1);
      }
    }
  }

  private void verifyRow(int record, int operation) throws IOException {
    byte[] key = rows.key(record);
    Result row = table.get(new Get(key));
    String name = new String(key, StandardCharsets.US_ASCII);
    byte[][] expected = rows.values(record, operation);
    for (int field = 0; field < qualifiers.length; field++) {
      byte[] value = row.value(FAMILY_BYTES, qualifiers[field]);
      if (!Arrays.equals(value, expected[field])) {
        throw new DemoFailedException(
            "row " + name + ", field" + field + ": not what operation " + operation + " wrote");
      }
    }
  }

  @Override
  public void close() throws IOException {
    database.close();
  }
}
