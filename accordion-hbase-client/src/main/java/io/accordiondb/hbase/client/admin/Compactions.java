// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.client.admin;

import io.accordiondb.Database;
import io.accordiondb.hbase.client.catalog.Catalog;
import io.accordiondb.statistics.StoreStatistics;
import io.accordiondb.statistics.TableStatistics;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.CompactionState;
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
  private final Map<TableName, AtomicInteger> minor = new ConcurrentHashMap<>();
  private final Map<TableName, AtomicInteger> major = new ConcurrentHashMap<>();
  private final Map<TableName, Long> lastMajorMillis = new ConcurrentHashMap<>();

  Compactions(Database database, Executor executor) {
    this.database = database;
    this.executor = executor;
  }

  /** Requests a compaction of a table, and returns at once. */
  void request(TableName table, boolean isMajor) throws IOException {
    AtomicInteger running =
        (isMajor ? major : minor).computeIfAbsent(table, any -> new AtomicInteger());
    running.incrementAndGet();
    boolean accepted = false;
    try {
      executor.execute(
          () -> {
            try {
              run(table, isMajor);
            } finally {
              running.decrementAndGet();
            }
          });
      accepted = true;
    } catch (RejectedExecutionException e) {
      throw new DoNotRetryIOException("the connection is closed", e);
    } finally {
      if (!accepted) {
        running.decrementAndGet();
      }
    }
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
    } catch (IOException | RuntimeException e) {
      LOG.warn("a compaction of table {} has failed", table, e);
    }
  }

  /** Returns which compactions of a table run or wait, the database's own ones included. */
  CompactionState state(TableName table) throws IOException {
    boolean isMajor = isRunning(major, table);
    boolean isMinor = isRunning(minor, table) || (!isMajor && isCompacting(table));
    if (isMajor) {
      return isMinor ? CompactionState.MAJOR_AND_MINOR : CompactionState.MAJOR;
    }
    return isMinor ? CompactionState.MINOR : CompactionState.NONE;
  }

  private static boolean isRunning(Map<TableName, AtomicInteger> counts, TableName table) {
    AtomicInteger count = counts.get(table);
    return count != null && count.get() > 0;
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
