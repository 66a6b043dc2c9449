// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.database;

import io.accordiondb.CellLimits;
import io.accordiondb.CorruptionException;
import io.accordiondb.Database;
import io.accordiondb.DatabaseClosedException;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.DatabaseStatistics;
import io.accordiondb.Durability;
import io.accordiondb.FamilyNotFoundException;
import io.accordiondb.Get;
import io.accordiondb.KeyValueStore;
import io.accordiondb.ReadOnlyDatabaseException;
import io.accordiondb.Result;
import io.accordiondb.Snapshot;
import io.accordiondb.Table;
import io.accordiondb.TableDescriptor;
import io.accordiondb.TableExistsException;
import io.accordiondb.TableNotFoundException;
import io.accordiondb.WriteBatch;
import io.accordiondb.chunk.MemoryBudget;
import io.accordiondb.internal.commit.Batch;
import io.accordiondb.internal.commit.CommitPipeline;
import io.accordiondb.internal.commit.FailureState;
import io.accordiondb.internal.commit.ReadPoints;
import io.accordiondb.internal.commit.ReadPoints.ReadPoint;
import io.accordiondb.internal.commit.Visibility;
import io.accordiondb.internal.compaction.CompactionPicker;
import io.accordiondb.internal.compaction.Compactor;
import io.accordiondb.internal.compaction.LeveledPicker;
import io.accordiondb.internal.compaction.RateLimiter;
import io.accordiondb.internal.manifest.Manifest;
import io.accordiondb.internal.manifest.ManifestContents;
import io.accordiondb.internal.manifest.VersionEdit;
import io.accordiondb.internal.read.ColumnCache;
import io.accordiondb.internal.region.Flusher;
import io.accordiondb.internal.region.Region;
import io.accordiondb.internal.region.RegionMap;
import io.accordiondb.internal.region.Store;
import io.accordiondb.internal.region.StoreClosedException;
import io.accordiondb.internal.region.StoreFiles;
import io.accordiondb.internal.region.TableState;
import io.accordiondb.internal.sstable.BlockCache;
import io.accordiondb.internal.storage.FileStorage;
import io.accordiondb.internal.storage.OverlayStorage;
import io.accordiondb.internal.storage.Storage;
import io.accordiondb.internal.wal.KnownLogs;
import io.accordiondb.internal.wal.LogReplay;
import io.accordiondb.internal.wal.WriteAheadLog;
import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An open database: builds the parts, opens what is on disk, and takes everything down again.
 *
 * <p>A folder holds LOCK, CURRENT and a manifest, the log in wal/ and the sorted tables in sst/.
 */
public final class DatabaseEngine implements Database {
  private static final Logger LOG = LoggerFactory.getLogger(DatabaseEngine.class);
  private static final long SMALL_FILE_BYTES = 1 << 20;
  private static final int READ_ONLY_ATTEMPTS = 5;
  private static final long CHANGE_POLL_NANOS = 50_000;

  private final Storage storage;
  private final DatabaseOptions options;
  private final Closeable lock;
  private final Manifest manifest;
  private final BlockCache cache;
  private final StoreFiles files;
  private final MemoryBudget budget;
  private final FailureState failure;
  private final Visibility visibility = new Visibility();
  private final ReadPoints readPoints = new ReadPoints(visibility);
  private final DatabaseClock clock;
  private final BackgroundThreads threads;
  private final WriteAheadLog log;
  private final CommitPipeline pipeline;
  private final Catalog catalog;
  private final FlushScheduler flushes;
  private final CompactionScheduler compactions;
  private final WriteControl control;
  private final TableReader reader;
  private final TableWriter writer;
  private final Housekeeper housekeeper;
  private final Checkpointer checkpointer;
  private final RegionChanges regionChanges;
  private final BulkLoader bulkLoader;
  private volatile boolean closed;

  /** Opens the database of a storage, or begins one there. */
  public static Database open(Storage storage, DatabaseOptions options) throws IOException {
    ProcessMemory.ofThisProcess().check(options);
    if (!options.readOnly()) {
      return openLocked(storage, options);
    }
    // A process that writes there may delete a file just when it is to be opened here.
    for (int attempt = 1; ; attempt++) {
      OverlayStorage overlay = new OverlayStorage(storage);
      try {
        return openLocked(overlay, options);
      } catch (NoSuchFileException | CorruptionException e) {
        if (attempt == READ_ONLY_ATTEMPTS) {
          throw e;
        }
        LOG.debug("opening {} for reading failed; trying again", storage.path(""), e);
      } finally {
        overlay.release();
      }
    }
  }

  private static Database openLocked(Storage storage, DatabaseOptions options) throws IOException {
    DatabaseFolder.checkBeforeOpening(storage, options.createIfMissing() && !options.readOnly());
    Closeable lock = storage.lock(DatabaseFolder.LOCK);
    boolean opened = false;
    try {
      storage.createDirectories(WriteAheadLog.DIRECTORY);
      storage.createDirectories(StoreFiles.DIRECTORY);
      storage.syncDirectory("");
      KnownLogs logs = KnownLogs.NONE;
      Manifest manifest;
      if (Manifest.exists(storage)) {
        ManifestContents contents;
        if (storage instanceof OverlayStorage overlay) {
          contents = ReadOnlyFolder.hold(overlay);
          logs = ManifestLogRegister.logsOf(contents).until(contents.mark());
        } else {
          contents = DatabaseFolder.readWhole(storage);
          logs = ManifestLogRegister.logsOf(contents);
        }
        DatabaseFolder.checkTables(storage, contents.version());
        manifest = Manifest.open(storage, contents);
      } else {
        manifest = Manifest.create(storage);
      }
      Database database = new DatabaseEngine(storage, options, lock, manifest, logs);
      opened = true;
      return database;
    } finally {
      if (!opened) {
        lock.close();
      }
    }
  }

  private DatabaseEngine(
      Storage storage, DatabaseOptions options, Closeable lock, Manifest manifest, KnownLogs logs)
      throws IOException {
    this.storage = storage;
    this.options = options;
    this.lock = lock;
    this.manifest = manifest;
    failure = new FailureState(manifest::failure);
    cache = new BlockCache(options.blockCacheBytes());
    budget = new MemoryBudget(options.memoryBytes());
    clock = new DatabaseClock(options.clock(), System::nanoTime, manifest.version().clockFloor());
    threads = new BackgroundThreads(1, options.flushThreads(), options.compactionThreads());
    Deque<Closeable> parts = new ArrayDeque<>(List.of(manifest));
    boolean opened = false;
    try {
      files =
          new StoreFiles(
              storage,
              new OpenFilesLimit(options),
              cache,
              number -> manifest.version().hasBacking(number));
      parts.push(files);
      StoreOpener opener =
          new StoreOpener(
              options,
              files,
              ColumnCache.within(cache.reserve(ColumnCache.share(options.blockCacheBytes()))),
              MemoryEnvironment.create(options, threads.memory(), clock, readPoints, budget));
      catalog =
          new Catalog(
              manifest,
              files,
              opener,
              this::exclusively,
              new LostHistory(readPoints, this::skipSequence));
      parts.push(catalog::closeAll);
      Flusher flusher =
          new Flusher(
              files,
              manifest,
              this::syncLog,
              this::exclusively,
              readPoints::smallest,
              clock::droppingMillis,
              clock::floor);
      catalog.openAll(manifest.version());
      LogReplay replay = new LogReplay(storage, options.recoveryMode(), logs);
      // While the log is replayed there are no writers to keep out.
      Flusher replayFlusher =
          new Flusher(
              files,
              manifest,
              () -> WriteAheadLog.syncAll(storage),
              Runnable::run,
              readPoints::smallest,
              clock::droppingMillis,
              clock::floor);
      long lastSequence =
          new Recovery(
                  manifest.version(),
                  catalog.stores(),
                  visibility,
                  budget,
                  replayFlusher,
                  options.recoveryListener())
              .replay(replay, options.recoveryMode());
      clock.lowerFloor(catalog.maxTimestamp());
      log =
          new WriteAheadLog(
              storage,
              new ManifestLogRegister(manifest, this::syncClosedLogs),
              options.logFileBytes(),
              options.logWriting(),
              replay.files());
      parts.push(log);
      pipeline = new CommitPipeline(log, visibility, failure, lastSequence);
      compactions =
          new CompactionScheduler(
              new Compactor(
                  files,
                  manifest,
                  readPoints::smallest,
                  clock::droppingMillis,
                  new RateLimiter(options.compactionBytesPerSecond(), System::nanoTime),
                  LeveledPicker.withFileBytes(options.levelFileBytes())),
              CompactionPicker.withDefaults(SMALL_FILE_BYTES),
              threads.compactions(),
              failure);
      flushes =
          new FlushScheduler(
              flusher,
              threads.flushes(),
              budget,
              failure,
              catalog::stores,
              options.flushThreads(),
              this::onFlushed);
      control =
          new WriteControl(
              budget,
              failure,
              System::nanoTime,
              options.stallMax().toNanos(),
              options.compactionDebtBytesMax(),
              flushes::makeRoom,
              flushes::failing);
      reader = new TableReader(readPoints, clock, this::checkOpen);
      writer = new TableWriter(this, options, pipeline, readPoints, control, clock);
      bulkLoader = new BulkLoader(storage, files, manifest, catalog, pipeline, options);
      regionChanges = new RegionChanges(catalog, manifest, flusher, files);
      housekeeper =
          new Housekeeper(
              catalog,
              log,
              pipeline,
              visibility,
              flushes,
              compactions,
              new RegionBalancer(
                  catalog,
                  regionChanges,
                  threads.compactions(),
                  options.regionSplitBytes(),
                  options.regionMergeBytes()),
              options.logBytesMax());
      checkpointer =
          new Checkpointer(storage, manifest, catalog, pipeline, log, failure, clock::floor);
      manifest.onCommit(pipeline::noteInLog);
      if (options.readOnly()) {
        compactions.stop();
      } else {
        // Only now is it certain that the version is whole, and no table of it is missing.
        manifest.confirm();
        if (logs.highest() > 0) {
          Recovery.deleteOrphans(storage, manifest.version());
        } else {
          // A manifest of an older version of this software shows less of whether it is whole.
          Recovery.putOrphansAside(storage, manifest.version());
        }
        housekeeper.start(threads, options.asyncLogDelay().toMillis());
      }
      opened = true;
    } finally {
      if (!opened) {
        threads.close();
        parts.forEach(DatabaseEngine::closeQuietly);
      }
    }
  }

  private static void closeQuietly(Closeable part) {
    try {
      part.close();
    } catch (IOException | RuntimeException | Error e) {
      // The other parts are closed all the same.
      LOG.warn("could not close a part of a database that could not be opened", e);
    }
  }

  DatabaseOptions options() {
    return options;
  }

  TableReader reader() {
    return reader;
  }

  TableWriter writer() {
    return writer;
  }

  TableState tableState(String name) throws IOException {
    checkOpen();
    try {
      return catalog.get(name);
    } catch (TableNotFoundException e) {
      checkOpen();
      throw e;
    }
  }

  /** What finds tables in the catalog, which has none once the database is closed. */
  private interface CatalogWork {
    void run() throws IOException;
  }

  /**
   * Does work; if the database is closed at the same time, says so, not that a table is missing.
   */
  private void unlessClosed(CatalogWork work) throws IOException {
    try {
      work.run();
    } catch (TableNotFoundException | StoreClosedException e) {
      checkOpen();
      throw e;
    }
  }

  void checkOpen() throws DatabaseClosedException {
    if (closed) {
      throw new DatabaseClosedException(storage.path(""));
    }
  }

  void checkWritable() throws IOException {
    checkOpen();
    if (options.readOnly()) {
      throw new ReadOnlyDatabaseException(storage.path(""));
    }
  }

  /** Waits a little for whoever is about to replace a store that somebody met closed. */
  void awaitChange() throws IOException {
    checkOpen();
    failure.check();
    LockSupport.parkNanos(CHANGE_POLL_NANOS);
  }

  /** Returns a table as it is now, after a store of it was met closed. */
  TableState again(TableState stale) throws IOException {
    awaitChange();
    TableState now = tableState(stale.name());
    if (now.tableId() != stale.tableId()) {
      throw new TableNotFoundException(stale.name());
    }
    return now;
  }

  /** Returns what several gets find, all as of one moment. */
  List<Result> getAll(TableState table, List<Get> gets) throws IOException {
    List<Result> results = new ArrayList<>(gets.size());
    try (ReadPoint readPoint = readPoints.enterBriefly()) {
      for (Get get : gets) {
        results.add(
            get.snapshot() == null
                ? reader.get(table, get, readPoint.sequence())
                : reader.get(table, get));
      }
    }
    return results;
  }

  /** Has flushed what a commit has filled. */
  void onCommitted(Batch batch) {
    if (options.storeFlushBytes() > 0) {
      for (Batch.Group group : batch.groups()) {
        flushes.flushIfFull(group.store(), options.storeFlushBytes());
      }
    }
    flushes.relievePressure();
  }

  @Override
  public Table table(String name) throws IOException {
    tableState(name);
    return new TableHandle(this, name);
  }

  @Override
  public KeyValueStore keyValueStore(String name) throws IOException {
    checkOpen();
    if (!catalog.contains(name)) {
      try {
        createTable(TableDescriptor.of(name, KeyValueStore.FAMILY));
      } catch (TableExistsException e) {
        LOG.debug("table {} was created by another thread just now", name);
      }
    }
    if (tableState(name).descriptor().family(KeyValueStore.FAMILY) == null) {
      throw new FamilyNotFoundException(
          name, KeyValueStore.FAMILY, tableState(name).descriptor().familyNames());
    }
    return new KeyValueTable(this, new TableHandle(this, name));
  }

  @Override
  public void createTable(TableDescriptor descriptor, byte[]... splitKeys) throws IOException {
    Objects.requireNonNull(splitKeys, "splitKeys");
    checkWritable();
    catalog.create(descriptor, splitKeys);
  }

  @Override
  public void alterTable(TableDescriptor descriptor) throws IOException {
    checkWritable();
    unlessClosed(() -> catalog.alter(descriptor));
  }

  @Override
  public void dropTable(String name) throws IOException {
    checkWritable();
    unlessClosed(() -> catalog.drop(name));
  }

  @Override
  public void truncateTable(String name) throws IOException {
    checkWritable();
    unlessClosed(() -> catalog.truncate(name));
  }

  @Override
  public List<TableDescriptor> tables() throws IOException {
    checkOpen();
    return catalog.all().stream().map(TableState::descriptor).toList();
  }

  @Override
  public TableDescriptor describe(String name) throws IOException {
    return tableState(name).descriptor();
  }

  @Override
  public boolean exists(String name) throws IOException {
    checkOpen();
    return catalog.contains(name);
  }

  @Override
  public void write(WriteBatch batch) throws IOException {
    writer.write(writesOf(batch), null);
  }

  @Override
  public void write(WriteBatch batch, Durability durability) throws IOException {
    writer.write(writesOf(batch), Objects.requireNonNull(durability, "durability"));
  }

  private static List<Write> writesOf(WriteBatch batch) {
    return batch.entries().stream()
        .map(entry -> new Write(entry.table(), entry.mutation()))
        .toList();
  }

  @Override
  public Snapshot snapshot() throws IOException {
    checkOpen();
    return new EngineSnapshot(readPoints);
  }

  @Override
  public void flush() throws IOException {
    checkWritable();
    flushes.flushAll(catalog.stores());
    // Somebody who closes the database at the same time may have found that it cannot be flushed.
    checkOpen();
  }

  @Override
  public void flush(String table) throws IOException {
    checkWritable();
    flushes.flushAll(tableState(table).stores());
    checkOpen();
  }

  @Override
  public void flushInMemory(String table) throws IOException {
    tableState(table).stores().forEach(store -> store.memStore().flushInMemory());
  }

  @Override
  public void compact(String table, boolean major) throws IOException {
    checkWritable();
    failure.check();
    compactions.compactAll(tableState(table).stores(), major);
  }

  @Override
  public void cancelCompactions() throws IOException {
    checkOpen();
    compactions.cancel();
  }

  @Override
  public List<byte[]> regionStarts(String table) throws IOException {
    return tableState(table).regions().regions().stream().map(Region::startKey).toList();
  }

  @Override
  public boolean splitRegion(String table, byte[] row) throws IOException {
    CellLimits.checkRowLength(row);
    checkWritable();
    return regionChanges.split(table, tableState(table).regions().regionOf(row), row);
  }

  @Override
  public boolean mergeRegions(String table, byte[] row) throws IOException {
    CellLimits.checkRowLength(row);
    checkWritable();
    RegionMap regions = tableState(table).regions();
    int lower = regions.indexOf(row);
    return lower + 1 < regions.regions().size()
        && regionChanges.merge(
            table, regions.regions().get(lower), regions.regions().get(lower + 1));
  }

  @Override
  public void ingest(String table, String family, List<Path> files) throws IOException {
    checkWritable();
    List<BulkLoader.Source> sources = new ArrayList<>();
    for (Path file : files) {
      if (!Files.isRegularFile(file)) {
        throw new NoSuchFileException(file.toString(), null, "there is no such file to ingest");
      }
      Path absolute = file.toAbsolutePath();
      sources.add(
          new BulkLoader.Source(
              new FileStorage(Objects.requireNonNull(absolute.getParent())),
              String.valueOf(absolute.getFileName())));
    }
    unlessClosed(() -> bulkLoader.load(table, family.getBytes(StandardCharsets.US_ASCII), sources));
    tableState(table).stores().forEach(compactions::request);
  }

  @Override
  public void checkpoint(Path target) throws IOException {
    // Checked before access to the target creates its folder.
    checkCheckpoint();
    checkpoint(new FileStorage(target));
  }

  /** Writes a checkpoint into an empty storage. */
  void checkpoint(Storage target) throws IOException {
    checkCheckpoint();
    checkpointer.write(target);
  }

  private void checkCheckpoint() throws IOException {
    checkWritable();
    failure.check();
  }

  @Override
  public DatabaseStatistics statistics() throws IOException {
    checkOpen();
    return StatisticsCollector.collect(
        catalog.stores(), pipeline, log, flushes, compactions, control, budget, cache);
  }

  @Override
  public void close() throws IOException {
    // Allocated before anything is closed: if that fails, closing can be tried again.
    Closeable versions = this::closeManifest;
    Closeable tables = catalog::closeAll;
    Closeable work = this::endWork;
    synchronized (manifest) {
      if (closed) {
        return;
      }
      closed = true;
    }
    // Closed from the last to the first, whatever fails.
    try (lock;
        versions;
        files;
        tables;
        log;
        work) {
      // Writes that are on their way end before this returns; later ones are refused.
      pipeline.close();
      compactions.stop();
      // What was not forced to the device may be lost, which the user must hear.
      failure.check();
      if (!options.readOnly()) {
        flushes.flushAll(catalog.stores());
        manifest.commit(List.of(new VersionEdit.SetClockFloor(clock.floor())));
      }
    }
  }

  private void closeManifest() throws IOException {
    long logBytes = log.closedBytes();
    if (options.readOnly() || failure.isFailed() || logBytes < 0) {
      manifest.close();
    } else {
      manifest.close(logBytes);
    }
  }

  private void endWork() {
    threads.close();
    if (!failure.isFailed()) {
      housekeeper.truncateLog();
    }
  }

  private void exclusively(Runnable action) {
    pipeline.exclusively(action);
  }

  private long skipSequence() {
    return pipeline.skipSequence();
  }

  private void syncLog() throws IOException {
    pipeline.syncLog();
  }

  /** Has the files of the log before the current one forced to the device soon. */
  private void syncClosedLogs() {
    try {
      threads.flushes().execute(pipeline::syncClosedLogs);
    } catch (RejectedExecutionException e) {
      LOG.debug("the database is being closed, which forces the log to the device", e);
    }
  }

  private void onFlushed(Store store) {
    compactions.request(store);
    housekeeper.truncateLog();
  }
}
