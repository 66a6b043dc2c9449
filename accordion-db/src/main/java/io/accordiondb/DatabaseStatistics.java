// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import io.accordiondb.statistics.AmplificationStatistics;
import io.accordiondb.statistics.CacheStatistics;
import io.accordiondb.statistics.CompactionStatistics;
import io.accordiondb.statistics.FileStatistics;
import io.accordiondb.statistics.FlushStatistics;
import io.accordiondb.statistics.HealthStatistics;
import io.accordiondb.statistics.LogStatistics;
import io.accordiondb.statistics.MemoryStatistics;
import io.accordiondb.statistics.OperationStatistics;
import io.accordiondb.statistics.ReaderStatistics;
import io.accordiondb.statistics.TableStatistics;
import io.accordiondb.statistics.WriteStatistics;
import java.util.List;

/**
 * What a database has done since it was opened, and its present state. Immutable. {@link #toString}
 * returns a page of text.
 *
 * <p>The figures are read one after another while the database works, so they may not agree with
 * each other exactly.
 *
 * @param nanosOpen how long the database has been open, in nanoseconds
 * @param health what is wrong
 * @param operations operations by kind, with their latencies
 * @param writes what was written, and what delayed writes
 * @param log the log
 * @param flushes flushes to disk
 * @param compactions compactions of sorted tables
 * @param memory the memory stores together
 * @param cache the block cache
 * @param files the sorted tables, by level
 * @param amplification the cost of storing and reading, relative to the data
 * @param readers read points and snapshots that are held
 * @param tables each table with its stores, by name
 */
public record DatabaseStatistics(
    long nanosOpen,
    HealthStatistics health,
    OperationStatistics operations,
    WriteStatistics writes,
    LogStatistics log,
    FlushStatistics flushes,
    CompactionStatistics compactions,
    MemoryStatistics memory,
    CacheStatistics cache,
    FileStatistics files,
    AmplificationStatistics amplification,
    ReaderStatistics readers,
    List<TableStatistics> tables) {

  /**
   * Copies the list, so that the record is immutable.
   *
   * @param nanosOpen how long the database has been open, in nanoseconds
   * @param health what is wrong
   * @param operations operations by kind
   * @param writes what was written, and what delayed writes
   * @param log the log
   * @param flushes flushes to disk
   * @param compactions compactions of sorted tables
   * @param memory the memory stores together
   * @param cache the block cache
   * @param files the sorted tables, by level
   * @param amplification the cost of storing and reading, relative to the data
   * @param readers read points and snapshots that are held
   * @param tables each table with its stores, by name
   */
  public DatabaseStatistics {
    tables = List.copyOf(tables);
  }

  /** Returns all figures as a page of text. */
  @Override
  public String toString() {
    return StatisticsPage.of(this);
  }
}
