// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.bench;

import io.accordiondb.bench.BenchOptions.Workload;
import io.accordiondb.bench.BenchResult.HeldMemory;
import io.accordiondb.bench.engine.CountingEngine;
import io.accordiondb.bench.engine.Engine;
import io.accordiondb.bench.engine.Engine.Session;
import io.accordiondb.bench.engine.EngineFigures;
import io.accordiondb.bench.engine.EngineOptions;
import io.accordiondb.bench.engine.Engines;
import io.accordiondb.bench.engine.FirstMillion;
import io.accordiondb.bench.engine.ScanRequest;
import io.accordiondb.bench.engine.ServerFigures;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Runs one measurement. */
public final class BenchRunner {
  private static final int LOAD_BATCH = 100;

  private final BenchOptions options;
  private final Rows rows;
  private final Progress progress;
  private final Consumer<Engine> watcher;
  private final FirstMillion firstMillion = new FirstMillion();

  /** YCSB's workload, once it is needed. */
  private @Nullable YcsbRun ycsb;

  /** Creates a runner; progress receives the number of operations that are done. */
  public BenchRunner(BenchOptions options, Progress progress) {
    this(options, progress, engine -> {});
  }

  /**
   * Creates a runner.
   *
   * @param progress receives the number of operations that are done
   * @param watcher gets the engine that is measured once it is open; it must not close it
   */
  public BenchRunner(BenchOptions options, Progress progress, Consumer<Engine> watcher) {
    this.watcher = watcher;
    this.options = options;
    this.rows =
        new Rows(options.keyBytes(), options.engineOptions().fields(), options.fieldBytes());
    this.progress = progress;
  }

  /** Runs and returns what was measured. */
  public BenchResult run() throws IOException {
    if (options.workload().warmsUpElsewhere() && options.warmup() > 0) {
      warmUpElsewhere();
    }
    try (Engine opened = Engines.open(options.engine(), options.engineOptions())) {
      watcher.accept(opened);
      CountingEngine engine = counted(opened);
      if (options.workload().loads()) {
        load(engine);
        if (options.warmup() > 0) {
          Idleness.await();
          Done unused = work(engine, options.warmup());
        }
      }
      long heapBefore = ProcessFigures.heapBytes();
      long directBefore = ProcessFigures.directBytes();
      // The collector shrinks the heap after the collections above, and keeps whoever touches new
      // memory waiting meanwhile, for up to 20 ms. Flushes and compactions end, too.
      long waiting = System.nanoTime();
      Idleness.await();
      firstMillion.setWait((System.nanoTime() - waiting) / 1e9);
      EngineFigures before = engine.figures();
      long contentBefore = engine.contentBytes();
      ServerFigures serversBefore = engine.servers();
      long gcBefore = ProcessFigures.gcMillis();
      long storedBefore = ProcessFigures.bytesStored();
      long begun = System.nanoTime();
      Done done = work(engine, options.operations());
      double seconds = (System.nanoTime() - begun) / 1e9;
      if (options.workload() == Workload.COUNTER) {
        checkCounters(engine);
      }
      HeldMemory held = null;
      if (options.workload() == Workload.HOLD) {
        held =
            new HeldMemory(
                (double) (ProcessFigures.heapBytes() - heapBefore) / options.records(),
                (double) (ProcessFigures.directBytes() - directBefore) / options.records());
      }
      return result(
          engine,
          seconds,
          done,
          engine.figures().minus(before),
          engine.contentBytes() - contentBefore,
          serversSince(engine, serversBefore),
          ProcessFigures.gcMillis() - gcBefore,
          ProcessFigures.bytesStored() - storedBefore,
          held);
    }
  }

  private CountingEngine counted(Engine engine) {
    return new CountingEngine(engine, options.engineOptions().fields(), firstMillion);
  }

  private static @Nullable ServerFigures serversSince(Engine engine, @Nullable ServerFigures before)
      throws IOException {
    ServerFigures present = engine.servers();
    return present == null || before == null ? null : present.minus(before);
  }

  /** Writes to a store that is gone afterwards: the one that is measured begins empty. */
  private void warmUpElsewhere() throws IOException {
    EngineOptions engineOptions = options.engineOptions();
    Path directory = engineOptions.directory().toAbsolutePath();
    Path parent = Objects.requireNonNullElse(directory.getParent(), directory);
    Files.createDirectories(parent);
    try (TemporaryFolder folder = TemporaryFolder.create(parent, "warm-up");
        Engine engine =
            Engines.open(
                options.engine(), engineOptions.withDirectory(folder.path().resolve("store")))) {
      // A runner of its own, for the measured store begins with the first record, too.
      Done unused = new BenchRunner(options, progress).work(counted(engine), options.warmup());
    }
    Idleness.await();
  }

  /**
   * What was done.
   *
   * @param reads how long reads or scans took; null if there were none
   * @param writes how long batches took; null if there were none
   */
  private record Done(@Nullable Latencies reads, @Nullable Latencies writes) {}

  /** Does a number of operations. */
  private Done work(Engine engine, long operations) throws IOException {
    return switch (options.workload()) {
      case WRITE -> new Done(null, writeInThreads(engine, options.threads(), operations));
      case COUNTER -> new Done(null, countInThreads(engine, operations));
      case READ, SCAN -> new Done(readInThreads(engine, operations), null);
      case MIXED, MIXED_SCAN -> mix(engine, operations);
      case YCSB_LOAD -> new Done(null, ycsb().insert(engine, operations));
      case YCSB_A, YCSB_B, YCSB_C, YCSB_D, YCSB_E, YCSB_F ->
          new Done(ycsb().operate(engine, operations), null);
      case HOLD -> {
        load(engine);
        yield new Done(null, null);
      }
    };
  }

  private BenchResult result(
      Engine engine,
      double seconds,
      Done done,
      EngineFigures figures,
      long contentBytes,
      @Nullable ServerFigures servers,
      long gcMillis,
      long bytesStored,
      @Nullable HeldMemory held) {
    long operations =
        options.workload() == Workload.HOLD ? options.records() : options.operations();
    Latencies first = done.reads() == null ? done.writes() : done.reads();
    Latencies beside = done.reads() == null ? null : done.writes();
    return new BenchResult(
        options.engine(),
        options.workload().name(),
        engine.settings(),
        operations,
        options.workload().warmsUp() ? options.warmup() : 0,
        seconds,
        operations / seconds,
        first == null ? null : first.percentiles(),
        beside == null ? null : beside.percentiles(),
        figures,
        contentBytes == 0 ? 0 : (double) figures.bytesWritten() / contentBytes,
        servers == null ? gcMillis : servers.collectionMillis(),
        servers == null ? bytesStored : 0,
        held,
        servers == null ? ProcessFigures.peakMemoryBytes() : servers.peakMemoryBytes(),
        firstMillion.seconds(),
        servers,
        first == null ? List.of() : first.overTime());
  }

  private YcsbRun ycsb() throws IOException {
    if (ycsb == null) {
      ycsb = new YcsbRun(Objects.requireNonNull(options.workload().ycsbName()), options, progress);
    }
    return ycsb;
  }

  /** Writes every record once. */
  private void load(Engine engine) throws IOException {
    if (options.workload().ycsbName() != null) {
      ycsb().load(engine, options.records());
      return;
    }
    try (Session session = engine.session()) {
      long[] next = {0};
      Latencies unused =
          writeRows(
              session, () -> next[0]++, options.records(), 0, LOAD_BATCH, OperationRate.UNLIMITED);
    }
  }

  private Latencies writeInThreads(Engine engine, int threads, long operations) throws IOException {
    return Latencies.sum(
        Workers.run(
            threads,
            thread ->
                write(
                    engine,
                    thread,
                    Workers.share(operations, thread, threads),
                    OperationRate.of((double) options.writeRate() / threads))));
  }

  private Latencies write(Engine engine, int thread, long share, OperationRate rate)
      throws IOException {
    LongSupplier records = options.distribution().records(options.records());
    try (Session session = engine.session()) {
      return writeRows(session, records, share, (long) thread << 40, options.batch(), rate);
    }
  }

  private Latencies writeRows(
      Session session,
      LongSupplier records,
      long count,
      long firstOperation,
      int batch,
      OperationRate rate)
      throws IOException {
    byte[][] keys = new byte[batch][];
    byte[][][] values = new byte[batch][][];
    Latencies latencies = new Latencies();
    long done = 0;
    while (done < count) {
      int size = (int) Math.min(batch, count - done);
      for (int i = 0; i < size; i++) {
        long record = records.getAsLong();
        keys[i] = rows.key(record);
        values[i] = rows.values(record, firstOperation + done + i);
      }
      long begun = rate.await(done);
      session.write(keys, values, size);
      latencies.recordSince(begun);
      done += size;
      progress.add(size);
    }
    return latencies;
  }

  private Latencies countInThreads(Engine engine, long operations) throws IOException {
    int threads = options.threads();
    return Latencies.sum(
        Workers.run(threads, thread -> count(engine, Workers.share(operations, thread, threads))));
  }

  private Latencies count(Engine engine, long share) throws IOException {
    LongSupplier records = options.distribution().records(options.records());
    byte[][] keys = new byte[options.batch()][];
    Latencies latencies = new Latencies();
    OperationRate rate = OperationRate.of((double) options.writeRate() / options.threads());
    try (Session session = engine.session()) {
      long done = 0;
      while (done < share) {
        int size = (int) Math.min(keys.length, share - done);
        for (int i = 0; i < size; i++) {
          keys[i] = rows.key(records.getAsLong());
        }
        long begun = rate.await(done);
        session.count(keys, size);
        latencies.recordSince(begun);
        done += size;
        progress.add(size);
      }
    }
    return latencies;
  }

  /** Throws if the counters do not sum up to what was added. */
  private void checkCounters(Engine engine) throws IOException {
    long sum = 0;
    try (Session session = engine.session()) {
      for (long record = 0; record < options.records(); record++) {
        sum += session.counter(rows.key(record));
      }
    }
    if (sum != options.operations()) {
      throw new IOException("the counters sum up to " + sum + ", expected " + options.operations());
    }
  }

  private Latencies readInThreads(Engine engine, long operations) throws IOException {
    int threads = options.threads();
    return Latencies.sum(
        Workers.run(
            threads,
            thread ->
                read(
                    engine,
                    Workers.share(operations, thread, threads),
                    threads,
                    new AtomicBoolean())));
  }

  /** One thread reads for as long as the others take to write. */
  private Done mix(Engine engine, long operations) throws IOException {
    AtomicBoolean stop = new AtomicBoolean();
    ExecutorService reader = Executors.newSingleThreadExecutor();
    try {
      Future<Latencies> reading = reader.submit(() -> read(engine, Long.MAX_VALUE, 1, stop));
      Latencies writes = writeInThreads(engine, Math.max(1, options.threads() - 1), operations);
      stop.set(true);
      return new Done(WorkerResult.await(reading), writes);
    } finally {
      stop.set(true);
      reader.shutdown();
    }
  }

  private Latencies read(Engine engine, long count, int threads, AtomicBoolean stop)
      throws IOException {
    Latencies latencies = new Latencies();
    OperationRate rate = OperationRate.of((double) options.readRate() / threads);
    LongSupplier records = options.distribution().records(options.records());
    int fields = options.engineOptions().fields();
    int prefixBytes = rows.prefixBytes(options.records(), options.scanRows());
    boolean scans =
        options.workload() == Workload.SCAN || options.workload() == Workload.MIXED_SCAN;
    boolean counts = options.workload() == Workload.READ || options.workload() == Workload.SCAN;
    try (Session session = engine.session()) {
      for (long i = 0; i < count && !stop.get(); i++) {
        byte[] key = rows.key(records.getAsLong());
        long begun = rate.await(i);
        if (scans) {
          if (session.scan(scan(key, prefixBytes)).isEmpty()) {
            throw new IOException("a record that was written is not there");
          }
        } else if (session.read(key, (int) (i % fields)) == null) {
          throw new IOException("a record that was written is not there");
        }
        latencies.recordSince(begun);
        if (counts) {
          progress.add(1);
        }
      }
    }
    return latencies;
  }

  private ScanRequest scan(byte[] key, int prefixBytes) {
    boolean byPrefix = options.scan() == ScanRequest.Kind.PREFIX;
    return new ScanRequest(
        options.scan(), byPrefix ? Arrays.copyOf(key, prefixBytes) : key, options.scanRows());
  }
}
