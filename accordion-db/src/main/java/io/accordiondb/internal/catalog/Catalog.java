// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.catalog;

import io.accordiondb.TableDescriptor;
import io.accordiondb.TableExistsException;
import io.accordiondb.TableNotFoundException;
import io.accordiondb.internal.catalog.TableOpener.OpenTable;
import io.accordiondb.internal.function.IoFunction;
import io.accordiondb.internal.function.IoRunnable;
import io.accordiondb.internal.function.IoSupplier;
import io.accordiondb.internal.manifest.FamilyRecord;
import io.accordiondb.internal.manifest.Manifest;
import io.accordiondb.internal.manifest.ManifestChange;
import io.accordiondb.internal.manifest.RegionRecord;
import io.accordiondb.internal.manifest.TableRecord;
import io.accordiondb.internal.manifest.VersionEdit;
import io.accordiondb.internal.region.Region;
import io.accordiondb.internal.region.Store;
import io.accordiondb.internal.region.StoreFile;
import io.accordiondb.internal.region.StoreFiles;
import io.accordiondb.internal.region.StoreId;
import io.accordiondb.internal.region.TableState;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The open tables and the operations that change them: create, alter, drop, truncate. {@link
 * RegionChanges} splits and merges regions, {@link TableCopies} copies tables. Thread-safe. Readers
 * see one immutable map. Changes run one after another; each is recorded in the manifest before it
 * becomes visible.
 */
public final class Catalog {
  private static final byte[] OPEN = {};

  private final Manifest manifest;
  private final StoreFiles files;
  private final TableOpener opener;
  private final Consumer<Runnable> exclusively;
  private final LostHistory lostHistory;
  private final FamilyNumbers numbers;

  /** Held while tables or regions change; taken before the locks of a store. */
  private final ReentrantLock changeLock = new ReentrantLock();

  /** Guarded by changeLock. */
  private final Map<String, TableRecord> records = new HashMap<>();

  private volatile Map<String, TableState> tables;

  /** Guarded by changeLock. */
  private Consumer<List<TableRecord>> listener = any -> {};

  /**
   * Creates a catalog.
   *
   * @param tables the open tables; the catalog closes them
   * @param exclusively runs an action at a moment when no write is between its number and memory
   */
  public Catalog(
      Manifest manifest,
      StoreFiles files,
      TableOpener opener,
      Consumer<Runnable> exclusively,
      LostHistory lostHistory,
      Collection<OpenTable> tables) {
    this.manifest = manifest;
    this.files = files;
    this.opener = opener;
    this.exclusively = exclusively;
    this.lostHistory = lostHistory;
    this.numbers = new FamilyNumbers(manifest);
    Map<String, TableState> states = new TreeMap<>();
    for (OpenTable table : tables) {
      records.put(table.record().name(), table.record());
      states.put(table.record().name(), table.state());
    }
    this.tables = states;
  }

  /** Returns a table. */
  public TableState get(String name) throws TableNotFoundException {
    TableState table = tables.get(Objects.requireNonNull(name, "table"));
    if (table == null) {
      throw new TableNotFoundException(name);
    }
    return table;
  }

  /** Returns whether a table exists. */
  public boolean contains(String name) {
    return tables.containsKey(Objects.requireNonNull(name, "table"));
  }

  /** Returns all tables in the order of their names. */
  public Collection<TableState> all() {
    return tables.values();
  }

  /** Returns all stores of all tables. */
  public List<Store> stores() {
    return tables.values().stream().flatMap(table -> table.stores().stream()).toList();
  }

  /** Creates a table. */
  public void create(TableDescriptor descriptor, byte[][] splitKeys) throws IOException {
    changeLock.lock();
    try {
      if (contains(descriptor.name())) {
        throw new TableExistsException(descriptor.name());
      }
      checkFunctions(null, descriptor);
      byte[][] starts = RegionStarts.of(splitKeys);
      TableRecord record = created(descriptor);
      List<VersionEdit> edits = new ArrayList<>(List.of(new VersionEdit.PutTable(record)));
      change(record, edits, opened -> addRegions(record, starts, edits, opened));
    } finally {
      changeLock.unlock();
    }
  }

  /** Returns the record of a new table, with numbers of its own. */
  TableRecord created(TableDescriptor descriptor) throws IOException {
    return numbers.created(descriptor);
  }

  /** Checks that the application has given to the database what the families name. */
  void checkFunctions(@Nullable TableDescriptor old, TableDescriptor next) {
    opener.functions().check(old, next);
  }

  /** Records and publishes changed families of a table. Called from {@link #whileUnchanged}. */
  void applyAlteration(TableDescriptor descriptor) throws IOException {
    assert changeLock.isHeldByCurrentThread();
    TableState old = get(descriptor.name());
    checkFunctions(old.descriptor(), descriptor);
    TableRecord record = numbers.altered(recordOf(descriptor.name()), descriptor);
    List<Store> dropped = TableOpener.storesToDrop(old, record);
    IoRunnable change =
        () -> {
          List<VersionEdit> edits = new ArrayList<>(List.of(new VersionEdit.PutTable(record)));
          dropped.forEach(store -> addRemovals(store, edits));
          change(
              record,
              edits,
              opened -> opener.altered(old, record, f -> historyStart(record, f), opened));
        };
    StoreReplacement.extend(
        TableOpener.regionsToExtend(old, record),
        exclusively,
        () -> dropCells(old.name(), dropped, change));
  }

  /** Drops a table. */
  public void drop(String name) throws IOException {
    changeLock.lock();
    try {
      TableState table = get(name);
      dropCells(
          name,
          table.stores(),
          () -> {
            List<VersionEdit> edits = dropRegions(table);
            edits.add(new VersionEdit.DropTable(table.tableId()));
            Map<String, TableState> next = new TreeMap<>(tables);
            next.remove(name);
            manifest.commit(edits, () -> forget(name, next));
          });
    } finally {
      changeLock.unlock();
    }
  }

  /** Drops all cells of a table. */
  public void truncate(String name) throws IOException {
    changeLock.lock();
    try {
      TableState table = get(name);
      TableRecord record = numbers.emptied(recordOf(name));
      dropCells(
          name,
          table.stores(),
          () -> {
            List<VersionEdit> edits = dropRegions(table);
            edits.add(new VersionEdit.PutTable(record));
            byte[][] starts =
                table.regions().regions().stream().map(Region::startKey).toArray(byte[][]::new);
            change(record, edits, opened -> addRegions(record, starts, edits, opened));
          });
    } finally {
      changeLock.unlock();
    }
  }

  /** Commits a change that removes all cells of some stores of a table, and drops these stores. */
  private void dropCells(String table, List<Store> stores, IoRunnable change) throws IOException {
    withStoresClosed(
        stores,
        () -> {
          Runnable takeBack =
              lostHistory.note(
                  table, stores.stream().map(store -> store.descriptor().name()).toList());
          boolean changed = false;
          try {
            change.run();
            changed = true;
          } finally {
            if (!changed) {
              takeBack.run();
            }
          }
        });
    files.drop(stores);
  }

  /**
   * Opens the regions of a changed table, records the table in the manifest, and then makes it
   * visible. If it cannot be recorded, the stores that were opened for it are closed.
   *
   * @param edits recorded once the regions are open
   * @param opening returns the regions; adds each store that it opens to a list, even before a
   *     failure
   */
  private void change(
      TableRecord record, List<VersionEdit> edits, IoFunction<List<Store>, List<Region>> opening)
      throws IOException {
    List<Store> opened = new ArrayList<>();
    try (ManifestChange change = manifest.change(() -> opened.forEach(Store::close))) {
      TableState changed = stateOf(record, opening.apply(opened));
      change.commit(edits, () -> install(record, changed));
    }
  }

  /** Publishes a table that the manifest has recorded. Called from {@link #whileUnchanged}. */
  void install(TableRecord record, TableState changed) {
    assert changeLock.isHeldByCurrentThread();
    records.put(record.name(), record);
    for (FamilyRecord family : record.families()) {
      changed.stores().stream()
          .filter(store -> store.id().familyId() == family.familyId())
          .forEach(store -> store.setDescriptor(StoreOpener.descriptorOf(family)));
    }
    put(changed);
  }

  /** Runs an action while no table or region is created or dropped. */
  public <T> T whileUnchanged(IoSupplier<T> work) throws IOException {
    changeLock.lock();
    try {
      return work.get();
    } finally {
      changeLock.unlock();
    }
  }

  /** Same as above, for an action without a result. */
  void whileUnchanged(IoRunnable work) throws IOException {
    whileUnchanged(
        () -> {
          work.run();
          return work;
        });
  }

  /** Closes all stores; the tables stay known to threads that have the catalog still in hand. */
  public void closeAll() {
    changeLock.lock();
    try {
      stores().forEach(Store::close);
    } finally {
      changeLock.unlock();
    }
  }

  /**
   * Closes stores for all other threads, replaces or drops them by an action, and retires them. If
   * the action fails, the stores are open again. The content of their memory is lost unless the
   * action flushes it. Called from {@link #whileUnchanged}.
   */
  void withStoresClosed(List<Store> stores, IoRunnable change) throws IOException {
    StoreReplacement.run(stores, exclusively, change);
  }

  /** Runs an action while stores are closed for others. Called from {@link #whileUnchanged}. */
  void withStoresPaused(List<Store> stores, IoRunnable action) throws IOException {
    StoreReplacement.pause(stores, exclusively, action);
  }

  private List<Region> addRegions(
      TableRecord table, byte[][] starts, List<VersionEdit> edits, List<Store> opened)
      throws IOException {
    List<Region> regions = new ArrayList<>();
    for (int i = 0; i < starts.length; i++) {
      byte[] end = i + 1 < starts.length ? starts[i + 1] : OPEN;
      RegionRecord region =
          new RegionRecord(manifest.nextNumber(), table.tableId(), starts[i], end);
      edits.add(new VersionEdit.PutRegion(region));
      regions.add(openRegion(table, region, id -> StoreParts.NONE, opened));
    }
    return regions;
  }

  private static List<VersionEdit> dropRegions(TableState table) {
    List<VersionEdit> edits = new ArrayList<>();
    table
        .regions()
        .regions()
        .forEach(region -> edits.add(new VersionEdit.DropRegion(region.record().regionId())));
    return edits;
  }

  private static void addRemovals(Store store, List<VersionEdit> edits) {
    List<StoreFile> held = store.retainedFiles();
    held.forEach(file -> edits.add(new VersionEdit.RemoveFile(file.fileNumber())));
    Store.release(held);
  }

  /** Opens a region, and adds each store that it opens to a list, even before a failure. */
  Region openRegion(
      TableRecord table,
      RegionRecord region,
      Function<StoreId, StoreParts> parts,
      List<Store> opened)
      throws IOException {
    return opener.open(table, region, parts, family -> historyStart(table, family), opened);
  }

  /** Returns the state of a table with these regions. */
  TableState stateOf(TableRecord table, List<Region> regions) {
    List<String> families = table.families().stream().map(FamilyRecord::name).toList();
    return TableOpener.stateOf(table, regions, lostHistory.lastOfOthers(table.name(), families));
  }

  private long historyStart(TableRecord table, FamilyRecord family) {
    return lostHistory.startOf(table.name(), family.name());
  }

  /** Returns the record of a table in the manifest. Called from {@link #whileUnchanged}. */
  TableRecord recordOf(String name) throws TableNotFoundException {
    assert changeLock.isHeldByCurrentThread();
    TableRecord record = records.get(name);
    if (record == null) {
      throw new TableNotFoundException(name);
    }
    return record;
  }

  /** Publishes a changed table. Called from {@link #whileUnchanged}. */
  void put(TableState table) {
    assert changeLock.isHeldByCurrentThread();
    Map<String, TableState> next = new TreeMap<>(tables);
    next.put(table.name(), table);
    publish(next);
  }

  /** Applies the present options to all stores. */
  public void reconfigureStores() {
    changeLock.lock();
    try {
      opener.shareMemory(stores());
    } finally {
      changeLock.unlock();
    }
  }

  private void forget(String name, Map<String, TableState> next) {
    assert changeLock.isHeldByCurrentThread();
    records.remove(name);
    publish(next);
  }

  /** Sets the listener for tables. Called now and before a change is visible; must not throw. */
  public void onTables(Consumer<List<TableRecord>> newListener) {
    changeLock.lock();
    try {
      listener = newListener;
      listener.accept(List.copyOf(records.values()));
    } finally {
      changeLock.unlock();
    }
  }

  private void publish(Map<String, TableState> next) {
    assert changeLock.isHeldByCurrentThread();
    listener.accept(List.copyOf(records.values()));
    tables = next;
    opener.shareMemory(stores());
  }
}
