// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.model;

import io.accordiondb.Checkpoint;
import io.accordiondb.Compression;
import io.accordiondb.Database;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.Durability;
import io.accordiondb.KeyProvider;
import io.accordiondb.LogWriting;
import io.accordiondb.RecoveryMode;
import io.accordiondb.RestorePoint;
import io.accordiondb.TestKeys;
import io.accordiondb.internal.engine.CopyFollower;
import io.accordiondb.internal.engine.DatabaseEngine;
import io.accordiondb.internal.engine.StorageOperations;
import io.accordiondb.internal.folder.DatabaseFolder;
import io.accordiondb.internal.storage.FaultyStorage;
import io.accordiondb.internal.storage.MemoryStorage;
import io.accordiondb.internal.storage.Storage;
import io.accordiondb.memstore.MemStorePolicy;
import io.accordiondb.memstore.Policy;
import io.accordiondb.memstore.layout.CellMemory;
import io.accordiondb.memstore.layout.IndexKind;
import io.accordiondb.memstore.layout.SegmentLayout;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The database under test, on a simulated disk that can fail. Its memory is so small that in-memory
 * flushes, merges, compactions and flushes to disk happen all the time.
 */
final class Subject implements AutoCloseable {
  private static final long CLOCK_START = 1_000_000;

  private final AtomicLong clock = new AtomicLong(CLOCK_START);
  private final Policy policy;
  private long floor;
  private final boolean toDevice;
  private final DatabaseOptions.Builder options;
  private volatile MemoryStorage disk = new MemoryStorage();
  private FaultyStorage storage = new FaultyStorage(disk);
  private final @Nullable KeyProvider keys;
  private Database database;

  /** The database once more, for reading; null if it is not open. */
  private @Nullable Database reader;

  /** How often {@link #refreshed} was called. */
  private int refreshes;

  /** Whether the log may lack something that a feed has passed. */
  private boolean isLogCut;

  /** Opens a database without tables, with options that follow from a seed. */
  Subject(Policy policy, long seed) throws IOException {
    RandomGenerator random = new SplittableRandom(seed);
    this.policy = policy;
    toDevice = random.nextBoolean();
    keys = random.nextInt(8) == 0 ? TestKeys.changing(seed) : null;
    options = options(random);
    database = DatabaseEngine.open(storage, options.build());
  }

  private DatabaseOptions.Builder options(RandomGenerator random) {
    CellMemory cells = CellMemory.values()[random.nextInt(CellMemory.values().length)];
    boolean array = cells == CellMemory.OBJECTS || random.nextBoolean();
    return builder()
        .memoryBytes(1 << 20)
        .storeFlushBytes(random.nextInt(3) * (24L << 10))
        .experiment(e -> e.withChunkBytes(4 << (10 + random.nextInt(3))))
        .experiment(
            e ->
                e.withSegmentLayout(
                    SegmentLayout.of(cells, array ? IndexKind.ARRAY : IndexKind.CHUNK)))
        // Only the larger one is divided between blocks and columns.
        .blockCacheBytes(random.nextBoolean() ? 0 : random.nextBoolean() ? 64 << 10 : 1 << 20)
        .logFileBytes(4L << (10 + random.nextInt(4)))
        .logRetention(Duration.ofHours(random.nextInt(2)))
        .logBytesMax(64L << (10 + random.nextInt(3)))
        .logCompression(random.nextBoolean() ? Compression.NONE : Compression.LZ4)
        .logWriting(random.nextBoolean() ? LogWriting.MAPPED : LogWriting.PLAIN)
        .openFilesMax(random.nextInt(3) == 0 ? 1 + random.nextInt(6) : 0)
        .levelFileBytes(4 << 10)
        .regionSplitBytes(random.nextInt(3) == 0 ? 64 << 10 : 1 << 30)
        .regionMergeBytes(random.nextInt(3) == 0 ? 8 << 10 : 0)
        .durability(toDevice ? Durability.FSYNC : Durability.SYNC)
        .memStorePolicy(new MemStorePolicy(policy, 0.08, 3, 0.1))
        .stallMax(Duration.ofSeconds(5))
        .clock(() -> Instant.ofEpochMilli(clock.get()));
  }

  Database database() {
    return database;
  }

  /** Returns the storage that the database sees, which fails on demand. */
  FaultyStorage storage() {
    return storage;
  }

  long now() {
    return clock.get();
  }

  /** Returns the timestamp that a write gets now. */
  long writeTime() {
    return Math.max(clock.get(), floor);
  }

  void tick(long millis) {
    clock.addAndGet(millis);
  }

  /** Closes the database and opens it again. */
  void reopen(RecoveryMode mode) throws IOException {
    database.close();
    open(mode);
  }

  /** Opens the database, which has been closed. */
  void open(RecoveryMode mode) throws IOException {
    isLogCut |= mode == RecoveryMode.SALVAGE;
    database = DatabaseEngine.open(storage, options.recoveryMode(mode).build());
    // After a kill, cells that are dated a little ahead may date writes.
    floor = ((DatabaseEngine) database).clock().floor();
  }

  /**
   * Ends the process, or with durability FSYNC the power, and opens what is then on the disk. All
   * that was written is there.
   */
  void kill(RandomGenerator random, RecoveryMode mode) throws IOException {
    boolean powerLost = toDevice && random.nextBoolean();
    MemoryStorage left = powerLost ? disk.crash(random) : disk.copy();
    abandon();
    if (powerLost) {
      // It has ended, too.
      closeReader();
      isLogCut = true;
    }
    disk = left;
    storage = new FaultyStorage(disk);
    open(mode);
  }

  /** Gives back what the database holds, without writing anything any more. */
  private void abandon() {
    storage.failForEver(FaultyStorage.CHANGES, 1);
    try {
      database.close();
    } catch (IOException e) {
      // Expected: nothing can be written.
    }
  }

  /**
   * Returns whether, since the last call, a loss of power may have undone a note in the log, which
   * is no change, or a salvage has begun another log.
   */
  boolean takeCutOfLog() {
    boolean wasCut = isLogCut;
    isLogCut = false;
    return wasCut;
  }

  /** Opens the folder once more for reading, while it is open for writing. */
  Database openReadOnly() throws IOException {
    return DatabaseEngine.open(folder(), spacious().readOnly(true).build());
  }

  /** Returns the folder as another process sees it, which outlives the kills of this one. */
  private Storage folder() {
    return (Storage)
        Proxy.newProxyInstance(
            Storage.class.getClassLoader(),
            new Class<?>[] {Storage.class},
            (proxy, method, arguments) -> {
              try {
                return method.invoke(disk, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  /** Returns a database for reading, which sees the newest state. */
  Database refreshed() throws IOException {
    refreshes++;
    Database opened = reader;
    if (opened == null) {
      opened = openReadOnly();
      reader = opened;
    } else {
      opened.refresh();
    }
    return opened;
  }

  /** Returns the database for reading that {@link #refreshed} has opened, or null. */
  @Nullable Database reader() {
    return reader;
  }

  /** Returns how often the database for reading was opened or refreshed. */
  int refreshes() {
    return refreshes;
  }

  private void closeReader() throws IOException {
    if (reader != null) {
      reader.close();
      reader = null;
    }
  }

  /**
   * Opens a copy of the database that has followed the log past some work.
   *
   * @param work after which the copy is made to follow; the log must hold all that it changes
   */
  Database openFollowed(Pair.Action work) throws IOException {
    DatabaseOptions own = database.options();
    database.reconfigure(
        now -> now.logRetention(Duration.ofHours(1)).logRetentionBytesMax(Long.MAX_VALUE));
    StorageOperations.note(database);
    MemoryStorage copy = new MemoryStorage();
    StorageOperations.checkpoint(database, copy);
    work.run();
    MemoryStorage log = new MemoryStorage();
    Checkpoint end = StorageOperations.checkpointWithLog(database, log);
    database.reconfigure(
        now ->
            now.logRetention(own.logRetention()).logRetentionBytesMax(own.logRetentionBytesMax()));
    DatabaseOptions opened = spacious().build();
    CopyFollower.rollForward(copy, log, RestorePoint.sequence(end.sequence()), opened);
    return DatabaseEngine.open(copy, opened);
  }

  /** Opens a checkpoint of the database as a database of its own. */
  Database openCheckpoint() throws IOException {
    return openCheckpointOf(database);
  }

  /** Opens a checkpoint that the database, or its reader, makes as a database of its own. */
  Database openCheckpointOf(Database original) throws IOException {
    MemoryStorage target = new MemoryStorage();
    StorageOperations.checkpoint(original, target);
    return DatabaseEngine.open(target, spacious().build());
  }

  /** Returns what a verification of the closed database has found. */
  List<?> problems() throws IOException {
    return StorageOperations.verify(DatabaseFolder.deciphered(disk, keys)).problems();
  }

  private DatabaseOptions.Builder builder() {
    DatabaseOptions.Builder builder =
        DatabaseOptions.builder()
            .compactionFilter(ExpiryHistory.FILTER_NAME, ExpiryHistory.FILTER)
            .mergeOperator(MergeHistory.PREPEND);
    return keys == null ? builder : builder.encryption(keys);
  }

  private DatabaseOptions.Builder spacious() {
    return builder()
        .memoryBytes(16 << 20)
        .memStorePolicy(MemStorePolicy.of(policy))
        .clock(() -> Instant.ofEpochMilli(clock.get()));
  }

  @Override
  public void close() throws IOException {
    closeReader();
    database.close();
  }
}
