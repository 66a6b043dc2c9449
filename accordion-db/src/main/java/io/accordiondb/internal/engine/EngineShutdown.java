// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.engine;

import io.accordiondb.DatabaseFailedException;
import io.accordiondb.internal.manifest.Manifest;
import io.accordiondb.internal.manifest.VersionEdit;
import io.accordiondb.internal.read.ColumnCache;
import io.accordiondb.internal.thread.DaemonThreads;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Closes the parts of an open database from the last to the first, and continues after a failure.
 * Used once.
 */
final class EngineShutdown implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(EngineShutdown.class);

  private final EngineParts parts;
  private final Closeable observation;

  // Allocate this before anything is closed: if the allocation fails, closing can be tried again.
  private final Closeable freeMemory = this::freeMemory;
  private final Closeable closeManifest = this::closeManifest;
  private final Closeable closeTables;
  private final Closeable closeLog;
  private final Closeable endWork = this::endWork;
  private final Closeable endTransactions;

  /**
   * Prepares to close a database.
   *
   * @param observation ends when all else is closed
   */
  EngineShutdown(EngineParts parts, Closeable observation) {
    this.parts = parts;
    this.observation = observation;
    this.closeTables = parts.catalog()::closeAll;
    this.closeLog = parts.pipeline()::closeLog;
    this.endTransactions = parts.transactions()::close;
  }

  /**
   * Closes all parts. If another thread does or has done so, this waits until that has ended, but
   * not on a thread of a database, for which the other one may be waiting.
   *
   * @throws IllegalStateException on a thread of this database for background work
   */
  @Override
  public void close() throws IOException {
    parts.threads().checkNotCurrent();
    if (!parts.tables().close()) {
      if (!DaemonThreads.isCurrent()) {
        parts.tables().awaitEnd();
      }
      return;
    }
    try (observation) {
      closeParts();
    } finally {
      parts.tables().end();
    }
  }

  private void closeParts() throws IOException {
    try (Closeable lock = parts.lock();
        Closeable memory = freeMemory;
        Closeable first = closeManifest;
        Closeable files = parts.files();
        Closeable second = closeTables;
        Closeable log = closeLog;
        Closeable truncation = parts.truncation();
        Closeable third = endWork;
        Closeable feeds = parts.feeds();
        Closeable fourth = endTransactions) {
      endWrites();
      parts.compactions().stop();
      // Writes that were not forced to the device may be lost, which must be reported.
      parts.failure().check();
      if (!parts.options().get().readOnly() && !parts.endsWithClosing()) {
        parts.flushes().flushAll(parts.catalog().stores());
        parts.manifest().commit(List.of(new VersionEdit.SetClockFloor(parts.clock().floor())));
      }
    }
  }

  /** Waits for the writes in progress, and refuses all later ones. */
  private void endWrites() throws IOException {
    try {
      if (!parts.options().get().readOnly()) {
        parts.notes().tick();
      }
    } finally {
      try {
        parts.pipeline().close();
      } finally {
        parts.asyncCommits().close();
      }
    }
    if (parts.failure().isSuspended()) {
      try {
        parts.resumption().resume();
      } catch (DatabaseFailedException e) {
        LOG.debug("the log cannot go on; closing says what that means", e);
      }
    }
  }

  private void closeManifest() throws IOException {
    Manifest manifest = parts.manifest();
    long logBytes = parts.log().closedBytes();
    if (parts.options().get().readOnly() || parts.failure().isFailed() || logBytes < 0) {
      manifest.close();
    } else {
      manifest.close(logBytes);
    }
  }

  /**
   * Leaves caches and free chunks to the garbage collector: an application may keep tables of a
   * closed database, and they refer to it.
   */
  private void freeMemory() {
    parts.pool().close();
    ColumnCache columns = parts.columns();
    if (columns != null) {
      columns.resize(0);
    }
    try {
      parts.cache().resize(0);
    } catch (OutOfMemoryError e) {
      LOG.debug("the block cache stays as long as the application keeps the database", e);
    }
  }

  private void endWork() {
    parts.threads().close();
    if (!parts.options().get().readOnly() && !parts.failure().isFailed()) {
      parts.truncation().run();
    }
  }
}
