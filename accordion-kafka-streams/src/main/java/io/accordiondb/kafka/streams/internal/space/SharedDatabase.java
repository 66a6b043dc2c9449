// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.kafka.streams.internal.space;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.accordiondb.CorruptionException;
import io.accordiondb.Database;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.Durability;
import io.accordiondb.KeyValueStore;
import io.accordiondb.LeakDetection;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
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
  private static final String FOLDER = "accordion";
  private static final String DAMAGED = "accordion.damaged";
  private static final String CELLS = "cells";

  /** The file that makes a folder a database. */
  private static final String CURRENT = "CURRENT";

  private static final int SWEEP_SECONDS = 10;

  private final Path home;
  private final Database database;
  private final KeyValueStore cells;
  private final SpaceRegistry registry;
  private final SpaceOptions options;
  private final Durability durability;
  private final int batchBytesMax;
  private final ScheduledExecutorService sweeper;

  private @Nullable ScheduledFuture<?> sweeps;

  /** How many times a store is open, by its path. */
  @GuardedBy("this")
  private final Map<String, Integer> openPaths = new HashMap<>();

  private final Object flushLock = new Object();

  /** Written by the thread that holds the lock of flushes. */
  private volatile long epoch = 1;

  private volatile long flushedEpoch;

  private SharedDatabase(Path home, Database database, SpaceOptions options) throws IOException {
    this.home = home;
    this.database = database;
    this.options = options;
    this.cells = database.keyValueStore(CELLS);
    this.registry = new SpaceRegistry(database, cells);
    this.durability = options.logged() ? Durability.ASYNC : Durability.SKIP;
    this.batchBytesMax = database.options().batchBytesMax();
    this.sweeper =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              Thread thread = new Thread(task, "accordion-sweeper");
              thread.setDaemon(true);
              return thread;
            });
  }

  /**
   * Opens the database in an application's state directory. If damage was found in it before, or is
   * found now, it is put aside, and an empty one begun: Kafka Streams then restores what changelogs
   * have.
   */
  static SharedDatabase open(Path home, SpaceOptions options) throws IOException {
    Files.createDirectories(home);
    Path damaged = home.resolve(DAMAGED);
    if (Files.exists(damaged)) {
      if (Files.exists(home.resolve(FOLDER))) {
        putAside(home, Files.readString(damaged));
      }
      Files.delete(damaged);
    }
    try {
      return openFolder(home, options);
    } catch (CorruptionException e) {
      if (e.file().endsWith(CURRENT)) {
        throw e; // The folder may be that of another program.
      }
      putAside(home, String.valueOf(e.getMessage()));
      return openFolder(home, options);
    }
  }

  private static void putAside(Path home, String damage) throws IOException {
    Path folder = home.resolve(FOLDER);
    Path aside = home.resolve(FOLDER + ".aside-" + System.currentTimeMillis());
    LOG.warn("Database {} is damaged; it is now {}, and begun again: {}", folder, aside, damage);
    Files.move(folder, aside, StandardCopyOption.ATOMIC_MOVE);
  }

  private static SharedDatabase openFolder(Path home, SpaceOptions options) throws IOException {
    Path folder = home.resolve(FOLDER);
    Database database = Database.open(folder, databaseOptions(options));
    try {
      SharedDatabase shared = new SharedDatabase(home, database, options);
      shared.sweep();
      shared.sweeps =
          shared.sweeper.scheduleWithFixedDelay(
              shared::sweepQuietly, SWEEP_SECONDS, SWEEP_SECONDS, TimeUnit.SECONDS);
      return shared;
    } catch (IOException | RuntimeException e) {
      database.close();
      throw e;
    }
  }

  private static DatabaseOptions databaseOptions(SpaceOptions options) {
    long memoryBytes = options.memoryBytes();
    return DatabaseOptions.builder()
        // An eighth is left for what reads, flushes and compactions hold on the way.
        .memoryBytes(memoryBytes / 2)
        .blockCacheBytes(memoryBytes / 8 * 3)
        .leakDetection(options.leaksAlways() ? LeakDetection.ALWAYS : LeakDetection.SAMPLED)
        .build();
  }

  Path home() {
    return home;
  }

  Database database() {
    return database;
  }

  SpaceOptions options() {
    return options;
  }

  KeyValueStore cells() {
    return cells;
  }

  SpaceRegistry registry() {
    return registry;
  }

  /** Returns with which durability stores write. */
  Durability durability() {
    return durability;
  }

  /** Returns how many bytes one commit may have. */
  int batchBytesMax() {
    return batchBytesMax;
  }

  /** Returns the epoch; to be read after a write. */
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
        registry.forceLog();
      } else {
        database.flush();
      }
      flushedEpoch = flushing;
    }
  }

  /** What a store is that the database does not know. */
  interface Newcomer {
    /** Returns whether it begins with keys; may throw to prevent that it begins. */
    boolean hasKeys() throws IOException;

    /** Writes those keys, durably. */
    void writeKeys(SpaceRegistry.Entry entry) throws IOException;
  }

  /**
   * Returns a store's entry, which is a new one if the store's marker is not that of the entry:
   * then what the store had is dropped. A new one has no marker before its keys are written, so the
   * next attempt starts over if they were not.
   */
  synchronized SpaceRegistry.Entry enter(String path, StoreMarker marker, Newcomer newcomer)
      throws IOException {
    SpaceRegistry.Entry entry = registry.find(path);
    if (entry == null || !entry.incarnation().equals(marker.read())) {
      boolean hasKeys = newcomer.hasKeys();
      if (entry != null) {
        registry.drop(path, entry);
      }
      entry = registry.create(path);
      if (hasKeys) {
        newcomer.writeKeys(entry);
        entry = Objects.requireNonNull(registry.find(path));
      }
      marker.write(entry.incarnation());
    }
    openPaths.merge(path, 1, Integer::sum);
    return entry;
  }

  /** Says that a store is closed. */
  synchronized void leave(String path) {
    openPaths.computeIfPresent(path, (key, times) -> times == 1 ? null : times - 1);
  }

  /** Drops a store that is open, and invalidates its marker. */
  synchronized void discard(String path, StoreMarker marker) throws IOException {
    marker.invalidate();
    SpaceRegistry.Entry entry = registry.find(path);
    if (entry != null) {
      registry.drop(path, entry);
    }
  }

  /** Has the database put aside when it is opened the next time. */
  void noteDamage(Exception damage) {
    LOG.error("Database {} is damaged", home.resolve(FOLDER), damage);
    try {
      Files.writeString(home.resolve(DAMAGED), String.valueOf(damage.getMessage()));
    } catch (IOException e) {
      LOG.error("Cannot note the damage", e);
    }
  }

  void close() throws IOException {
    if (sweeps != null) {
      sweeps.cancel(false);
    }
    sweeper.shutdown();
    synchronized (this) {
      database.close();
    }
  }

  private void sweepQuietly() {
    try {
      sweep();
    } catch (IOException | RuntimeException e) {
      LOG.warn("Cannot look for stores that are gone", e);
    }
  }

  /** Drops the stores whose tasks' directories were deleted. */
  synchronized void sweep() throws IOException {
    for (String path : registry.paths()) {
      int slash = path.lastIndexOf('/');
      StoreMarker marker =
          new StoreMarker(home.resolve(path.substring(0, slash)), path.substring(slash + 1));
      SpaceRegistry.Entry entry = openPaths.containsKey(path) ? null : registry.find(path);
      if (entry != null && !entry.incarnation().equals(marker.read())) {
        registry.drop(path, entry);
      }
    }
  }
}
