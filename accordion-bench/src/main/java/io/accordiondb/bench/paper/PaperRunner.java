// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.bench.paper;

import com.sun.management.ThreadMXBean;
import io.accordiondb.bench.Latencies;
import io.accordiondb.bench.ProcessFigures;
import io.accordiondb.bench.engine.AccordionEngine;
import io.accordiondb.bench.engine.Engine;
import io.accordiondb.bench.engine.EngineFigures;
import io.accordiondb.bench.engine.EngineOptions;
import io.accordiondb.bench.engine.Engines;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/**
 * Executes one run: a small version of the work on a store of its own, so that the code is
 * compiled, then the measured work on an empty store.
 */
public final class PaperRunner {
  private static final long WARM_UP_SHARE = 8;
  private static final Duration LOG_AGGREGATION = Duration.ofSeconds(1);
  private static final int SETTLED_LOOKS = 3;
  private static final long LOOK_MILLIS = 100;

  private final PaperRun run;
  private final LongConsumer progress;
  private final Consumer<Engine> watcher;

  /** Creates a runner; progress receives the rows that are written, {@link #effort} in all. */
  public PaperRunner(PaperRun run, LongConsumer progress) {
    this(run, progress, engine -> {});
  }

  /**
   * Creates a runner.
   *
   * @param progress receives the rows that are written, {@link #effort} in all
   * @param watcher gets each engine once it is open, first that of the warm-up; it must not close
   *     it
   */
  public PaperRunner(PaperRun run, LongConsumer progress, Consumer<Engine> watcher) {
    this.run = run;
    this.progress = progress;
    this.watcher = watcher;
  }

  /** Returns the number of rows that the run writes, for progress reports. */
  public static long effort(PaperRun run) {
    return run.size().writes() + warmUpWrites(run);
  }

  private static long warmUpWrites(PaperRun run) {
    return run.size().writes() / WARM_UP_SHARE + 1;
  }

  /** Runs in an empty folder, and returns what was measured. */
  public RunFigures run(Path folder) throws IOException {
    WorkSize size = run.size();
    RunFigures unused = measure(folder.resolve("warm-up"), size.withWrites(warmUpWrites(run)));
    System.gc();
    return measure(folder.resolve("store"), size);
  }

  private RunFigures measure(Path folder, WorkSize size) throws IOException {
    try (Engine engine = open(folder);
        PaperClients clients =
            new PaperClients(engine, run.distribution(), size, run.pace(), progress)) {
      watcher.accept(engine);
      switch (run.workload()) {
        case WRITE -> {}
        case READ_WRITE -> clients.write(size.writesBeforeReads(), size.threads(), new Latencies());
        case SCAN_WRITE -> loadForScans(engine, clients, size);
      }
      EngineFigures engineBefore = engine.figures();
      long eliminatedBefore = cellsEliminated(engine);
      long gcBefore = ProcessFigures.gcMillis();
      long allocatedBefore = allocatedBytes();
      long begun = System.nanoTime();
      Latencies latency = new Latencies();
      long rows =
          switch (run.workload()) {
            case WRITE -> clients.write(size.writes(), size.threads(), latency);
            case READ_WRITE -> clients.readWhileWriting(latency);
            case SCAN_WRITE -> clients.scan(latency);
          };
      double seconds = (System.nanoTime() - begun) / 1e9;
      long gcMillis = ProcessFigures.gcMillis() - gcBefore;
      long allocatedBytes = allocatedBytes() - allocatedBefore;
      settle(engine);
      return new RunFigures(
          engine.settings(),
          rows,
          seconds,
          engine.figures().minus(engineBefore),
          cellsEliminated(engine) - eliminatedBefore,
          gcMillis,
          allocatedBytes,
          ProcessFigures.peakMemoryBytes(),
          run.workload() == PaperRun.Workload.WRITE || latency.count() == 0
              ? null
              : RunFigures.Latency.of(latency),
          latency.overTime());
    }
  }

  /**
   * Leaves one file for each region and the same rows in memory. How many files and rows a load
   * leaves is a matter of chance, over which the paper's fifty stores average; a single store's
   * scans would show little else.
   */
  private static void loadForScans(Engine engine, PaperClients clients, WorkSize size)
      throws IOException {
    long inMemory = size.writesInMemoryBeforeScans();
    clients.write(size.writes() - inMemory, size.threads(), new Latencies());
    settle(engine);
    engine.majorCompact();
    clients.write(inMemory, size.threads(), new Latencies());
    settle(engine);
  }

  private Engine open(Path folder) throws IOException {
    WorkSize size = run.size();
    boolean embedded = run.engine().equals(Host.EMBEDDED_ENGINE);
    EngineOptions options =
        new EngineOptions(
            folder,
            WorkSize.FIELDS,
            embedded ? size.budgetBytes() : size.memoryBytes(),
            size.cacheBytes(),
            run.durability(),
            run.policy());
    if (!embedded) {
      return Engines.open(run.engine(), options);
    }
    return new AccordionEngine(
        options,
        builder ->
            builder
                .experiment(
                    e -> e.withSegmentLayout(run.layout()).withChunkBytes(size.chunkBytes()))
                .storeFlushBytes(size.storeFlushBytes())
                .asyncLogDelay(LOG_AGGREGATION),
        run.disk().simulation(),
        PaperClients.splits(size.regions()));
  }

  private static long cellsEliminated(Engine engine) throws IOException {
    return engine instanceof AccordionEngine accordion
        ? accordion.statistics().memory().cellsEliminated()
        : 0;
  }

  /** Returns what all threads that live have allocated; none of ours ends during a run. */
  private static long allocatedBytes() {
    if (ManagementFactory.getThreadMXBean() instanceof ThreadMXBean threads) {
      return Arrays.stream(threads.getThreadAllocatedBytes(threads.getAllThreadIds()))
          .filter(bytes -> bytes > 0)
          .sum();
    }
    return 0;
  }

  /** Waits until flushes and compactions that are under way are done, so that they are counted. */
  private static void settle(Engine engine) throws IOException {
    EngineFigures last = engine.figures();
    int same = 0;
    try {
      while (same < SETTLED_LOOKS) {
        Thread.sleep(LOOK_MILLIS);
        EngineFigures now = engine.figures();
        same = now.equals(last) ? same + 1 : 0;
        last = now;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }
}
