// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.client.catalog;

import io.accordiondb.Database;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.jspecify.annotations.Nullable;

/**
 * The catalog's records of tables, in memory and in the database. Readers see an immutable map;
 * changes run one after another. Thread-safe.
 */
final class CatalogState {
  private static final String TABLES = "t/";

  private final Database database;
  private final SystemTable system;
  private final ReentrantLock changeLock = new ReentrantLock();
  private final Map<String, WriteGate> gates = new ConcurrentHashMap<>();
  private volatile Map<String, StoredTable> tables;

  private CatalogState(Database database, SystemTable system, Map<String, StoredTable> tables) {
    this.database = database;
    this.system = system;
    this.tables = tables;
  }

  static CatalogState load(Database database) throws IOException {
    SystemTable system = new SystemTable(database);
    Map<String, StoredTable> tables = new HashMap<>();
    for (Map.Entry<String, byte[]> entry : system.load(TABLES).entrySet()) {
      String key = entry.getKey();
      tables.put(key, StoredTable.decode(TABLES + key, entry.getValue()));
    }
    return new CatalogState(database, system, Map.copyOf(tables));
  }

  Database database() {
    return database;
  }

  SystemTable system() {
    return system;
  }

  /** Returns all records by the names of the tables in the database. */
  Map<String, StoredTable> tables() {
    return tables;
  }

  /** Returns the record of a table of the database; null if the catalog has none. */
  @Nullable StoredTable table(String engineName) {
    return tables.get(engineName);
  }

  /** Returns the gate that mutations of a table of the database pass. */
  WriteGate gate(String engineName) {
    return gates.computeIfAbsent(engineName, any -> new WriteGate());
  }

  /** Returns HBase's name of a table of the database; null if HBase's client does not see it. */
  @Nullable TableName nameOf(String engineName) {
    StoredTable record = table(engineName);
    return record == null ? TableNames.hbaseName(engineName) : record.descriptor().getTableName();
  }

  /** Returns the names of all tables that HBase's client sees. */
  List<TableName> names() throws IOException {
    List<TableName> names = new ArrayList<>();
    for (io.accordiondb.TableDescriptor table : database.tables()) {
      TableName name = nameOf(table.name());
      if (name != null) {
        names.add(name);
      }
    }
    return names;
  }

  /**
   * Returns HBase's descriptor of a table.
   *
   * @throws TableNotFoundException if there is no such table
   */
  TableDescriptor describe(TableName name) throws IOException {
    String engineName = TableNames.engineName(name);
    StoredTable record = table(engineName);
    return TableMapping.toHBase(
        name, describeEngine(name), record == null ? null : record.descriptor());
  }

  /**
   * Returns the database's descriptor of a table.
   *
   * @throws TableNotFoundException if there is no such table
   */
  io.accordiondb.TableDescriptor describeEngine(TableName name) throws IOException {
    try {
      return database.describe(TableNames.engineName(name));
    } catch (io.accordiondb.TableNotFoundException e) {
      throw notFound(name, e);
    }
  }

  /** Returns whether a table is enabled; one without a record is. */
  boolean isEnabled(TableName name) {
    StoredTable record = table(TableNames.engineName(name));
    return record == null || record.enabled();
  }

  /** Returns the exception of HBase's client for a table that the database does not have. */
  static TableNotFoundException notFound(TableName name, Exception cause) {
    TableNotFoundException e = new TableNotFoundException(name);
    e.initCause(cause);
    return e;
  }

  /** Writes a record. Called from {@link #alone}. */
  void put(String engineName, StoredTable table) throws IOException {
    system.put(TABLES + engineName, table.encode());
    Map<String, StoredTable> next = new HashMap<>(tables);
    next.put(engineName, table);
    tables = Map.copyOf(next);
  }

  /** Removes a record, if there is one. Called from {@link #alone}. */
  void remove(String engineName) throws IOException {
    if (tables.containsKey(engineName)) {
      system.delete(TABLES + engineName);
      forget(engineName);
    }
  }

  /** Removes a record from memory alone. Called from {@link #alone}. */
  void forget(String engineName) {
    gates.remove(engineName);
    Map<String, StoredTable> next = new HashMap<>(tables);
    next.remove(engineName);
    tables = Map.copyOf(next);
  }

  /** A change that may throw what HBase's client throws. */
  @FunctionalInterface
  interface Change {
    void run() throws IOException;
  }

  /**
   * Runs a change that something was written for. If it fails, takes that back, and throws what the
   * change has thrown.
   */
  static void orUndo(Change change, Change undo) throws IOException {
    try {
      change.run();
    } catch (IOException | RuntimeException | Error e) {
      try {
        undo.run();
      } catch (IOException | RuntimeException | Error failure) {
        e.addSuppressed(failure);
      }
      throw e;
    }
  }

  /** Runs a change while no other one runs. */
  void alone(Change change) throws IOException {
    changeLock.lock();
    try {
      change.run();
    } finally {
      changeLock.unlock();
    }
  }
}
