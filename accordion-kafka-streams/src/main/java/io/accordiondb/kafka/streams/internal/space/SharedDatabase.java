// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.kafka.streams.internal.space;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.accordiondb.ClosedException;
import io.accordiondb.DatabaseStatistics;
import io.accordiondb.Durability;
import io.accordiondb.statistics.StallCause;
import io.accordiondb.statistics.StallStatistics.Stalls;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The database of an application in this process. Thread-safe.
 *
 * <p>A store records the epoch of its last write. A flush begins a new epoch and writes everything
 * in memory, of all stores; so when Kafka Streams commits the tasks of a thread one after another,
 * the first flush serves all of them.
 */
final class SharedDatabase {
  private static final Logger LOG = LoggerFactory.getLogger(SharedDatabase.class);
  private static final int SWEEP_SECONDS = 10;
  private static final int RELIEF_SECONDS = 1;
  private static final long READING_NANOS_MAX = 1_000_000_000;

  private final Path home;
  private final DatabaseFolder folder;
  private final SpaceOptions options;
  private final Durability durability;
  private final int batchBytesMax;
  private final ScheduledExecutorService sweeper;

  /** Those of all stores that are open. */
  private final Set<SpaceIterator> iterators = ConcurrentHashMap.newKeySet();

  private final OpenPaths openPaths = new OpenPaths();

  /** The paths of stores whose keys are being written. They are open, too. */
  @GuardedBy("this")
  private final Set<String> filling = new HashSet<>();

  /** Held by the sweep that goes on. */
  private final Object sweepLock = new Object();

  private final Object flushLock = new Object();

  /** Written by the thread that holds the lock of flushes. */
  private volatile long epoch = 1;

  private volatile long flushedEpoch;

  /** Another one after a failure. */
  private volatile OpenDatabase opened;

  /** The last one. */
  private volatile @Nullable Reading reading;

  /** The statistics, and when they were taken. */
  private record Reading(DatabaseStatistics statistics, long nanos) {}

  private SharedDatabase(
      Path home, DatabaseFolder folder, OpenDatabase opened, SpaceOptions options) {
    this.home = home;
    this.folder = folder;
    this.opened = opened;
    this.options = options;
    this.durability = options.logged() ? Durability.ASYNC : Durability.SKIP;
    this.batchBytesMax = folder.options().batchBytesMax();
    // Two threads: iterators must give memory back even while a sweep waits for memory.
    this.sweeper =
        Executors.newScheduledThreadPool(
            2,
            task -> {
              Thread thread = new Thread(task, "accordion-sweeper");
              thread.setDaemon(true);
              return thread;
            });
  }

  /** Opens the database in an application's state directory. */
  static SharedDatabase open(Path home, SpaceOptions options) throws IOException {
    DatabaseFolder folder = new DatabaseFolder(home, options);
    OpenDatabase opened = folder.open(0, 0);
    SharedDatabase shared = null;
    boolean done = false;
    try {
      shared = new SharedDatabase(home, folder, opened, options);
      shared.sweep();
      shared.repeat(shared::sweep, SWEEP_SECONDS);
      shared.repeat(shared::relieve, RELIEF_SECONDS);
      done = true;
      return shared;
    } finally {
      if (!done) {
        // Also after an error, for example if there is no thread.
        if (shared != null) {
          shared.sweeper.shutdown();
        }
        opened.database().close();
      }
    }
  }

  Path home() {
    return home;
  }

  /** Returns the database as it is open now. */
  OpenDatabase opened() {
    return opened;
  }

  SpaceOptions options() {
    return options;
  }

  /** Returns the durability with which stores write. */
  Durability durability() {
    return durability;
  }

  /** Returns how many bytes one commit may have. */
  int batchBytesMax() {
    return batchBytesMax;
  }

  /**
   * Returns the statistics of the database, at most a second old: each metric of each store reads
   * them, and taking them looks at the whole database.
   */
  DatabaseStatistics statistics() throws IOException {
    long now = System.nanoTime();
    Reading last = reading;
    if (last == null || now - last.nanos() > READING_NANOS_MAX) {
      last = new Reading(opened.database().statistics(), now);
      reading = last;
    }
    return last.statistics();
  }

  /** Returns the epoch. The caller must read it after a write. */
  long epoch() {
    return epoch;
  }

  /** Makes durable what was written in an epoch and before. */
  void flush(long writtenEpoch) throws IOException {
    if (writtenEpoch <= flushedEpoch) {
      return;
    }
    synchronized (flushLock) {
      if (writtenEpoch <= flushedEpoch) {
        return;
      }
      long flushing = epoch;
      epoch = flushing + 1;
      if (options.logged()) {
        opened.registry().forceLog();
      } else {
        opened.database().flush();
      }
      flushedEpoch = flushing;
    }
  }

  /**
   * Returns the entry of a store. If the marker of the store is not that of the entry, or the store
   * has had another format, the keys of the store are dropped and the entry is a new one: its keys
   * and values would be misread, and the same time would be in another segment. A new entry has no
   * marker until its keys are written, so if that fails, the next attempt starts over.
   */
  SpaceRegistry.Entry enter(String path, StoreMarker marker, StoreFormat format, Newcomer newcomer)
      throws IOException {
    openPaths.enter(path);
    boolean entered = false;
    try {
      SpaceRegistry.Entry entry = register(path, marker, format, newcomer);
      entered = true;
      return entry;
    } finally {
      if (!entered) {
        openPaths.leave(path);
      }
    }
  }

  private SpaceRegistry.Entry register(
      String path, StoreMarker marker, StoreFormat format, Newcomer newcomer) throws IOException {
    SpaceRegistry.Entry entry;
    synchronized (this) {
      if (filling.contains(path)) {
        throw new IOException(path + " is being filled by another thread");
      }
      entry = opened.registry().find(path);
      if (entry == null || !entry.incarnation().equals(marker.read()) || !entry.has(format)) {
        if (entry != null && !entry.has(format)) {
          LOG.warn(
              "{} was kept as {} and needs {} now, so it begins anew and is restored from its"
                  + " changelog, if it has one",
              path,
              entry.incarnation(),
              format);
        }
        boolean hasKeys = newcomer.hasKeys();
        if (entry != null) {
          opened.registry().drop(path, entry);
        }
        entry = opened.registry().create(path, format);
        if (hasKeys) {
          filling.add(path);
        } else {
          newcomer.forgetKeys();
          marker.write(entry.incarnation());
        }
      }
      if (!filling.contains(path)) {
        return entry;
      }
    }
    return fill(path, marker, entry, newcomer);
  }

  /**
   * Writes the keys of a new store, which may take long: others are opened and closed meanwhile.
   */
  private SpaceRegistry.Entry fill(
      String path, StoreMarker marker, SpaceRegistry.Entry entry, Newcomer newcomer)
      throws IOException {
    try {
      newcomer.writeKeys(entry);
      SpaceRegistry.Entry full = opened.registry().find(path);
      if (full == null) {
        throw new IOException("the database was opened again while " + path + " was filled");
      }
      marker.write(full.incarnation());
      return full;
    } finally {
      synchronized (this) {
        filling.remove(path);
      }
    }
  }

  /** Records that a store is closed. */
  void leave(String path) {
    openPaths.leave(path);
  }

  /** Drops a store that is open, and invalidates its marker. */
  synchronized void discard(String path, StoreMarker marker) throws IOException {
    marker.invalidate();
    SpaceRegistry.Entry entry = opened.registry().find(path);
    if (entry != null) {
      opened.registry().drop(path, entry);
    }
  }

  /** Returns the damaged databases that were put aside and not deleted. */
  List<Path> asides() throws IOException {
    return folder.asides();
  }

  /** Returns whether the next opening puts the database aside. */
  boolean isDamaged() {
    return folder.isDamaged();
  }

  /** Records damage, so that the next opening puts the database aside. */
  void noteDamage(Exception damage) {
    folder.noteDamage(damage);
  }

  /**
   * Reopens the database if it has failed permanently. Stores that are open have lost what they
   * wrote since the last flush: see {@link OpenDatabase#hasAllOf}.
   */
  void reopenIfFailed() throws IOException {
    // Whoever opens a store must not wait here until another one has written.
    if (opened.hasFailed()) {
      reopen();
    }
  }

  private synchronized void reopen() throws IOException {
    OpenDatabase failed = opened;
    if (!failed.hasFailed()) {
      return; // Another thread has opened it again.
    }
    LOG.warn("The database in {} has failed and is opened again", home);
    synchronized (flushLock) {
      try {
        failed.database().close();
      } catch (IOException e) {
        LOG.warn("The database in {} could not be closed well", home, e);
      }
      opened = folder.open(failed.number() + 1, flushedEpoch);
    }
  }

  void close() throws IOException {
    sweeper.shutdown(); // It does nothing periodically from now on.
    synchronized (this) {
      opened.database().close();
    }
  }

  /** What is done periodically. */
  interface Work {
    void run() throws IOException;
  }

  private void repeat(Work work, int seconds) {
    var unused =
        sweeper.scheduleWithFixedDelay(
            () -> runQuietly(home, work), seconds, seconds, TimeUnit.SECONDS);
  }

  /** Does work that is done again after any failure: what threw would never be repeated. */
  static void runQuietly(Path home, Work work) {
    try {
      work.run();
    } catch (ClosedException e) {
      LOG.debug("The database in {} is being closed", home, e);
    } catch (IOException | RuntimeException | Error e) {
      LOG.warn("Periodic work for the database in {} failed", home, e);
    }
  }

  /** Registers an iterator that has been opened. */
  void watch(SpaceIterator iterator) {
    iterators.add(iterator);
  }

  /** Forgets an iterator that is closed. */
  void forget(SpaceIterator iterator) {
    iterators.remove(iterator);
  }

  /**
   * Has iterators give memory back while writes wait for it. Each keeps what was in memory when it
   * was opened, so several would stop all writes.
   */
  private void relieve() throws IOException {
    if (!iterators.isEmpty() && isShortOfMemory()) {
      iterators.forEach(SpaceIterator::giveBack);
    }
  }

  private boolean isShortOfMemory() throws IOException {
    Stalls stalls =
        opened.database().statistics().writes().stalls().byCause().get(StallCause.MEMORY);
    return stalls != null && stalls.waiting() > 0;
  }

  /**
   * Drops the stores whose tasks' directories were deleted. A drop may have to wait as long as any
   * write; other stores are opened and closed meanwhile.
   */
  void sweep() throws IOException {
    synchronized (sweepLock) {
      SpaceRegistry registry = opened.registry();
      for (String path : registry.paths()) {
        if (openPaths.beginSweep(path)) {
          try {
            dropIfDeleted(path, registry);
          } finally {
            openPaths.endSweep();
          }
        }
      }
    }
  }

  private void dropIfDeleted(String path, SpaceRegistry registry) throws IOException {
    int slash = path.lastIndexOf('/');
    StoreMarker marker =
        new StoreMarker(home.resolve(path.substring(0, slash)), path.substring(slash + 1));
    SpaceRegistry.Entry entry = registry.find(path);
    if (entry != null && !entry.incarnation().equals(marker.read())) {
      registry.drop(path, entry);
    }
  }
}
