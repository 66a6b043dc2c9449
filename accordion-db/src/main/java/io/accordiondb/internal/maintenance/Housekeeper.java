// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.maintenance;

import io.accordiondb.DatabaseOptions;
import io.accordiondb.WritesSuspendedException;
import io.accordiondb.internal.catalog.Catalog;
import io.accordiondb.internal.commit.CommitPipeline;
import io.accordiondb.internal.metrics.Telemetry;
import io.accordiondb.internal.wal.WriteAheadLog;
import java.io.IOException;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/**
 * Runs the periodic maintenance: log files, flushes, compactions, regions, and the resumption of
 * writes. Thread-safe. Each task is scheduled separately, so that one that fails does not prevent
 * the others.
 */
public final class Housekeeper {
  private static final long PAUSE_MILLIS = 1000;

  private final Catalog catalog;
  private final WriteAheadLog log;
  private final CommitPipeline pipeline;
  private final LogTruncation truncation;
  private final FlushScheduler flushes;
  private final CompactionScheduler compactions;
  private final RegionBalancer balancer;
  private final Resumption resumption;
  private final AtomicBoolean truncating = new AtomicBoolean();
  private final Supplier<DatabaseOptions> options;
  private final Telemetry telemetry;

  public Housekeeper(
      Catalog catalog,
      WriteAheadLog log,
      CommitPipeline pipeline,
      LogTruncation truncation,
      FlushScheduler flushes,
      CompactionScheduler compactions,
      RegionBalancer balancer,
      Resumption resumption,
      Supplier<DatabaseOptions> options,
      Telemetry telemetry) {
    this.telemetry = telemetry;
    this.catalog = catalog;
    this.log = log;
    this.pipeline = pipeline;
    this.truncation = truncation;
    this.flushes = flushes;
    this.compactions = compactions;
    this.balancer = balancer;
    this.resumption = resumption;
    this.options = options;
  }

  /** Begins the work, which ends with the threads. */
  public void start(BackgroundThreads threads, long flushLogMillis) {
    threads.every(flushLogMillis, this::flushLog);
    // This may wait for the device, so it must not run on the thread of the periodic flush of the
    // log.
    threads.every(PAUSE_MILLIS, () -> requestTruncation(threads.flushes()));
    threads.every(PAUSE_MILLIS, this::requestFlushes);
    threads.every(PAUSE_MILLIS, () -> compactions.requestDue(catalog.stores()));
    threads.every(PAUSE_MILLIS, balancer::balance);
    threads.every(PAUSE_MILLIS, resumption::resumeIfSuspended);
    observe(threads, telemetry);
  }

  /** Starts the observation, the only periodic work of a read-only database. */
  public static void observe(BackgroundThreads threads, Telemetry telemetry) {
    threads.every(PAUSE_MILLIS, telemetry::look);
  }

  /** Requests a truncation of the log, unless the last one has not ended. */
  private void requestTruncation(Executor flushes) {
    if (!truncating.compareAndSet(false, true)) {
      return;
    }
    boolean accepted = false;
    try {
      flushes.execute(
          BackgroundThreads.surviving(
              () -> {
                try {
                  truncation.run();
                } finally {
                  truncating.set(false);
                }
              }));
      accepted = true;
    } finally {
      if (!accepted) {
        truncating.set(false);
      }
    }
  }

  private void flushLog() {
    try {
      pipeline.flushLog();
    } catch (IOException | RuntimeException | Error e) {
      // An exception would end the periodic flush.
      String consequence =
          e instanceof WritesSuspendedException
              ? "writes are refused until it can"
              : "the database takes no more writes";
      telemetry.errors().report("the log could not be written; " + consequence, e);
    }
  }

  private void requestFlushes() {
    flushes.retryFailed();
    flushes.flushIfMemoryIsShort();
    if (log.totalBytes() > options.get().logBytesMax()) {
      long needless = log.oldestFileLastSequence();
      catalog.stores().stream()
          .filter(store -> store.memStore().oldestSequence() <= needless)
          .forEach(flushes::request);
    }
  }
}
