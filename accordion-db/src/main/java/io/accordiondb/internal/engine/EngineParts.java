// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.engine;

import io.accordiondb.chunk.ChunkPool;
import io.accordiondb.chunk.MemoryBudget;
import io.accordiondb.internal.cache.BlockCache;
import io.accordiondb.internal.catalog.Catalog;
import io.accordiondb.internal.catalog.FamilyFunctions;
import io.accordiondb.internal.catalog.RegionChanges;
import io.accordiondb.internal.catalog.TableAlterations;
import io.accordiondb.internal.catalog.TableCopies;
import io.accordiondb.internal.clock.DatabaseClock;
import io.accordiondb.internal.commit.AsyncCommits;
import io.accordiondb.internal.commit.CommitPipeline;
import io.accordiondb.internal.commit.FailureState;
import io.accordiondb.internal.commit.ReadPoints;
import io.accordiondb.internal.commit.Visibility;
import io.accordiondb.internal.feed.ChangeFeeds;
import io.accordiondb.internal.history.HistoryNotes;
import io.accordiondb.internal.maintenance.BackgroundThreads;
import io.accordiondb.internal.maintenance.CompactionScheduler;
import io.accordiondb.internal.maintenance.FlushScheduler;
import io.accordiondb.internal.maintenance.LogTruncation;
import io.accordiondb.internal.maintenance.Resumption;
import io.accordiondb.internal.maintenance.WriteControl;
import io.accordiondb.internal.manifest.Manifest;
import io.accordiondb.internal.metrics.Telemetry;
import io.accordiondb.internal.read.ColumnCache;
import io.accordiondb.internal.region.StoreFiles;
import io.accordiondb.internal.table.OpenTables;
import io.accordiondb.internal.table.TableReader;
import io.accordiondb.internal.table.TableWriter;
import io.accordiondb.internal.transaction.Transactions;
import io.accordiondb.internal.transfer.BulkLoader;
import io.accordiondb.internal.transfer.Checkpointer;
import io.accordiondb.internal.wal.WriteAheadLog;
import java.io.Closeable;
import org.jspecify.annotations.Nullable;

/**
 * The parts of an open database, as {@link EngineBuilder} has assembled them.
 *
 * @param options the present options, which {@link Reconfiguration} changes
 * @param lock keeps other processes out of the folder
 * @param endsWithClosing whether the database ceases to exist when it is closed
 */
record EngineParts(
    LiveOptions options,
    Closeable lock,
    boolean endsWithClosing,
    Manifest manifest,
    BlockCache cache,
    @Nullable ColumnCache columns,
    StoreFiles files,
    ChunkPool pool,
    MemoryBudget budget,
    FailureState failure,
    ReadPoints readPoints,
    DatabaseClock clock,
    BackgroundThreads threads,
    WriteAheadLog log,
    CommitPipeline pipeline,
    AsyncCommits asyncCommits,
    Catalog catalog,
    FlushScheduler flushes,
    CompactionScheduler compactions,
    WriteControl control,
    LogTruncation truncation,
    OpenTables tables,
    TableReader reader,
    TableWriter writer,
    Transactions transactions,
    RegionChanges regionChanges,
    TableAlterations alterations,
    TableCopies tableCopies,
    BulkLoader bulkLoader,
    Checkpointer checkpointer,
    ChangeFeeds feeds,
    HistoryNotes notes,
    Resumption resumption,
    FamilyFunctions functions,
    Visibility visibility,
    Telemetry telemetry) {}
