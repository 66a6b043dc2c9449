// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.database;

import io.accordiondb.CellLimits;
import io.accordiondb.CorruptionException;
import io.accordiondb.FamilyDescriptor;
import io.accordiondb.TableDescriptor;
import io.accordiondb.TableExistsException;
import io.accordiondb.TableNotFoundException;
import io.accordiondb.cell.CellSource;
import io.accordiondb.internal.manifest.FamilyRecord;
import io.accordiondb.internal.manifest.FileRecord;
import io.accordiondb.internal.manifest.Manifest;
import io.accordiondb.internal.manifest.RegionRecord;
import io.accordiondb.internal.manifest.TableRecord;
import io.accordiondb.internal.manifest.Version;
import io.accordiondb.internal.manifest.VersionEdit;
import io.accordiondb.internal.read.StoreView;
import io.accordiondb.internal.region.Region;
import io.accordiondb.internal.region.RegionMap;
import io.accordiondb.internal.region.Store;
import io.accordiondb.internal.region.StoreFile;
import io.accordiondb.internal.region.StoreFiles;
import io.accordiondb.internal.region.StoreId;
import io.accordiondb.internal.region.TableState;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * The open tables, and what changes them: create, alter, drop, truncate. {@link RegionChanges} does
 * more. Thread-safe. Readers see one immutable map; changes go one after another, are recorded in
 * the manifest first, and then seen.
 */
final class Catalog {
  private static final byte[] OPEN = {};

  private final Manifest manifest;
  private final StoreFiles files;
  private final StoreOpener opener;
  private final Consumer<Runnable> exclusively;
  private final LostHistory lostHistory;
  private volatile Map<String, TableState> tables = Map.of();

  /** The families of each table as recorded. Guarded by this. */
  private final Map<String, TableRecord> records = new HashMap<>();

  /**
   * Creates a catalog without tables.
   *
   * @param exclusively runs an action at a moment when no write is between its number and memory
   */
  Catalog(
      Manifest manifest,
      StoreFiles files,
      StoreOpener opener,
      Consumer<Runnable> exclusively,
      LostHistory lostHistory) {
    this.manifest = manifest;
    this.files = files;
    this.opener = opener;
    this.exclusively = exclusively;
    this.lostHistory = lostHistory;
  }

  /**
   * Opens all tables of a version, or none.
   *
   * @throws CorruptionException if a table is described by what this version does not know
   */
  synchronized void openAll(Version version) throws IOException {
    Map<StoreId, List<FileRecord>> filesByStore = new HashMap<>();
    for (FileRecord file : version.files()) {
      filesByStore
          .computeIfAbsent(new StoreId(file.regionId(), file.familyId()), id -> new ArrayList<>())
          .add(file);
    }
    Map<String, TableState> opened = new TreeMap<>();
    List<Store> stores = new ArrayList<>();
    boolean done = false;
    try {
      for (TableRecord record : version.tables()) {
        List<Region> regions = new ArrayList<>();
        for (RegionRecord region : version.regionsOf(record.tableId())) {
          regions.add(openRegion(record, region, filesByStore, stores));
        }
        records.put(record.name(), record);
        opened.put(record.name(), stateOf(record, regions));
      }
      publish(opened);
      done = true;
    } catch (IllegalArgumentException e) {
      // The record was sound, so somebody wrote what this version does not know.
      throw new CorruptionException(
          "the manifest", 0, "tables that can be opened", String.valueOf(e.getMessage()), e);
    } finally {
      if (!done) {
        stores.forEach(Store::close);
      }
    }
  }

  /** Returns a table. */
  TableState get(String name) throws TableNotFoundException {
    TableState table = tables.get(Objects.requireNonNull(name, "table"));
    if (table == null) {
      throw new TableNotFoundException(name);
    }
    return table;
  }

  /** Returns whether a table is there. */
  boolean contains(String name) {
    return tables.containsKey(Objects.requireNonNull(name, "table"));
  }

  /** Returns all tables in the order of their names. */
  Collection<TableState> all() {
    return tables.values();
  }

  /** Returns all stores of all tables. */
  List<Store> stores() {
    return tables.values().stream().flatMap(table -> table.stores().stream()).toList();
  }

  /** Returns the highest timestamp of all cells, 0 if there are none. */
  long maxTimestamp() throws IOException {
    long highest = 0;
    for (Store store : stores()) {
      StoreView view = store.view(false);
      try (Closeable pin = view.pin()) {
        highest = Math.max(highest, view.files().maxTimestamp());
        for (CellSource segment : view.memory().sources()) {
          highest = Math.max(highest, segment.maxTimestamp());
        }
      }
    }
    return highest;
  }

  /** Creates a table. */
  synchronized void create(TableDescriptor descriptor, byte[][] splitKeys) throws IOException {
    if (contains(descriptor.name())) {
      throw new TableExistsException(descriptor.name());
    }
    byte[][] starts = startKeys(splitKeys);
    List<FamilyRecord> families = new ArrayList<>();
    for (FamilyDescriptor family : descriptor.families()) {
      families.add(new FamilyRecord(newFamilyId(), family.name(), family.attributes()));
    }
    TableRecord record = new TableRecord(manifest.nextNumber(), descriptor.name(), families);
    List<VersionEdit> edits = new ArrayList<>();
    edits.add(new VersionEdit.PutTable(record));
    change(record, edits, opened -> addRegions(record, starts, edits, opened));
  }

  /** Changes the families of a table. */
  synchronized void alter(TableDescriptor descriptor) throws IOException {
    TableState old = get(descriptor.name());
    TableRecord oldRecord = recordOf(descriptor.name());
    Map<String, Integer> ids = new HashMap<>();
    oldRecord.families().forEach(family -> ids.put(family.name(), family.familyId()));
    List<FamilyRecord> families = new ArrayList<>();
    for (FamilyDescriptor family : descriptor.families()) {
      Integer known = ids.get(family.name());
      int id = known == null ? newFamilyId() : known;
      families.add(new FamilyRecord(id, family.name(), family.attributes()));
    }
    TableRecord record = new TableRecord(oldRecord.tableId(), descriptor.name(), families);
    List<Store> dropped =
        old.stores().stream()
            .filter(
                store -> families.stream().noneMatch(f -> f.familyId() == store.id().familyId()))
            .toList();
    dropCells(
        old.name(),
        dropped,
        () -> {
          List<VersionEdit> edits = new ArrayList<>();
          edits.add(new VersionEdit.PutTable(record));
          dropped.forEach(store -> addRemovals(store, edits));
          change(record, edits, opened -> altered(old, record, opened));
        });
  }

  /** Drops a table. */
  synchronized void drop(String name) throws IOException {
    TableState table = get(name);
    dropCells(
        name,
        table.stores(),
        () -> {
          List<VersionEdit> edits = dropRegions(table);
          edits.add(new VersionEdit.DropTable(table.tableId()));
          Map<String, TableState> next = new TreeMap<>(tables);
          next.remove(name);
          manifest.commit(
              edits,
              () -> {
                records.remove(name);
                publish(next);
              });
        });
  }

  /** Drops all cells of a table. */
  synchronized void truncate(String name) throws IOException {
    TableState table = get(name);
    TableRecord record = recordOf(name);
    dropCells(
        name,
        table.stores(),
        () -> {
          List<VersionEdit> edits = dropRegions(table);
          byte[][] starts =
              table.regions().regions().stream().map(Region::startKey).toArray(byte[][]::new);
          change(record, edits, opened -> addRegions(record, starts, edits, opened));
        });
  }

  /** Makes a change by which stores of a table lose all of their cells, and drops these stores. */
  private void dropCells(String table, List<Store> stores, Change change) throws IOException {
    withQuiet(
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
    stores.forEach(store -> store.drop(files::delete));
  }

  /** Opens the regions of a table that is about to be recorded. */
  private interface Opening {
    /** Returns the regions; adds each store that it opens to a list, also if it fails. */
    List<Region> open(List<Store> opened) throws IOException;
  }

  /**
   * Opens the regions of a changed table, records it, and then makes it the one that is seen. If it
   * cannot be recorded, the stores that were opened for it are closed.
   *
   * @param edits recorded once the regions are open
   */
  private void change(TableRecord record, List<VersionEdit> edits, Opening opening)
      throws IOException {
    List<Store> opened = new ArrayList<>();
    boolean[] recorded = {false};
    try {
      TableState changed = stateOf(record, opening.open(opened));
      manifest.commit(
          edits,
          () -> {
            recorded[0] = true;
            records.put(record.name(), record);
            for (FamilyRecord family : record.families()) {
              changed.stores().stream()
                  .filter(store -> store.id().familyId() == family.familyId())
                  .forEach(store -> store.setDescriptor(StoreOpener.descriptorOf(family)));
            }
            put(changed);
          });
    } finally {
      if (!recorded[0]) {
        opened.forEach(Store::close);
      }
    }
  }

  /** What is done while no table or region comes or goes. */
  interface Work<T> {
    T run() throws IOException;
  }

  /** Does something while no table or region comes or goes. */
  synchronized <T> T whileUnchanged(Work<T> work) throws IOException {
    return work.run();
  }

  /** Closes all stores. */
  synchronized void closeAll() {
    stores().forEach(Store::close);
    tables = Map.of();
  }

  /** What is done with stores that nobody writes, flushes or compacts at the same time. */
  interface Change {
    void run() throws IOException;
  }

  /**
   * Replaces or drops stores, which are closed for everybody else while it runs, and retires them.
   * If that fails, they are open again. What is in their memory is lost, unless the change flushes
   * it. The caller must hold the catalog.
   */
  void withQuiet(List<Store> stores, Change change) throws IOException {
    boolean changed = false;
    int held = 0;
    try {
      exclusively.accept(() -> stores.forEach(Store::markClosed));
      for (; held < stores.size(); held++) {
        lock(stores.get(held));
      }
      change.run();
      changed = true;
    } finally {
      for (int i = 0; i < stores.size(); i++) {
        if (changed) {
          stores.get(i).retire();
        } else {
          stores.get(i).reopen();
        }
        if (i < held) {
          stores.get(i).flushLock().unlock();
          stores.get(i).compactionLock().unlock();
        }
      }
    }
  }

  private static void lock(Store store) {
    store.compactionLock().lock();
    boolean locked = false;
    try {
      store.flushLock().lock();
      locked = true;
    } finally {
      if (!locked) {
        store.compactionLock().unlock();
      }
    }
  }

  /** Returns a number that no family ever had: the log may still hold cells of those dropped. */
  private int newFamilyId() throws IOException {
    return Math.toIntExact(manifest.nextNumber());
  }

  private static byte[][] startKeys(byte[][] splitKeys) {
    byte[][] sorted = splitKeys.clone();
    Arrays.sort(sorted, Arrays::compareUnsigned);
    byte[][] starts = new byte[sorted.length + 1][];
    starts[0] = OPEN;
    for (int i = 0; i < sorted.length; i++) {
      if (Arrays.equals(sorted[i], starts[i])) {
        throw new IllegalArgumentException(
            sorted[i].length == 0 ? "a split key is empty" : "a split key is given twice");
      }
      starts[i + 1] = CellLimits.checkRowLength(sorted[i]);
    }
    return starts;
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
      regions.add(openRegion(table, region, Map.of(), opened));
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

  /** Opens a region; adds its stores to those opened, also when one of them cannot be. */
  Region openRegion(
      TableRecord table,
      RegionRecord region,
      Map<StoreId, List<FileRecord>> filesByStore,
      List<Store> opened)
      throws IOException {
    List<Store> stores = new ArrayList<>();
    for (FamilyRecord family : table.families()) {
      StoreId id = new StoreId(region.regionId(), family.familyId());
      Store store =
          opener.open(
              table.name(),
              region,
              family,
              filesByStore.getOrDefault(id, List.of()),
              lostHistory.startOf(table.name(), family.name()));
      stores.add(store);
      opened.add(store);
    }
    return new Region(region, stores);
  }

  /** Returns the regions of a table with the stores of its changed families: old and new ones. */
  private List<Region> altered(TableState old, TableRecord table, List<Store> opened)
      throws IOException {
    List<Region> regions = new ArrayList<>();
    for (Region region : old.regions().regions()) {
      regions.add(altered(region, table, opened));
    }
    return regions;
  }

  private Region altered(Region old, TableRecord table, List<Store> opened) throws IOException {
    List<Store> stores = new ArrayList<>();
    for (FamilyRecord family : table.families()) {
      Store kept =
          old.stores().stream()
              .filter(store -> store.id().familyId() == family.familyId())
              .findFirst()
              .orElse(null);
      if (kept == null) {
        kept =
            opener.open(
                table.name(),
                old.record(),
                family,
                List.of(),
                lostHistory.startOf(table.name(), family.name()));
        opened.add(kept);
      }
      stores.add(kept);
    }
    return new Region(old.record(), stores);
  }

  /** Returns what the manifest knows of a table. For who holds the catalog. */
  synchronized TableRecord recordOf(String name) throws TableNotFoundException {
    TableRecord record = records.get(name);
    if (record == null) {
      throw new TableNotFoundException(name);
    }
    return record;
  }

  static TableState stateOf(TableRecord record, List<Region> regions) {
    return new TableState(
        record.tableId(), StoreOpener.descriptorOf(record), new RegionMap(regions));
  }

  /** Makes a changed table the one that is seen. For who holds the catalog. */
  synchronized void put(TableState table) {
    Map<String, TableState> next = new TreeMap<>(tables);
    next.put(table.name(), table);
    publish(next);
  }

  private void publish(Map<String, TableState> next) {
    tables = next;
    List<Store> stores = stores();
    for (Store store : stores) {
      store.memStore().setOptions(opener.memStoreOptions(store.descriptor(), stores.size()));
    }
  }
}
