// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.bench.paper;

import io.accordiondb.bench.Distribution;
import io.accordiondb.bench.Latencies;
import io.accordiondb.bench.OperationRate;
import io.accordiondb.bench.Rows;
import io.accordiondb.bench.WorkerResult;
import io.accordiondb.bench.engine.Engine;
import io.accordiondb.bench.engine.Engine.Session;
import io.accordiondb.bench.engine.ScanRequest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The clients of section 4.1: rows of four fields of 25 bytes, keys as YCSB makes them, puts in
 * batches of 10 KB, gets of one cell, scans of 1 to 100 rows. Their threads live until they are
 * closed.
 */
final class PaperClients implements AutoCloseable {
  private static final int KEY_BYTES = 23;
  private static final int SCAN_ROWS_MAX = 100;
  private static final double PUT_SHARE = 0.05;

  /** The part of an operation's number that distinguishes threads. */
  private static final int THREAD_SHIFT = 40;

  private final Engine engine;
  private final Distribution distribution;
  private final WorkSize size;
  private final int pace;
  private final LongConsumer progress;
  private final Rows rows = new Rows(KEY_BYTES, WorkSize.FIELDS, WorkSize.FIELD_BYTES);
  private final ExecutorService threads = Executors.newCachedThreadPool();

  /**
   * Creates the clients without starting them.
   *
   * @param pace rows or operations a second of all clients together while reads are measured; 0 for
   *     no limit
   * @param progress receives the rows that are written
   */
  PaperClients(
      Engine engine, Distribution distribution, WorkSize size, int pace, LongConsumer progress) {
    this.engine = engine;
    this.distribution = distribution;
    this.size = size;
    this.pace = pace;
    this.progress = progress;
  }

  /** Returns the rows at which regions begin, but the first: hashes are as likely everywhere. */
  static byte[][] splits(int regions) {
    byte[][] splits = new byte[regions - 1][];
    for (int i = 1; i < regions; i++) {
      String digits = Long.toString(Long.MAX_VALUE / regions * i);
      String padding = "0".repeat(KEY_BYTES - "user".length() - digits.length());
      splits[i - 1] = ("user" + padding + digits).getBytes(StandardCharsets.US_ASCII);
    }
    return splits;
  }

  /**
   * Writes a number of rows with a number of threads, and returns how many were written.
   *
   * @param batches gets how long each batch took
   */
  long write(long count, int writers, Latencies batches) throws IOException {
    await(startWriting(count, writers, 0), batches);
    return count;
  }

  private List<Future<Latencies>> startWriting(long count, int writers, double rowsPerSecond) {
    OperationRate rate = OperationRate.of(rowsPerSecond / writers);
    List<Future<Latencies>> writing = new ArrayList<>();
    for (int i = 0; i < writers; i++) {
      int thread = i;
      long share = count / writers + (thread < count % writers ? 1 : 0);
      writing.add(threads.submit(() -> writeShare(share, (long) thread << THREAD_SHIFT, rate)));
    }
    return writing;
  }

  private Latencies writeShare(long count, long firstOperation, OperationRate rate)
      throws IOException {
    Latencies batches = new Latencies();
    LongSupplier records = distribution.records(size.keys());
    try (Session session = engine.session()) {
      Batch batch = new Batch(session, batches);
      for (long i = 0; i < count; i++) {
        if (i % WorkSize.BATCH_ROWS == 0) {
          rate.await(i);
        }
        batch.put(records.getAsLong(), firstOperation + i);
      }
      batch.send();
    }
    return batches;
  }

  /** Gets single cells for as long as writers write, and returns how many rows they wrote. */
  long readWhileWriting(Latencies latency) throws IOException {
    AtomicBoolean stop = new AtomicBoolean();
    List<Future<Latencies>> reading = new ArrayList<>();
    for (int i = 0; i < size.readers(); i++) {
      reading.add(threads.submit(() -> readUntil(stop)));
    }
    long count = size.writesDuringReads();
    try {
      await(startWriting(count, size.writersBesideReaders(), pace), new Latencies());
    } finally {
      stop.set(true);
    }
    await(reading, latency);
    return count;
  }

  private Latencies readUntil(AtomicBoolean stop) throws IOException {
    Latencies latency = new Latencies();
    LongSupplier records = distribution.records(size.keys());
    try (Session session = engine.session()) {
      for (int i = 0; !stop.get(); i++) {
        byte[] key = rows.key(records.getAsLong());
        long begun = System.nanoTime();
        byte @Nullable [] unused = session.read(key, i % WorkSize.FIELDS);
        latency.recordSince(begun);
      }
    }
    return latency;
  }

  /** Scans, with a few puts in between; returns the number of operations. */
  long scan(Latencies latency) throws IOException {
    OperationRate rate = OperationRate.of((double) pace / size.threads());
    List<Future<Latencies>> scanning = new ArrayList<>();
    for (int i = 0; i < size.threads(); i++) {
      int thread = i;
      long share = size.scanOperations() / size.threads();
      scanning.add(threads.submit(() -> scanShare(share, (long) thread << THREAD_SHIFT, rate)));
    }
    await(scanning, latency);
    return size.scanOperations() / size.threads() * size.threads();
  }

  private Latencies scanShare(long count, long firstOperation, OperationRate rate)
      throws IOException {
    Latencies latency = new Latencies();
    LongSupplier records = distribution.records(size.keys());
    ThreadLocalRandom random = ThreadLocalRandom.current();
    try (Session session = engine.session()) {
      Batch batch = new Batch(session, new Latencies());
      for (long i = 0; i < count; i++) {
        rate.await(i);
        long record = records.getAsLong();
        if (random.nextDouble() < PUT_SHARE) {
          batch.put(record, firstOperation + i);
          continue;
        }
        byte[] key = rows.key(record);
        int length = random.nextInt(1, SCAN_ROWS_MAX + 1);
        long begun = System.nanoTime();
        List<Engine.Row> unused = session.scan(ScanRequest.forward(key, length));
        latency.recordSince(begun);
      }
      batch.send();
    }
    return latency;
  }

  private static void await(List<Future<Latencies>> clients, Latencies sum) throws IOException {
    for (Future<Latencies> client : clients) {
      sum.add(WorkerResult.await(client));
    }
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }

  /** Rows that a client holds back until there are enough. */
  private final class Batch {
    private final Session session;
    private final Latencies latencies;
    private final byte[][] keys = new byte[WorkSize.BATCH_ROWS][];
    private final byte[][][] values = new byte[WorkSize.BATCH_ROWS][][];
    private int count;

    Batch(Session session, Latencies latencies) {
      this.session = session;
      this.latencies = latencies;
    }

    void put(long record, long operation) throws IOException {
      keys[count] = rows.key(record);
      values[count] = rows.values(record, operation);
      count++;
      if (count == WorkSize.BATCH_ROWS) {
        send();
      }
    }

    void send() throws IOException {
      if (count > 0) {
        long begun = System.nanoTime();
        session.write(keys, values, count);
        latencies.recordSince(begun);
        progress.accept(count);
        count = 0;
      }
    }
  }
}
