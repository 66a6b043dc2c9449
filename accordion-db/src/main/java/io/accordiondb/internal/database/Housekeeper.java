// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.database;

import io.accordiondb.internal.commit.CommitPipeline;
import io.accordiondb.internal.commit.Visibility;
import io.accordiondb.internal.region.Store;
import io.accordiondb.internal.wal.WriteAheadLog;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs what is due periodically: log files, flushes, compactions, regions. Thread-safe. Each has a
 * period of its own, so that none keeps the others from their work if it fails.
 */
final class Housekeeper {
  private static final Logger LOG = LoggerFactory.getLogger(Housekeeper.class);
  private static final long PAUSE_MILLIS = 1000;

  private final Catalog catalog;
  private final WriteAheadLog log;
  private final CommitPipeline pipeline;
  private final Visibility visibility;
  private final FlushScheduler flushes;
  private final CompactionScheduler compactions;
  private final RegionBalancer balancer;
  private final long logBytesMax;

  Housekeeper(
      Catalog catalog,
      WriteAheadLog log,
      CommitPipeline pipeline,
      Visibility visibility,
      FlushScheduler flushes,
      CompactionScheduler compactions,
      RegionBalancer balancer,
      long logBytesMax) {
    this.catalog = catalog;
    this.log = log;
    this.pipeline = pipeline;
    this.visibility = visibility;
    this.flushes = flushes;
    this.compactions = compactions;
    this.balancer = balancer;
    this.logBytesMax = logBytesMax;
  }

  /** Begins the work, which ends with the threads. */
  void start(BackgroundThreads threads, long flushLogMillis) {
    threads.every(flushLogMillis, this::flushLog);
    threads.every(PAUSE_MILLIS, this::truncateLog);
    threads.every(PAUSE_MILLIS, this::requestFlushes);
    threads.every(PAUSE_MILLIS, () -> catalog.stores().forEach(compactions::request));
    threads.every(PAUSE_MILLIS, balancer::balance);
  }

  /** Deletes log files that no store needs (section 3.2 of the paper, "WAL Truncation"). */
  void truncateLog() {
    // Writes on their way are above what is visible now; look at that before the stores.
    long oldest = visibility.visible() + 1;
    for (Store store : catalog.stores()) {
      oldest = Math.min(oldest, store.memStore().oldestSequence());
    }
    try {
      log.truncate(oldest);
    } catch (IOException e) {
      LOG.warn("could not delete old log files; will try again", e);
    }
  }

  private void flushLog() {
    try {
      pipeline.flushLog();
    } catch (IOException | RuntimeException | Error e) {
      // An exception would end the periodic flush for good.
      LOG.error("the log could not be written; the database takes no more writes", e);
    }
  }

  private void requestFlushes() {
    flushes.retryFailed();
    flushes.relievePressure();
    if (log.totalBytes() > logBytesMax) {
      long needless = log.oldestFileLastSequence();
      catalog.stores().stream()
          .filter(store -> store.memStore().oldestSequence() <= needless)
          .forEach(flushes::request);
    }
  }
}
