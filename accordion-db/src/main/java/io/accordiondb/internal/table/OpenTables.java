// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.table;

import io.accordiondb.DatabaseClosedException;
import io.accordiondb.HistoryLostException;
import io.accordiondb.ReadOnlyDatabaseException;
import io.accordiondb.TableNotFoundException;
import io.accordiondb.internal.catalog.Catalog;
import io.accordiondb.internal.commit.FailureState;
import io.accordiondb.internal.pause.Pause;
import io.accordiondb.internal.region.TableState;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Looks up tables in the catalog of an open database. A thread that finds a store closed waits here
 * until the table has its new regions. Thread-safe.
 */
public final class OpenTables {
  private static final long CHANGE_POLL_NANOS = 50_000;

  private final Supplier<Catalog> catalog;
  private final FailureState failure;
  private final String folder;
  private final boolean readOnly;
  private final AtomicBoolean closed = new AtomicBoolean();
  private final CountDownLatch ended = new CountDownLatch(1);

  /** The thread that closes the database, whose callbacks may try to do so again. */
  private volatile @Nullable Thread closer;

  /**
   * Creates the tables of an open database.
   *
   * @param catalog gives the catalog in force
   * @param folder named in messages
   */
  public OpenTables(
      Supplier<Catalog> catalog, FailureState failure, String folder, boolean readOnly) {
    this.catalog = catalog;
    this.failure = failure;
    this.folder = folder;
    this.readOnly = readOnly;
  }

  /** Returns where the database is, for messages. */
  public String folder() {
    return folder;
  }

  /** Throws an exception if the database is closed. */
  public void checkOpen() {
    if (closed.get()) {
      throw new DatabaseClosedException(folder);
    }
  }

  /** Throws an exception if the database is closed or was opened read-only. */
  public void checkWritable() throws IOException {
    checkOpen();
    if (readOnly) {
      throw new ReadOnlyDatabaseException(folder);
    }
  }

  /** Returns a table as it is now. */
  public TableState get(String name) throws IOException {
    checkOpen();
    return catalog.get().get(name);
  }

  /** Returns whether there is a table of this name. */
  public boolean contains(String name) {
    checkOpen();
    return catalog.get().contains(name);
  }

  /**
   * Returns a table as it is now, after a store of it was found closed.
   *
   * @param sequence the sequence number of the read
   * @throws TableNotFoundException if it was dropped
   * @throws HistoryLostException if it was dropped and created again
   */
  TableState getAgain(TableState stale, long sequence) throws IOException {
    awaitChange();
    TableState now = get(stale.name());
    if (now.tableId() != stale.tableId()) {
      throw new HistoryLostException("table " + stale.name(), sequence);
    }
    return now;
  }

  /**
   * Waits a little for the thread that is about to replace a closed store. While writes are
   * suspended, this succeeds: reads go on, and a write is refused when it is committed.
   */
  public void awaitChange() throws IOException {
    checkOpen();
    failure.checkPermanent();
    Pause.uninterruptibly(CHANGE_POLL_NANOS);
  }

  /** Marks the database as closed; returns false if it was already. */
  public boolean close() {
    boolean first = closed.compareAndSet(false, true);
    if (first) {
      closer = Thread.currentThread();
    }
    return first;
  }

  /** Says that the thread that has closed the database has done so with all its parts. */
  public void end() {
    closer = null;
    ended.countDown();
  }

  /** Waits until another thread has called {@link #end}, also when interrupted. */
  public void awaitEnd() {
    if (closer == Thread.currentThread()) {
      return;
    }
    boolean interrupted = false;
    while (ended.getCount() > 0) {
      try {
        ended.await();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
