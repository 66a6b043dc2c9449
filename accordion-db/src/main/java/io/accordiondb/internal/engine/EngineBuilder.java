// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.engine;

import io.accordiondb.DatabaseOptions;
import io.accordiondb.chunk.ChunkPool;
import io.accordiondb.chunk.MemoryBudget;
import io.accordiondb.internal.cache.BlockCache;
import io.accordiondb.internal.catalog.Catalog;
import io.accordiondb.internal.catalog.FamilyFunctions;
import io.accordiondb.internal.catalog.LostHistory;
import io.accordiondb.internal.catalog.RegionChanges;
import io.accordiondb.internal.catalog.StoreOpener;
import io.accordiondb.internal.catalog.TableAlterations;
import io.accordiondb.internal.catalog.TableCopies;
import io.accordiondb.internal.catalog.TableOpener;
import io.accordiondb.internal.catalog.TableOpener.OpenTable;
import io.accordiondb.internal.clock.DatabaseClock;
import io.accordiondb.internal.commit.AsyncCommits;
import io.accordiondb.internal.commit.CommitPipeline;
import io.accordiondb.internal.commit.FailureState;
import io.accordiondb.internal.commit.ReadPoints;
import io.accordiondb.internal.commit.Visibility;
import io.accordiondb.internal.compaction.CompactionPicker;
import io.accordiondb.internal.compaction.Compactor;
import io.accordiondb.internal.compaction.LeveledPicker;
import io.accordiondb.internal.compaction.RateLimiter;
import io.accordiondb.internal.feed.ChangeFeeds;
import io.accordiondb.internal.folder.ManifestLogRegister;
import io.accordiondb.internal.folder.OrphanTables;
import io.accordiondb.internal.function.IoRunnable;
import io.accordiondb.internal.history.HistoryNotes;
import io.accordiondb.internal.maintenance.BackgroundThreads;
import io.accordiondb.internal.maintenance.ClockCeiling;
import io.accordiondb.internal.maintenance.CompactionScheduler;
import io.accordiondb.internal.maintenance.FlushScheduler;
import io.accordiondb.internal.maintenance.Housekeeper;
import io.accordiondb.internal.maintenance.LogTruncation;
import io.accordiondb.internal.maintenance.RegionBalancer;
import io.accordiondb.internal.maintenance.Resumption;
import io.accordiondb.internal.maintenance.WriteControl;
import io.accordiondb.internal.maintenance.WriteLull;
import io.accordiondb.internal.manifest.Manifest;
import io.accordiondb.internal.manifest.RegionNames;
import io.accordiondb.internal.metrics.Telemetry;
import io.accordiondb.internal.read.ColumnCache;
import io.accordiondb.internal.region.Flusher;
import io.accordiondb.internal.region.Store;
import io.accordiondb.internal.region.StoreFiles;
import io.accordiondb.internal.storage.Storage;
import io.accordiondb.internal.table.OpenTables;
import io.accordiondb.internal.table.TableReader;
import io.accordiondb.internal.table.TableWriter;
import io.accordiondb.internal.thread.DaemonThreads;
import io.accordiondb.internal.transaction.Transactions;
import io.accordiondb.internal.transfer.BulkLoader;
import io.accordiondb.internal.transfer.Checkpointer;
import io.accordiondb.internal.wal.KeptLogs;
import io.accordiondb.internal.wal.KnownLogs;
import io.accordiondb.internal.wal.LogForcing;
import io.accordiondb.internal.wal.LogReplay;
import io.accordiondb.internal.wal.LogRetention;
import io.accordiondb.internal.wal.WriteAheadLog;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Assembles the parts of a database from the files up: tables, then the log that is replayed over
 * them, then commits, then the background work. Used once, by one thread.
 */
final class EngineBuilder {
  // Longer than 400 lines because each part is created here, and nowhere else.

  private static final Logger LOG = LoggerFactory.getLogger(EngineBuilder.class);
  private static final long SMALL_FILE_BYTES = 1 << 20;
  private static final long NOTE_MILLIS = 1000;

  /** Share of the memory that asynchronous writes in flight may have: one byte in this many. */
  private static final int ASYNC_SHARE = 16;

  private final Storage storage;

  /** The options at opening. */
  private final DatabaseOptions options;

  private final LiveOptions liveOptions;
  private final Closeable lock;
  private final Manifest manifest;
  private final KnownLogs logs;
  private final FailureState failure;
  private final BlockCache cache;
  private final @Nullable ColumnCache columns;
  private final ChunkPool pool;
  private final MemoryBudget budget;
  private final DatabaseClock clock;
  private final Visibility visibility = new Visibility();
  private final ReadPoints readPoints = new ReadPoints(visibility);
  private final BackgroundThreads threads;
  private final KeptLogs kept;
  private final FamilyFunctions functions;
  private final Telemetry telemetry;

  /** The resources to close if building fails, newest first. */
  private final Deque<Closeable> opened = new ArrayDeque<>();

  /**
   * Creates a builder.
   *
   * @param logs the files that the log must have
   */
  EngineBuilder(
      Storage storage,
      DatabaseOptions options,
      Closeable lock,
      Manifest manifest,
      KnownLogs logs,
      Telemetry telemetry) {
    this.telemetry = telemetry;
    this.storage = storage;
    this.options = options;
    liveOptions = new LiveOptions(options);
    this.lock = lock;
    this.manifest = manifest;
    this.logs = logs;
    failure = new FailureState(manifest::failure);
    cache = new BlockCache(options.blockCacheBytes(), telemetry.tallies());
    columns =
        ColumnCache.within(
            cache.reserve(ColumnCache.share(options.blockCacheBytes())),
            telemetry.tallies(),
            cache.directMemory()::allocate);
    pool = new ChunkPool(options.experiment().chunkBytes(), options.memoryBytes());
    budget = new MemoryBudget(options.memoryBytes());
    cache.directMemory().setSpare(pool.chunkBytes(), pool::removeFree);
    cache.directMemory().setLastResort(() -> pool.giveUpDirectMemory(budget));
    clock = new DatabaseClock(options.clock(), System::nanoTime, manifest.version().clockFloor());
    threads = new BackgroundThreads(1, options.flushThreads(), options.compactionThreads());
    kept = new KeptLogs(storage, this::logRetention, clock::latestMillis, clock::droppingMillis);
    functions = FamilyFunctions.of(options);
    opened.push(manifest);
  }

  private LogRetention logRetention() {
    DatabaseOptions now = liveOptions.get();
    return new LogRetention(now.logRetention(), now.logRetentionBytesMax());
  }

  /**
   * Opens all parts. If one cannot be opened, or the whole not be created, closes the others,
   * except the lock.
   *
   * @param whole creates what closes the parts from then on
   */
  <T> T build(Function<EngineParts, T> whole) throws IOException {
    boolean done = false;
    try {
      T created = whole.apply(assemble());
      done = true;
      return created;
    } finally {
      if (!done) {
        threads.close();
        opened.forEach(EngineBuilder::closeQuietly);
      }
    }
  }

  private static void closeQuietly(Closeable part) {
    try {
      part.close();
    } catch (IOException | RuntimeException | Error e) {
      // Go on and close the other parts.
      LOG.warn("could not close a part of a database that could not be opened", e);
    }
  }

  private EngineParts assemble() throws IOException {
    // Before anything is changed: a newer release may have written them.
    RegionNames names = RegionNames.open(storage, manifest.version());
    StoreFiles files =
        new StoreFiles(
            storage,
            options.fileReading(),
            new OpenFilesLimit(options),
            cache,
            number -> manifest.version().hasBacking(number),
            threads.deletions(),
            telemetry);
    opened.push(files);
    TableOpener opener = tableOpener(files);
    List<OpenTable> openTables = opener.openAll(manifest.version());
    List<Store> stores = OpenTable.storesOf(openTables);
    Closeable closeStores = () -> stores.forEach(Store::close);
    opened.push(closeStores);
    if (!options.readOnly()) {
      LogForcing.replaceUnforced(storage);
    }
    LogReplay replay = new LogReplay(storage, options.recoveryMode(), logs);
    long lastSequence = recover(replay, files, stores);
    clock.lowerFloor(TableOpener.maxTimestamp(stores));

    ManifestLogRegister register = new ManifestLogRegister(manifest, clock::ceiling);
    WriteAheadLog log = openLog(register, replay, lastSequence);
    CommitPipeline pipeline =
        new CommitPipeline(log, visibility, failure, lastSequence, telemetry.operations());
    register.onUpkeep(() -> keepUpLog(pipeline));
    Catalog catalog =
        new Catalog(
            manifest,
            files,
            opener,
            pipeline::exclusively,
            new LostHistory(readPoints, pipeline::skipSequence),
            openTables);
    keep(names, log);
    HistoryNotes notes = new HistoryNotes(pipeline, visibility, kept::isOn, clock::millis);
    EngineParts parts = parts(files, log, pipeline, catalog, names, notes);
    // Before a region is written to, so that change feeds know the names of what is written.
    manifest.beforeInstallation(names::add);
    manifest.onCommit(edits -> parts.feeds().keepNames());
    manifest.onCommit(edits -> pipeline.flushLogLink());
    if (options.readOnly()) {
      parts.compactions().stop();
      Housekeeper.observe(threads, telemetry);
    } else {
      manifest.confirm();
      pipeline.logLastSequence();
      OrphanTables.clear(storage, manifest.version(), logs);
      catalog.onTables(notes::onTables);
      notes.tick();
      threads.every(NOTE_MILLIS, notes::tick);
      threads.every(NOTE_MILLIS, new ClockCeiling(manifest, clock, threads.flushes())::keep);
      housekeeper(parts).start(threads, options.asyncLogDelay().toMillis());
    }
    return parts;
  }

  private WriteAheadLog openLog(ManifestLogRegister register, LogReplay replay, long lastSequence)
      throws IOException {
    WriteAheadLog log =
        new WriteAheadLog(
            storage,
            register,
            options.logFileBytes(),
            options.logWriting(),
            cache.directMemory()::require,
            replay.files(),
            lastSequence);
    opened.push(log);
    return log;
  }

  /** Keeps the names of regions with the log. */
  private void keep(RegionNames names, WriteAheadLog log) throws IOException {
    log.keepWith(kept, names::save);
    if (!options.readOnly() && (kept.isOn() || names.areStored())) {
      // Save the names before any region is dropped, because nothing else would know its name
      // afterwards.
      names.save();
    }
  }

  private TableOpener tableOpener(StoreFiles files) {
    return new TableOpener(
        new StoreOpener(
            liveOptions,
            files,
            columns,
            MemoryEnvironment.create(
                options, threads.memory(), clock, readPoints, pool, budget, telemetry),
            functions));
  }

  /** Replays the log over the stores; returns the last sequence number given out. */
  private long recover(LogReplay replay, StoreFiles files, List<Store> stores) throws IOException {
    // There are no writers yet.
    Flusher flusher = flusher(files, () -> LogForcing.forceAll(storage), Runnable::run);
    Recovery recovery =
        new Recovery(
            manifest.version(),
            stores,
            visibility,
            budget,
            flusher,
            clock::raiseFloor,
            options.recoveryListener());
    long lastSequence = recovery.replay(replay);
    if (!options.readOnly()) {
      // A reader's snapshots need the numbers of what the reader sees.
      lastSequence = Math.max(lastSequence, recovery.reserved());
      visibility.recoverTo(lastSequence);
    }
    return lastSequence;
  }

  private Flusher flusher(StoreFiles files, IoRunnable syncLog, Consumer<Runnable> exclusively) {
    return new Flusher(
        files,
        manifest,
        syncLog,
        exclusively,
        readPoints,
        clock::droppingMillis,
        clock::floor,
        telemetry);
  }

  /** Creates the objects that read, write and maintain the tables. Starts nothing. */
  private EngineParts parts(
      StoreFiles files,
      WriteAheadLog log,
      CommitPipeline pipeline,
      Catalog catalog,
      RegionNames names,
      HistoryNotes notes) {
    Flusher flusher = flusher(files, pipeline::syncLog, pipeline::exclusively);
    CompactionScheduler compactions = compactions(files);
    LogTruncation truncation = logTruncation(catalog, log, pipeline);
    FlushScheduler flushes = flushScheduler(flusher, catalog, compactions, truncation);
    WriteControl control = writeControl(flushes, compactions);
    OpenTables tables =
        new OpenTables(() -> catalog, failure, storage.path(""), options.readOnly());
    TableReader reader = new TableReader(readPoints, clock, tables, telemetry);
    AsyncCommits async = asyncCommits(pipeline, flushes);
    TableWriter writer =
        new TableWriter(reader, liveOptions, pipeline, async, readPoints, control, clock, flushes);
    return new EngineParts(
        liveOptions,
        lock,
        storage.isVolatile(),
        manifest,
        cache,
        columns,
        files,
        pool,
        budget,
        failure,
        readPoints,
        clock,
        threads,
        log,
        pipeline,
        async,
        catalog,
        flushes,
        compactions,
        control,
        truncation,
        tables,
        reader,
        writer,
        transactions(reader, writer, pipeline, control, flushes),
        new RegionChanges(catalog, manifest, flusher, files, telemetry.corruptions()),
        new TableAlterations(catalog, flusher),
        new TableCopies(catalog, manifest, flusher, notes::ingest),
        new BulkLoader(storage, files, manifest, catalog, pipeline, notes::ingest, liveOptions),
        new Checkpointer(
            storage, manifest, catalog, pipeline, log, kept, notes::lastNote, failure, clock),
        new ChangeFeeds(storage, kept, names, visibility, tables, pipeline::flushLog, telemetry),
        notes,
        new Resumption(manifest, files, pipeline, failure, telemetry.errors()),
        functions,
        visibility,
        telemetry);
  }

  private Transactions transactions(
      TableReader reader,
      TableWriter writer,
      CommitPipeline pipeline,
      WriteControl control,
      FlushScheduler flushes) {
    return new Transactions(
        reader, liveOptions, pipeline, readPoints, control, clock, flushes, writer::awaitTurnsOf);
  }

  private WriteControl writeControl(FlushScheduler flushes, CompactionScheduler compactions) {
    return new WriteControl(
        budget,
        failure,
        System::nanoTime,
        liveOptions,
        flushes::makeRoom,
        flushes::explain,
        compactions::isDamaged,
        telemetry.stalls(),
        Runtime.getRuntime().maxMemory());
  }

  private LogTruncation logTruncation(Catalog catalog, WriteAheadLog log, CommitPipeline pipeline) {
    return new LogTruncation(
        catalog,
        log,
        kept,
        visibility::visible,
        pipeline::logLastSequence,
        pipeline::syncLog,
        telemetry.errors());
  }

  private FlushScheduler flushScheduler(
      Flusher flusher, Catalog catalog, CompactionScheduler compactions, LogTruncation truncation) {
    return new FlushScheduler(
        flusher,
        threads.flushes(),
        threads.syncs(),
        budget,
        failure,
        catalog::stores,
        () -> liveOptions.get().flushThreads(),
        store -> {
          compactions.request(store);
          truncation.run();
        },
        telemetry.errors());
  }

  private AsyncCommits asyncCommits(CommitPipeline pipeline, FlushScheduler flushes) {
    return new AsyncCommits(
        pipeline,
        failure,
        () ->
            Math.min(
                liveOptions.get().batchBytesMax(), liveOptions.get().memoryBytes() / ASYNC_SHARE),
        batch -> flushes.onCommitted(batch, liveOptions.get().storeFlushBytes()),
        new DaemonThreads("commit"),
        new DaemonThreads("completion"));
  }

  private CompactionScheduler compactions(StoreFiles files) {
    Compactor compactor =
        new Compactor(
            files,
            manifest,
            readPoints,
            clock::droppingMillis,
            new RateLimiter(() -> liveOptions.get().compactionBytesPerSecond(), System::nanoTime),
            () -> LeveledPicker.withFileBytes(liveOptions.get().levelFileBytes()),
            telemetry);
    return new CompactionScheduler(
        compactor,
        CompactionPicker.withDefaults(SMALL_FILE_BYTES),
        CompactionPicker.whileIdle(SMALL_FILE_BYTES),
        () -> liveOptions.get().compactWhenIdle(),
        new WriteLull(
            telemetry.operations()::cellsCommitted, telemetry.tallies()::bytes, System::nanoTime),
        threads.compactions(),
        failure,
        telemetry.errors());
  }

  private Housekeeper housekeeper(EngineParts parts) {
    RegionBalancer balancer =
        new RegionBalancer(
            parts.catalog(),
            parts.regionChanges(),
            threads.compactions(),
            () -> liveOptions.get().regionSplitBytes(),
            () -> liveOptions.get().regionMergeBytes());
    return new Housekeeper(
        parts.catalog(),
        parts.log(),
        parts.pipeline(),
        parts.truncation(),
        parts.flushes(),
        parts.compactions(),
        balancer,
        parts.resumption(),
        liveOptions,
        telemetry);
  }

  /** Schedules the upkeep of the log. */
  private void keepUpLog(CommitPipeline pipeline) {
    try {
      threads.syncs().execute(pipeline::keepUpLog);
    } catch (RejectedExecutionException | OutOfMemoryError e) {
      LOG.debug("no thread prepares and forces the log now; a writer does, or a later thread", e);
    }
  }
}
