// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.engine;

import io.accordiondb.DatabaseOptions;
import io.accordiondb.KeyValueStore;
import io.accordiondb.LogWriting;
import io.accordiondb.TableDescriptor;
import io.accordiondb.chunk.ChunkPool;
import io.accordiondb.chunk.MemoryBudget;
import io.accordiondb.internal.cache.BlockCache;
import io.accordiondb.internal.catalog.Catalog;
import io.accordiondb.internal.catalog.FamilyFunctions;
import io.accordiondb.internal.catalog.LostHistory;
import io.accordiondb.internal.catalog.StoreOpener;
import io.accordiondb.internal.catalog.TableOpener;
import io.accordiondb.internal.clock.DatabaseClock;
import io.accordiondb.internal.commit.CommitPipeline;
import io.accordiondb.internal.commit.FailureState;
import io.accordiondb.internal.commit.ReadPoints;
import io.accordiondb.internal.commit.Visibility;
import io.accordiondb.internal.manifest.Manifest;
import io.accordiondb.internal.metrics.Telemetry;
import io.accordiondb.internal.region.Flusher;
import io.accordiondb.internal.region.Store;
import io.accordiondb.internal.region.StoreFiles;
import io.accordiondb.internal.storage.MemoryStorage;
import io.accordiondb.internal.wal.TestLogRegister;
import io.accordiondb.internal.wal.WriteAheadLog;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/** The parts of a database with one table, for tests of what works on them. */
public final class OpenParts {
  /** The name of the table. */
  static final String TABLE = "s";

  public final MemoryStorage disk = new MemoryStorage();
  public final MemoryBudget budget;
  final Visibility visibility = new Visibility();
  public final Telemetry telemetry = Telemetry.silent();
  final ReadPoints readPoints = new ReadPoints(visibility);
  public final Manifest manifest;
  public final FailureState failure;
  public final StoreFiles files;
  public final Catalog catalog;
  public final WriteAheadLog log;
  public final CommitPipeline pipeline;
  public final Flusher flusher;

  public OpenParts() throws IOException {
    DatabaseOptions options = DatabaseOptions.builder().memoryBytes(4 << 20).build();
    DatabaseClock clock = new DatabaseClock(options.clock(), System::nanoTime, 0);
    clock.startDropping();
    budget = new MemoryBudget(options.memoryBytes());
    disk.createDirectories(WriteAheadLog.DIRECTORY);
    disk.createDirectories(StoreFiles.DIRECTORY);
    manifest = Manifest.create(disk);
    failure = new FailureState(manifest::failure);
    files =
        new StoreFiles(
            disk,
            options.fileReading(),
            open -> false,
            new BlockCache(0),
            number -> manifest.version().hasBacking(number),
            Runnable::run,
            telemetry);
    StoreOpener opener =
        new StoreOpener(
            () -> options,
            files,
            null,
            MemoryEnvironment.create(
                options,
                Runnable::run,
                clock,
                readPoints,
                new ChunkPool(options.experiment().chunkBytes(), options.memoryBytes()),
                budget,
                telemetry),
            FamilyFunctions.of(options));
    catalog =
        new Catalog(
            manifest,
            files,
            new TableOpener(opener),
            Runnable::run,
            new LostHistory(readPoints, () -> 0L),
            List.of());
    log =
        new WriteAheadLog(
            disk,
            new TestLogRegister(manifest::nextNumber),
            1 << 20,
            LogWriting.PLAIN,
            ByteBuffer::allocateDirect,
            List.of(),
            0);
    pipeline = new CommitPipeline(log, visibility, failure, 0, telemetry.operations());
    flusher =
        new Flusher(
            files, manifest, log::sync, Runnable::run, readPoints, () -> 0, () -> 0, telemetry);
    catalog.create(TableDescriptor.of(TABLE, KeyValueStore.FAMILY), new byte[0][]);
  }

  /** Has readers see what a test has put into memory itself, up to a sequence number. */
  public void makeVisible(long sequence) {
    visibility.recoverTo(sequence);
  }

  /** Returns the only store. */
  public Store store() {
    return catalog.stores().get(0);
  }
}
