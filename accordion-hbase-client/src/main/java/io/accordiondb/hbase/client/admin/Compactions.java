// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.client.admin;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.accordiondb.Database;
import io.accordiondb.hbase.client.catalog.Catalog;
import io.accordiondb.statistics.StoreStatistics;
import io.accordiondb.statistics.TableStatistics;
import java.io.IOException;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.CompactionState;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs compactions in the background and says which run. Thread-safe. A compaction that fails is
 * logged; the database counts it and keeps its files as they were.
 */
final class Compactions {
  private static final Logger LOG = LoggerFactory.getLogger(Compactions.class);

  private final Database database;
  private final Executor executor;

  @GuardedBy("this")
  private final Set<Request> waiting = new LinkedHashSet<>();

  @GuardedBy("this")
  private @Nullable Request running;

  /** Whether a thread takes requests one after another. */
  @GuardedBy("this")
  private boolean serving;

  private final Map<TableName, Long> lastMajorMillis = new ConcurrentHashMap<>();

  Compactions(Database database, Executor executor) {
    this.database = database;
    this.executor = executor;
  }

  /** A request that has not ended. */
  private record Request(TableName table, boolean isMajor) {}

  /**
   * Requests a compaction of a table, and returns at once. A request that waits stands for all of
   * its kind, and one thread at a time serves them, so others are left for reads and writes.
   */
  void request(TableName table, boolean isMajor) throws IOException {
    Request request = new Request(table, isMajor);
    synchronized (this) {
      waiting.add(request);
      if (serving) {
        return;
      }
      serving = true;
    }
    boolean accepted = false;
    try {
      executor.execute(this::serve);
      accepted = true;
    } catch (RejectedExecutionException e) {
      throw new DoNotRetryIOException("the connection is closed", e);
    } finally {
      if (!accepted) {
        withdraw(request);
      }
    }
  }

  private void serve() {
    for (Request next = take(); next != null; next = take()) {
      run(next.table, next.isMajor);
    }
  }

  /** Returns the next request; null if there is none, and then nobody serves any more. */
  private synchronized @Nullable Request take() {
    Iterator<Request> requests = waiting.iterator();
    serving = requests.hasNext();
    running = serving ? requests.next() : null;
    if (serving) {
      requests.remove();
    }
    return running;
  }

  /** Takes a request back for which there is no thread; the next one serves those that wait. */
  private synchronized void withdraw(Request request) {
    waiting.remove(request);
    serving = false;
  }

  private void run(TableName table, boolean isMajor) {
    String engineName = Catalog.engineName(table);
    try {
      if (isMajor) {
        database.flush(engineName);
        long began = System.currentTimeMillis();
        database.majorCompact(engineName);
        lastMajorMillis.put(table, began);
      } else {
        database.compact(engineName);
      }
    } catch (Throwable e) {
      // An error, too: others wait.
      LOG.warn("a compaction of table {} has failed", table, e);
    }
  }

  /** Returns which compactions of a table run or wait, the database's own ones included. */
  CompactionState state(TableName table) throws IOException {
    boolean isMajor = isRequested(new Request(table, true));
    boolean isMinor = isRequested(new Request(table, false)) || (!isMajor && isCompacting(table));
    if (isMajor) {
      return isMinor ? CompactionState.MAJOR_AND_MINOR : CompactionState.MAJOR;
    }
    return isMinor ? CompactionState.MINOR : CompactionState.NONE;
  }

  private synchronized boolean isRequested(Request request) {
    return request.equals(running) || waiting.contains(request);
  }

  private boolean isCompacting(TableName table) throws IOException {
    String engineName = Catalog.engineName(table);
    for (TableStatistics statistics : database.statistics().tables()) {
      if (statistics.name().equals(engineName)) {
        return statistics.stores().stream().anyMatch(StoreStatistics::compacting);
      }
    }
    return false;
  }

  /**
   * Returns when the last major compaction of a table that was requested here began; 0 for none.
   */
  long lastMajorMillis(TableName table) {
    return lastMajorMillis.getOrDefault(table, 0L);
  }
}
