// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.engine;

import io.accordiondb.CellLimits;
import io.accordiondb.ChangeFeed;
import io.accordiondb.Checkpoint;
import io.accordiondb.ClosedException;
import io.accordiondb.Database;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.DatabaseStatistics;
import io.accordiondb.Durability;
import io.accordiondb.FamilyDescriptor;
import io.accordiondb.Isolation;
import io.accordiondb.KeyProvider;
import io.accordiondb.KeyValueStore;
import io.accordiondb.LogExtent;
import io.accordiondb.Snapshot;
import io.accordiondb.Table;
import io.accordiondb.TableDescriptor;
import io.accordiondb.TableExistsException;
import io.accordiondb.TableNotFoundException;
import io.accordiondb.TableRegion;
import io.accordiondb.Transaction;
import io.accordiondb.WriteBatch;
import io.accordiondb.WritesSuspendedException;
import io.accordiondb.internal.clock.DatabaseClock;
import io.accordiondb.internal.commit.ReadPoints;
import io.accordiondb.internal.folder.DatabaseFolder;
import io.accordiondb.internal.function.IoRunnable;
import io.accordiondb.internal.function.IoSupplier;
import io.accordiondb.internal.region.RegionMap;
import io.accordiondb.internal.region.Store;
import io.accordiondb.internal.region.StoreClosedException;
import io.accordiondb.internal.region.StoreId;
import io.accordiondb.internal.region.TableState;
import io.accordiondb.internal.storage.FileStorage;
import io.accordiondb.internal.storage.Storage;
import io.accordiondb.internal.table.KeyValueTable;
import io.accordiondb.internal.table.OpenTables;
import io.accordiondb.internal.table.RefusedWrites;
import io.accordiondb.internal.table.TableHandle;
import io.accordiondb.internal.table.TableReads;
import io.accordiondb.internal.table.TableWriter;
import io.accordiondb.internal.table.TableWrites;
import io.accordiondb.internal.transaction.Transactions;
import io.accordiondb.internal.transfer.BulkLoader;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An open database: its tables by name, and the operations on the whole database. {@link
 * DatabaseOpener} opens it, {@link EngineBuilder} assembles it. Thread-safe.
 */
public final class DatabaseEngine implements Database {
  // Longer than 400 lines because it has a short method for each one of Database.

  private static final Logger LOG = LoggerFactory.getLogger(DatabaseEngine.class);

  /** The state that a read-only database reads; null if the database is open for writing. */
  private final @Nullable Generations generations;

  private final OpenTables tables;
  private final Observation observation;

  /** The parts of a database that is open for writing; null for a reader. */
  private final @Nullable EngineParts ownParts;

  DatabaseEngine(EngineParts parts) {
    this.generations = null;
    this.tables = parts.tables();
    this.ownParts = parts;
    List<ReadPoints> readPoints = List.of(parts.readPoints());
    this.observation = new Observation(this::parts, () -> readPoints, this::statistics);
  }

  DatabaseEngine(Generations generations) {
    this.generations = generations;
    this.tables = generations.tables();
    this.ownParts = null;
    this.observation = new Observation(this::parts, generations::readPoints, this::statistics);
  }

  /** Opens the database of a storage, or creates one there. */
  public static Database open(Storage storage, DatabaseOptions options) throws IOException {
    return DatabaseOpener.open(storage, options);
  }

  /** Returns what writes to tables. */
  TableWriter writer() {
    return parts().writer();
  }

  /** Returns the clock that dates writes. */
  public DatabaseClock clock() {
    return parts().clock();
  }

  /**
   * Runs work. If the database is closed at the same time, throws that it is closed, not what the
   * work has found closed or missing.
   */
  private void unlessClosed(IoRunnable work) throws IOException {
    unlessClosed(
        () -> {
          work.run();
          return true;
        });
  }

  private <T> T unlessClosed(IoSupplier<T> work) throws IOException {
    try {
      return work.get();
    } catch (TableNotFoundException
        | StoreClosedException
        | WritesSuspendedException
        | ClosedChannelException
        | ClosedException e) {
      tables.checkOpen();
      throw e;
    }
  }

  @Override
  public Table table(String name) throws IOException {
    tables.get(name);
    return handle(name);
  }

  @Override
  public KeyValueStore keyValueStore(String name) throws IOException {
    return keyValueStore(name, FamilyDescriptor.of(KeyValueStore.FAMILY));
  }

  @Override
  public KeyValueStore keyValueStore(String name, FamilyDescriptor options) throws IOException {
    if (!Objects.requireNonNull(options, "options").name().equals(KeyValueStore.FAMILY)) {
      throw new IllegalArgumentException(
          "the options are of the family "
              + options.name()
              + ", expected those of "
              + KeyValueStore.FAMILY);
    }
    if (!tables.contains(name)) {
      try {
        createTable(TableDescriptor.builder(name).family(options).build());
      } catch (TableExistsException e) {
        LOG.debug("table {} was created by another thread just now", name);
      }
    }
    KeyValueTable.requireFamily(tables.get(name).descriptor());
    return new KeyValueTable(writes(), handle(name));
  }

  @Override
  public void createTable(TableDescriptor descriptor, byte[]... splitKeys) throws IOException {
    Objects.requireNonNull(splitKeys, "splitKeys");
    tables.checkWritable();
    unlessClosed(() -> parts().catalog().create(descriptor, splitKeys));
  }

  @Override
  public void alterTable(TableDescriptor descriptor) throws IOException {
    tables.checkWritable();
    unlessClosed(() -> parts().alterations().alter(descriptor));
  }

  @Override
  public void dropTable(String name) throws IOException {
    tables.checkWritable();
    unlessClosed(() -> parts().catalog().drop(name));
  }

  @Override
  public void truncateTable(String name) throws IOException {
    tables.checkWritable();
    unlessClosed(() -> parts().catalog().truncate(name));
  }

  @Override
  public List<TableDescriptor> tables() throws IOException {
    tables.checkOpen();
    return parts().catalog().all().stream().map(TableState::descriptor).toList();
  }

  @Override
  public TableDescriptor describe(String name) throws IOException {
    return tables.get(name).descriptor();
  }

  @Override
  public boolean exists(String name) throws IOException {
    return tables.contains(name);
  }

  @Override
  public DatabaseOptions options() throws IOException {
    tables.checkOpen();
    return parts().options().get();
  }

  @Override
  public void reconfigure(UnaryOperator<DatabaseOptions.Builder> change) throws IOException {
    Objects.requireNonNull(change, "change");
    tables.checkOpen();
    if (generations == null) {
      Reconfiguration.apply(parts(), change);
    } else {
      generations.reconfigure(change);
    }
  }

  @Override
  public void write(WriteBatch batch) throws IOException {
    parts().writer().write(batch.entries(), null);
  }

  @Override
  public void write(WriteBatch batch, Durability durability) throws IOException {
    parts().writer().write(batch.entries(), Objects.requireNonNull(durability, "durability"));
  }

  @Override
  public CompletionStage<@Nullable Void> writeAsync(WriteBatch batch) throws IOException {
    return parts().writer().writeAsync(batch.entries(), null);
  }

  @Override
  public CompletionStage<@Nullable Void> writeAsync(WriteBatch batch, Durability durability)
      throws IOException {
    return parts()
        .writer()
        .writeAsync(batch.entries(), Objects.requireNonNull(durability, "durability"));
  }

  @Override
  public Transaction beginTransaction(Isolation isolation) throws IOException {
    return generations == null
        ? parts().transactions().begin(isolation)
        : generations.begin(isolation);
  }

  @Override
  public <T extends @Nullable Object> T transact(Isolation isolation, Transaction.Body<T> body)
      throws IOException {
    try {
      return Transactions.run(() -> beginTransaction(isolation), body);
    } catch (ClosedException e) {
      // Closing the database has ended the transaction, of which the caller knows nothing.
      tables.checkOpen();
      throw e;
    }
  }

  @Override
  public Snapshot snapshot() throws IOException {
    tables.checkOpen();
    return reads().snapshot();
  }

  @Override
  public void flush() throws IOException {
    tables.checkWritable();
    parts().threads().checkNotCurrent();
    unlessClosed(() -> parts().flushes().flushAll(parts().catalog().stores()));
    // Closing the database may have emptied the stores before their memory was flushed.
    tables.checkOpen();
  }

  @Override
  public void flush(String table) throws IOException {
    tables.checkWritable();
    parts().threads().checkNotCurrent();
    unlessClosed(() -> parts().flushes().flushAll(tables.get(table).stores()));
    tables.checkOpen();
  }

  @Override
  public void flushInMemory(String table) throws IOException {
    tables.get(table).stores().forEach(store -> store.memStore().flushInMemory());
  }

  /** Deletes log files that are no longer needed, as is done once a second. */
  public void truncateLog() {
    parts().truncation().run();
  }

  @Override
  public void compact(String table) throws IOException {
    compact(table, false);
  }

  @Override
  public void majorCompact(String table) throws IOException {
    compact(table, true);
  }

  private void compact(String table, boolean major) throws IOException {
    tables.checkWritable();
    parts().threads().checkNotCurrent();
    parts().failure().check();
    List<Store> left = tables.get(table).stores();
    Set<StoreId> done = new HashSet<>();
    while (!left.isEmpty()) {
      List<Store> stores = left;
      List<Store> compacted = new ArrayList<>();
      unlessClosed(() -> compacted.addAll(parts().compactions().compactAll(stores, major)));
      compacted.forEach(store -> done.add(store.id()));
      left = List.of();
      if (compacted.size() < stores.size() && exists(table)) {
        // Some were closed, to split or merge their regions or to copy the table.
        tables.awaitChange();
        left = new ArrayList<>(tables.get(table).stores());
        left.removeIf(store -> done.contains(store.id()));
      }
    }
  }

  @Override
  public void cancelCompactions() throws IOException {
    tables.checkOpen();
    parts().compactions().cancel();
  }

  @Override
  public List<byte[]> regionStarts(String table) throws IOException {
    return regions(table).stream().map(TableRegion::startRow).toList();
  }

  @Override
  public List<TableRegion> regions(String table) throws IOException {
    return tables.get(table).regions().regions().stream()
        .map(
            region ->
                new TableRegion(
                    region.record().regionId(), region.startKey().clone(), region.endKey().clone()))
        .toList();
  }

  @Override
  public void copyTable(String original, TableDescriptor copy) throws IOException {
    Objects.requireNonNull(copy, "copy");
    tables.checkWritable();
    parts().failure().check();
    unlessClosed(() -> parts().tableCopies().copy(original, copy));
  }

  @Override
  public boolean splitRegionAtMiddle(String table, byte[] row) throws IOException {
    CellLimits.checkRowLength(row);
    flush(table);
    return unlessClosed(
        () -> parts().regionChanges().split(table, tables.get(table).regions().regionOf(row)));
  }

  @Override
  public boolean splitRegion(String table, byte[] row) throws IOException {
    CellLimits.checkRowLength(row);
    tables.checkWritable();
    return unlessClosed(
        () -> parts().regionChanges().split(table, tables.get(table).regions().regionOf(row), row));
  }

  @Override
  public boolean mergeRegions(String table, byte[] row) throws IOException {
    CellLimits.checkRowLength(row);
    tables.checkWritable();
    RegionMap regions = tables.get(table).regions();
    int lower = regions.indexOf(row);
    return lower + 1 < regions.regions().size()
        && unlessClosed(
            () ->
                parts()
                    .regionChanges()
                    .merge(table, regions.regions().get(lower), regions.regions().get(lower + 1)));
  }

  @Override
  public void ingest(String table, String family, List<Path> files) throws IOException {
    tables.checkWritable();
    List<BulkLoader.Source> sources = BulkLoader.Source.of(files);
    byte[] name = family.getBytes(StandardCharsets.US_ASCII);
    Set<Store> stores = unlessClosed(() -> parts().bulkLoader().load(table, name, sources));
    // Not by the table's name: it may have been dropped meanwhile, or the database closed.
    stores.forEach(parts().compactions()::request);
  }

  @Override
  public Checkpoint checkpoint(Path target, LogExtent extent) throws IOException {
    Objects.requireNonNull(extent, "extent");
    // Check first, because access to the target creates its folder.
    if (generations == null) {
      checkCheckpoint();
    } else {
      tables.checkOpen();
    }
    Optional<Path> own = folder();
    if (own.isPresent()) {
      DatabaseFolder.checkOutside(own.get(), target);
    }
    return checkpoint(new FileStorage(target), extent);
  }

  /** Writes a checkpoint into an empty storage. */
  Checkpoint checkpoint(Storage target, LogExtent extent) throws IOException {
    KeyProvider keys = parts().options().get().encryption().orElse(null);
    if (generations != null) {
      return generations.copyNewest(DatabaseFolder.deciphered(target, keys), extent);
    }
    checkCheckpoint();
    Storage deciphered = DatabaseFolder.deciphered(target, keys);
    return unlessClosed(() -> parts().checkpointer().write(deciphered, extent));
  }

  private void checkCheckpoint() throws IOException {
    tables.checkWritable();
    parts().failure().check();
  }

  @Override
  public ChangeFeed changes(String... wanted) throws IOException {
    return parts().feeds().fromNow(Set.copyOf(List.of(wanted)));
  }

  @Override
  public ChangeFeed changes(long fromSequence, String... wanted) throws IOException {
    return parts().feeds().from(fromSequence, Set.copyOf(List.of(wanted)));
  }

  @Override
  public ChangeFeed changesAfter(String token, String... wanted) throws IOException {
    return parts()
        .feeds()
        .after(Objects.requireNonNull(token, "token"), Set.copyOf(List.of(wanted)));
  }

  @Override
  public Optional<Path> folder() {
    return parts().endsWithClosing() ? Optional.empty() : Optional.of(Path.of(tables.folder()));
  }

  @Override
  public DatabaseStatistics statistics() throws IOException {
    tables.checkOpen();
    return observation.statistics();
  }

  @Override
  public void resume() throws IOException {
    tables.checkOpen();
    parts().resumption().resume();
  }

  @Override
  public boolean refresh() throws IOException {
    tables.checkOpen();
    return generations != null && generations.refresh();
  }

  @Override
  public void close() throws IOException {
    if (generations == null) {
      new EngineShutdown(parts(), observation).close();
    } else {
      generations.close(observation);
    }
  }

  EngineParts parts() {
    return ownParts == null ? Objects.requireNonNull(generations).parts() : ownParts;
  }

  private TableHandle handle(String name) {
    return new TableHandle(name, tables, reads(), writes());
  }

  private TableReads reads() {
    return generations == null ? parts().reader() : generations;
  }

  private TableWrites writes() {
    return generations == null
        ? parts().writer()
        : new RefusedWrites(tables, () -> parts().options().get());
  }
}
