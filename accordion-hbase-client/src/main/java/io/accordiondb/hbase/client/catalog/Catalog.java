// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.client.catalog;

import io.accordiondb.Database;
import io.accordiondb.TableRegion;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Lock;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.TableNotEnabledException;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.jspecify.annotations.Nullable;

/**
 * The tables of a database as HBase's client knows them: names with namespaces, HBase's
 * descriptors, enabled or disabled, and regions. Thread-safe; it holds no resources and must not be
 * used after the database has been closed.
 *
 * <p>The database holds the tables with their families. What it does not know, the catalog keeps in
 * records of the key-value store {@code --hbase-catalog} of the same database: descriptors in
 * HBase's own serialized form, whether a table is enabled, namespaces, snapshots. A table without a
 * record, which was created through {@link Database}, shows as an enabled one with a descriptor
 * that is derived from the database's. If a record and the database disagree, the database is
 * right. So both interfaces can be used on one folder, also at the same time.
 *
 * <p>Each change writes the record and the table in such an order that {@link #open} completes or
 * undoes it after a crash.
 */
public final class Catalog {
  private final CatalogState state;
  private final Namespaces namespaces;
  private final TableChanges changes;
  private final Snapshots snapshots;

  /** The last view of each table, by its name in the database. */
  private final Map<String, CatalogTable> seen = new ConcurrentHashMap<>();

  private final Map<String, RegionList> regionsSeen = new ConcurrentHashMap<>();

  private Catalog(CatalogState state, Namespaces namespaces, Snapshots snapshots) {
    this.state = state;
    this.namespaces = namespaces;
    this.snapshots = snapshots;
    this.changes = new TableChanges(state, namespaces);
  }

  /** The regions of a table, with the identities that they have in the database. */
  private record RegionList(List<Long> ids, List<RegionInfo> regions) {}

  /**
   * Opens the catalog of a database, and completes or undoes changes that a crash has interrupted.
   *
   * @param database the database; if it is read-only, nothing is completed
   * @return the catalog
   * @throws io.accordiondb.CorruptionException if a record is damaged
   * @throws io.accordiondb.FormatVersionException if a newer version of this software has written a
   *     record
   * @throws IOException if the storage fails
   */
  public static Catalog open(Database database) throws IOException {
    CatalogState state = CatalogState.load(database);
    Namespaces namespaces = Namespaces.load(state);
    Snapshots snapshots = Snapshots.load(state, namespaces);
    new CatalogRecovery(state, snapshots).run();
    return new Catalog(state, namespaces, snapshots);
  }

  /** {@return the database} */
  public Database database() {
    return state.database();
  }

  /** {@return the operations that change tables} */
  public TableChanges changes() {
    return changes;
  }

  /** {@return the namespaces} */
  public Namespaces namespaces() {
    return namespaces;
  }

  /** {@return the snapshots} */
  public Snapshots snapshots() {
    return snapshots;
  }

  /**
   * {@return a table whose rows are to be read or written}
   *
   * @param name the name
   * @throws TableNotFoundException if there is no such table
   * @throws TableNotEnabledException if it is disabled
   * @throws IOException if the storage fails
   */
  public CatalogTable open(TableName name) throws IOException {
    CatalogTable table = get(name);
    if (!table.enabled()) {
      throw new TableNotEnabledException(name);
    }
    return table;
  }

  /**
   * Begins a change of rows of a table. A thread that disables the table waits for the end of the
   * change.
   *
   * @param table the table
   * @return the lock that the caller must unlock after the change
   * @throws TableNotEnabledException if the table has been disabled in the meantime
   */
  public Lock beginWrite(CatalogTable table) throws TableNotEnabledException {
    Lock lock = table.gate().ofThread();
    lock.lock();
    StoredTable record = state.table(table.table().name());
    if (record != null && !record.enabled()) {
      lock.unlock();
      throw new TableNotEnabledException(table.name());
    }
    return lock;
  }

  /**
   * {@return a table, enabled or not}
   *
   * @param name the name
   * @throws TableNotFoundException if there is no such table
   * @throws IOException if the storage fails
   */
  public CatalogTable get(TableName name) throws IOException {
    CatalogTable table = view(TableNames.engineName(name), name);
    if (table == null) {
      throw new TableNotFoundException(name);
    }
    return table;
  }

  /**
   * {@return whether there is a table with this name}
   *
   * @param name the name
   * @throws IOException if the storage fails
   */
  public boolean exists(TableName name) throws IOException {
    String engineName = TableNames.engineName(name);
    try {
      settled(() -> state.database().describe(engineName));
      return true;
    } catch (io.accordiondb.TableNotFoundException e) {
      return false;
    }
  }

  /**
   * {@return the name of a table in the database}
   *
   * @param name the name in HBase
   */
  public static String engineName(TableName name) {
    return TableNames.engineName(name);
  }

  /**
   * {@return all tables in the order of their names, except those of the catalog itself}
   *
   * @throws IOException if the storage fails
   */
  public List<CatalogTable> tables() throws IOException {
    List<CatalogTable> tables = new ArrayList<>();
    for (io.accordiondb.TableDescriptor table : state.database().tables()) {
      TableName name = state.nameOf(table.name());
      CatalogTable view = name == null ? null : view(table.name(), name);
      if (view != null) {
        tables.add(view);
      }
    }
    tables.sort(Comparator.comparing(table -> table.name().getNameAsString()));
    return tables;
  }

  /**
   * {@return the regions of a table, in order} They are those of the database: names and encoded
   * names change when a region is split or merged.
   *
   * @param name the name of the table
   * @throws TableNotFoundException if there is no such table
   * @throws IOException if the storage fails
   */
  public List<RegionInfo> regions(TableName name) throws IOException {
    String engineName = TableNames.engineName(name);
    List<TableRegion> present = present(engineName, name);
    List<Long> ids = present.stream().map(TableRegion::id).toList();
    RegionList known = regionsSeen.get(engineName);
    if (known == null || !known.ids.equals(ids)) {
      known = new RegionList(ids, present.stream().map(region -> infoOf(name, region)).toList());
      regionsSeen.put(engineName, known);
    }
    return known.regions;
  }

  private List<TableRegion> present(String engineName, TableName name) throws IOException {
    try {
      return settled(() -> state.database().regions(engineName));
    } catch (io.accordiondb.TableNotFoundException e) {
      throw CatalogState.notFound(name, e);
    }
  }

  /** Finds something out about a table. */
  private interface Lookup<T> {
    T find() throws IOException;
  }

  /**
   * Looks a table up. One that is missing may be absent only while new contents take the place of
   * the old ones, so it is looked up again when no change is under way.
   */
  private <T> T settled(Lookup<T> lookup) throws IOException {
    try {
      return lookup.find();
    } catch (io.accordiondb.TableNotFoundException e) {
      List<T> found = new ArrayList<>(1);
      state.alone(() -> found.add(lookup.find()));
      return found.get(0);
    }
  }

  private static RegionInfo infoOf(TableName table, TableRegion region) {
    return RegionInfoBuilder.newBuilder(table)
        .setStartKey(region.startRow())
        .setEndKey(region.endRow())
        .setRegionId(region.id())
        .build();
  }

  private @Nullable CatalogTable view(String engineName, TableName name) throws IOException {
    try {
      return settled(() -> presentView(engineName, name));
    } catch (io.accordiondb.TableNotFoundException e) {
      seen.remove(engineName);
      regionsSeen.remove(engineName);
      return null;
    }
  }

  private CatalogTable presentView(String engineName, TableName name) throws IOException {
    io.accordiondb.TableDescriptor present = state.database().describe(engineName);
    StoredTable record = state.table(engineName);
    CatalogTable known = seen.get(engineName);
    if (known == null || !known.isMadeOf(present, record)) {
      known =
          new CatalogTable(
              name, state.database().table(engineName), present, record, state.gate(engineName));
      seen.put(engineName, known);
    }
    return known;
  }
}
