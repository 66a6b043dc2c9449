// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase;

import java.io.IOException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.wal.WAL;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports to HBase's log that it is no longer needed for cells below a sequence number. What
 * displaced these cells may have been written with {@code ASYNC_WAL}, so it is made durable first,
 * as HBase does before a flush.
 *
 * <p>A sync may take long, and it blocks its thread. So it has a thread of its own, and no lock of
 * the region is held: a flush would wait for that lock, and all writers behind the flush. A number
 * stays right in the meantime, because what is below it has left memory, and what displaced that is
 * at or above it. But the log tracks the cells of a flush separately, and a number that is reported
 * after a flush has begun would stay until the next flush with cells. So a number is forgotten if a
 * flush has begun. Thread-safe.
 */
final class LogReporter {
  private static final Logger LOG = LoggerFactory.getLogger(LogReporter.class);

  private final RegionAccess region;
  private final Executor executor;
  private final Runnable later;

  /** The log's account; null if there is none, or it cannot be reached. */
  private final @Nullable UnflushedNumbers numbers;

  /** What is to be reported next; null if no task is scheduled. */
  private final AtomicReference<@Nullable Report> due = new AtomicReference<>();

  /** The sequence number that was reported last. */
  private volatile long raisedTo;

  private volatile boolean closed;

  /** A sequence number, and how many snapshots had been taken when it was found. */
  private record Report(long lowest, long snapshots) {}

  /**
   * Creates a reporter of one store.
   *
   * @param executor runs tasks that sync the log
   * @param later called if a number could not be reported because a flush was about to begin
   */
  LogReporter(RegionAccess region, Executor executor, Runnable later) {
    this.region = region;
    this.executor = executor;
    this.later = later;
    HRegion opened = region.region();
    WAL log = opened == null ? null : opened.getWAL();
    this.numbers = log == null ? null : UnflushedNumbers.of(log);
  }

  /**
   * Schedules the report of a sequence number, which the caller has from {@link
   * RegionAccess#lowestSequence}, and since then has kept flushes from beginning.
   */
  void request(long lowest) {
    if (numbers == null || lowest <= raisedTo) {
      return;
    }
    if (due.getAndSet(new Report(lowest, region.snapshots())) == null) {
      try {
        executor.execute(this::report);
      } catch (RejectedExecutionException | OutOfMemoryError e) {
        // There may be no memory for a thread. The next change in memory requests it again.
        due.set(null);
      }
    }
  }

  /** Reports nothing from now on. */
  void close() {
    closed = true;
  }

  private void report() {
    Report report = due.getAndSet(null);
    HRegion opened = region.region();
    if (report != null && opened != null && isValid(report) && syncs(opened)) {
      raise(opened, report);
    }
  }

  /** Syncs the log of a region. Returns false if that has failed. */
  private static boolean syncs(HRegion opened) {
    try {
      opened.getWAL().sync();
      return true;
    } catch (IOException e) {
      LOG.warn("{}: the log stays as it is, because it cannot be synced", opened, e);
      return false;
    }
  }

  private void raise(HRegion opened, Report report) {
    if (!region.unlessAFlushBegins(() -> raiseNow(opened, report))) {
      later.run();
    }
  }

  private boolean isValid(Report report) {
    return !closed && report.snapshots() == region.snapshots();
  }

  /** Reports, if no flush has begun. Returns true. */
  private boolean raiseNow(HRegion opened, Report report) {
    byte[] family = region.family();
    if (isValid(report) && numbers != null && family != null && report.lowest() > raisedTo) {
      numbers.raise(opened.getRegionInfo().getEncodedNameAsBytes(), family, report.lowest());
      raisedTo = report.lowest();
    }
    return true;
  }
}
