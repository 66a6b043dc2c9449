// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.metrics;

import io.accordiondb.event.CompactionEvent;
import io.accordiondb.event.FlushEvent;
import io.accordiondb.event.StallEvent;
import io.accordiondb.statistics.BlockKind;
import io.accordiondb.statistics.CacheStatistics;
import io.accordiondb.statistics.OperationKind;
import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Period;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;
import org.jspecify.annotations.Nullable;

/**
 * The events of a database for JDK Flight Recorder. JFR reads the fields. Their cost is negligible
 * while no recording runs.
 */
@Category({"Accordion", "Database"})
@StackTrace(false)
abstract class DatabaseJfrEvent extends Event {
  @Label("Database")
  String database = "";

  /** Work on the sorted tables of one store. */
  abstract static class StoreWork extends DatabaseJfrEvent {
    @Label("Table")
    String table = "";

    @Label("Family")
    String family = "";

    @Label("Region")
    long region;

    @Label("Bytes Written")
    @DataAmount
    long bytesWritten;

    @Label("Time Taken")
    @Timespan(Timespan.NANOSECONDS)
    long timeTaken;

    @Label("Failure")
    @Nullable String failure;
  }

  @Name("io.accordiondb.DiskFlush")
  @Label("Flush to Disk")
  static final class DiskFlush extends StoreWork {
    @Label("Cells")
    long cells;

    @Label("Cell Bytes")
    @DataAmount
    long dataBytes;

    static void write(String database, FlushEvent flush) {
      DiskFlush event = new DiskFlush();
      if (event.isEnabled()) {
        event.database = database;
        event.table = flush.table();
        event.family = flush.family();
        event.region = flush.region();
        event.cells = flush.cells();
        event.dataBytes = flush.dataBytes();
        event.bytesWritten = flush.bytesWritten();
        event.timeTaken = flush.nanos();
        event.failure = flush.failure() == null ? null : flush.failure().toString();
        event.commit();
      }
    }
  }

  @Name("io.accordiondb.DiskCompaction")
  @Label("Compaction of Sorted Tables")
  static final class DiskCompaction extends StoreWork {
    @Label("Files Read")
    int filesRead;

    @Label("Bytes Read")
    @DataAmount
    long bytesRead;

    @Label("Files Written")
    int filesWritten;

    @Label("Given Up")
    boolean givenUp;

    static void write(String database, CompactionEvent compaction) {
      DiskCompaction event = new DiskCompaction();
      if (event.isEnabled()) {
        event.database = database;
        event.table = compaction.table();
        event.family = compaction.family();
        event.region = compaction.region();
        event.filesRead = compaction.filesRead();
        event.bytesRead = compaction.bytesRead();
        event.filesWritten = compaction.filesWritten();
        event.bytesWritten = compaction.bytesWritten();
        event.timeTaken = compaction.nanos();
        event.givenUp = compaction.givenUp();
        event.failure = compaction.failure() == null ? null : compaction.failure().toString();
        event.commit();
      }
    }
  }

  @Name("io.accordiondb.Stall")
  @Label("Writes Slowed Down or Stopped")
  static final class Stall extends DatabaseJfrEvent {
    @Label("Cause")
    String cause = "";

    @Label("Reason")
    String reason = "";

    @Label("Time Taken")
    @Timespan(Timespan.NANOSECONDS)
    long timeTaken;

    static void write(String database, StallEvent stall) {
      Stall event = new Stall();
      if (event.isEnabled()) {
        event.database = database;
        event.cause = stall.cause().name();
        event.reason = stall.reason();
        event.timeTaken = stall.nanos();
        event.commit();
      }
    }
  }

  @Name("io.accordiondb.SlowOperation")
  @Label("Slow Operation")
  @Description("An operation that took longer than the option slowOperation allows")
  static final class SlowOperation extends DatabaseJfrEvent {
    @Label("Kind")
    String kind = "";

    @Label("Table")
    @Nullable String table;

    @Label("Row")
    String row = "";

    @Label("Waited For")
    String causes = "";

    @Label("Time Taken")
    @Timespan(Timespan.NANOSECONDS)
    long timeTaken;

    static void write(
        String database,
        OperationKind kind,
        long nanos,
        @Nullable String table,
        String row,
        String causes) {
      SlowOperation event = new SlowOperation();
      if (event.isEnabled()) {
        event.database = database;
        event.kind = kind.name();
        event.table = table;
        event.row = row;
        event.causes = causes;
        event.timeTaken = nanos;
        event.commit();
      }
    }
  }

  /** The state of the block cache. */
  @Name("io.accordiondb.Cache")
  @Label("Block Cache")
  @Period("1 s")
  static final class Cache extends DatabaseJfrEvent {
    @Label("Used Bytes")
    @DataAmount
    long usedBytes;

    @Label("Budget Bytes")
    @DataAmount
    long budgetBytes;

    @Label("Data Hits")
    long dataHits;

    @Label("Data Misses")
    long dataMisses;

    @Label("Index Hits")
    long indexHits;

    @Label("Index Misses")
    long indexMisses;

    @Label("Filter Hits")
    long filterHits;

    @Label("Filter Misses")
    long filterMisses;

    @Label("Column Hits")
    long columnHits;

    @Label("Column Misses")
    long columnMisses;

    static void write(String database, CacheStatistics cache) {
      Cache event = new Cache();
      event.database = database;
      event.usedBytes = cache.usedBytes();
      event.budgetBytes = cache.budgetBytes();
      event.dataHits = cache.of(BlockKind.DATA).hits();
      event.dataMisses = cache.of(BlockKind.DATA).misses();
      event.indexHits = cache.of(BlockKind.INDEX).hits();
      event.indexMisses = cache.of(BlockKind.INDEX).misses();
      event.filterHits = cache.of(BlockKind.FILTER).hits();
      event.filterMisses = cache.of(BlockKind.FILTER).misses();
      event.columnHits = cache.of(BlockKind.COLUMN).hits();
      event.columnMisses = cache.of(BlockKind.COLUMN).misses();
      event.commit();
    }
  }
}
