// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.metrics;

import io.accordiondb.DatabaseOptions;
import io.accordiondb.LeakDetection;
import io.accordiondb.event.CompactionEvent;
import io.accordiondb.event.FileAddedEvent;
import io.accordiondb.event.FileDeletedEvent;
import io.accordiondb.event.FlushEvent;
import io.accordiondb.statistics.CacheStatistics;
import io.accordiondb.statistics.OperationKind;
import java.io.Closeable;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Everything that a database counts, times and reports. Thread-safe. A database has one instance
 * while it is open, even across refreshes.
 */
public final class Telemetry implements Closeable {
  private final String database;
  private final long openedNanos = System.nanoTime();
  private final Tallies tallies = new Tallies();
  private final SlowOperations slow;
  private final Operations operations;
  private final EventDispatcher events;
  private final BackgroundErrors errors;
  private final Corruptions corruptions;
  private final Leaks leaks;
  private final Stalls stalls;
  private final MemoryWork memoryWork;
  private volatile @Nullable CacheEvents cacheEvents;
  private volatile Runnable sampler = () -> {};

  /**
   * Creates counters that are zero.
   *
   * @param database name of the database in events and in the log output
   */
  public Telemetry(String database, DatabaseOptions options) {
    this.database = database;
    this.slow = new SlowOperations(database);
    this.operations = new Operations(tallies, slow);
    this.events = new EventDispatcher(options.eventListeners());
    this.corruptions = new Corruptions(events);
    this.errors = new BackgroundErrors(events, corruptions);
    this.leaks = new Leaks(tallies, options.leakDetection());
    this.stalls = new Stalls(database, tallies, events);
    this.memoryWork = new MemoryWork(operations, errors);
    slow.setThreshold(options.slowOperation().toNanos());
  }

  /** Returns an instance that reports nothing and finds no leaks, for work without a database. */
  public static Telemetry silent() {
    return new Telemetry("", DatabaseOptions.builder().leakDetection(LeakDetection.OFF).build());
  }

  /**
   * Adds the state of the cache to JFR recordings.
   *
   * @param sampler called about once a second
   */
  public void observe(Supplier<CacheStatistics> cache, Runnable sampler) {
    CacheEvents opened = new CacheEvents(database, cache);
    cacheEvents = opened;
    this.sampler = sampler;
    opened.open();
  }

  /** Applies changed options. */
  public void reconfigure(DatabaseOptions options) {
    slow.setThreshold(options.slowOperation().toNanos());
    leaks.setMode(options.leakDetection());
  }

  /** Returns for how long the database has been open, in nanoseconds. */
  public long nanosOpen() {
    return System.nanoTime() - openedNanos;
  }

  public Tallies tallies() {
    return tallies;
  }

  public Operations operations() {
    return operations;
  }

  public BackgroundErrors errors() {
    return errors;
  }

  public Corruptions corruptions() {
    return corruptions;
  }

  public Leaks leaks() {
    return leaks;
  }

  public Stalls stalls() {
    return stalls;
  }

  public MemoryWork memoryWork() {
    return memoryWork;
  }

  /** Reports that a flush has begun. */
  public void flushBegins(FlushEvent flush) {
    events.tell(listener -> listener.onFlushBegin(flush));
  }

  /** Counts a flush that has ended and reports it. */
  public void flushEnds(FlushEvent flush) {
    if (flush.failure() == null) {
      operations.record(OperationKind.FLUSH, flush.nanos());
    }
    DatabaseJfrEvent.DiskFlush.write(database, flush);
    events.tell(listener -> listener.onFlushEnd(flush));
  }

  /** Reports that a compaction of sorted tables has begun. */
  public void compactionBegins(CompactionEvent compaction) {
    events.tell(listener -> listener.onCompactionBegin(compaction));
  }

  /** Counts a compaction of sorted tables that has ended and reports it. */
  public void compactionEnds(CompactionEvent compaction) {
    if (compaction.failure() == null && !compaction.givenUp()) {
      operations.record(OperationKind.COMPACTION, compaction.nanos());
    }
    DatabaseJfrEvent.DiskCompaction.write(database, compaction);
    events.tell(listener -> listener.onCompactionEnd(compaction));
  }

  /** Reports a new sorted table. */
  public void fileAdded(FileAddedEvent file) {
    events.tell(listener -> listener.onFileAdded(file));
  }

  /** Reports a deleted sorted table. */
  public void fileDeleted(String name) {
    events.tell(listener -> listener.onFileDeleted(new FileDeletedEvent(name)));
  }

  /** Runs periodic work. */
  public void look() {
    stalls.look();
    leaks.check();
    sampler.run();
  }

  /**
   * Reports everything that is still unreported, and waits until it has been delivered. Idempotent.
   */
  @Override
  public void close() {
    CacheEvents opened = cacheEvents;
    if (opened != null) {
      opened.close();
    }
    stalls.endStall();
    leaks.closeAll();
    events.close();
    tallies.close();
  }
}
