// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.maintenance;

import io.accordiondb.DatabaseFailedException;
import io.accordiondb.internal.catalog.Catalog;
import io.accordiondb.internal.function.IoRunnable;
import io.accordiondb.internal.metrics.BackgroundErrors;
import io.accordiondb.internal.region.Store;
import io.accordiondb.internal.wal.KeptLogs;
import io.accordiondb.internal.wal.WriteAheadLog;
import java.io.Closeable;
import java.io.IOException;
import java.util.concurrent.locks.StampedLock;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Deletes log files that no store needs, and kept files whose retention has ended. Thread-safe. */
public final class LogTruncation implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(LogTruncation.class);

  private final Catalog catalog;
  private final WriteAheadLog log;
  private final KeptLogs kept;
  private final LongSupplier visible;
  private final IoRunnable logLastSequence;
  private final IoRunnable syncLog;
  private final BackgroundErrors errors;

  /** Held shared by threads that truncate, which closing waits for. */
  private final StampedLock gate = new StampedLock();

  /** Guarded by gate. */
  private boolean closed;

  /**
   * Creates the truncation of a log.
   *
   * @param kept files that are kept for a while
   * @param visible supplies the number up to which all writes are in memory or in files
   * @param logLastSequence logs the last number given out, unless the log has it
   * @param syncLog forces all logged records to the device
   * @param errors receives each failure
   */
  public LogTruncation(
      Catalog catalog,
      WriteAheadLog log,
      KeptLogs kept,
      LongSupplier visible,
      IoRunnable logLastSequence,
      IoRunnable syncLog,
      BackgroundErrors errors) {
    this.catalog = catalog;
    this.log = log;
    this.kept = kept;
    this.visible = visible;
    this.logLastSequence = logLastSequence;
    this.syncLog = syncLog;
    this.errors = errors;
  }

  /** Returns the oldest sequence number that is only in memory, or would be the next one. */
  public long oldestNeeded() {
    // Writes in progress have numbers above the visible one. Read that number before the stores.
    long oldest = visible.getAsLong() + 1;
    for (Store store : catalog.stores()) {
      oldest = Math.min(oldest, store.memStore().oldestSequence());
    }
    return oldest;
  }

  /** Returns what is kept of files that no store needs. */
  public KeptLogs.Amount kept() {
    return kept.amount();
  }

  /**
   * Deletes the files all of whose cells are in sorted tables or were dropped (section 3.2 of the
   * paper, "WAL Truncation"), and kept files that have expired. Files that cannot be deleted now
   * are deleted later. Kept files go even if the log takes no writes, because that makes room. Does
   * nothing once this is closed: then the folder may have another owner, which keeps more.
   */
  public void run() {
    long stamp = gate.readLock();
    try {
      if (!closed) {
        attempt(this::truncate);
        attempt(kept::deleteExpired);
      }
    } finally {
      gate.unlockRead(stamp);
    }
  }

  /** Waits for truncations in progress and lets no other begin. */
  @Override
  public void close() {
    long stamp = gate.writeLock();
    try {
      closed = true;
    } finally {
      gate.unlockWrite(stamp);
    }
  }

  private void attempt(IoRunnable deletion) {
    try {
      deletion.run();
    } catch (DatabaseFailedException e) {
      LOG.debug("the database has failed, and deletes no log files", e);
    } catch (IOException e) {
      errors.report("could not delete old log files; will try again", e);
    }
  }

  private void truncate() throws IOException {
    long oldest = oldestNeeded();
    long last = log.oldestFileLastSequence();
    if (last >= 0 && last < oldest) {
      // A file may be the only one that reserves the number of an ingestion that has left no file.
      logLastSequence.run();
      forceWhatDisplaced();
      log.truncate(oldest);
    }
  }

  /**
   * Forces writes that may have displaced logged cells in memory to the device. An in-memory
   * compaction drops a cell because of a newer one, and the newer one may be less durable.
   */
  private void forceWhatDisplaced() throws IOException {
    syncLog.run();
  }
}
