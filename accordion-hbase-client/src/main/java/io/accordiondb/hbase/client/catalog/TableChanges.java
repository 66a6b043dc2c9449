// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.client.catalog;

import io.accordiondb.Database;
import java.io.IOException;
import org.apache.hadoop.hbase.TableExistsException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.TableNotDisabledException;
import org.apache.hadoop.hbase.TableNotEnabledException;
import org.apache.hadoop.hbase.client.TableDescriptor;

/**
 * Creates, alters, empties and drops tables, and enables and disables them. Thread-safe: changes
 * run one after another. Each throws what HBase's client throws.
 *
 * <p>A new table's record is written before the table, a dropped table's record is removed after
 * the table; a change of families is first written as pending. {@link CatalogRecovery} relies on
 * this order.
 */
public final class TableChanges {
  private final CatalogState state;
  private final Namespaces namespaces;
  private final Database database;

  TableChanges(CatalogState state, Namespaces namespaces) {
    this.state = state;
    this.namespaces = namespaces;
    this.database = state.database();
  }

  /**
   * Creates a table, which is then enabled.
   *
   * @param table the descriptor
   * @param splitKeys rows at which further regions begin; none for a single region
   * @throws TableExistsException if there is a table with this name
   * @throws org.apache.hadoop.hbase.NamespaceNotFoundException if its namespace does not exist
   * @throws org.apache.hadoop.hbase.DoNotRetryIOException if HBase does not allow such a table
   * @throws IllegalArgumentException if a split key is empty or given twice, or if the database
   *     does not allow such a family
   * @throws IOException if the storage fails
   */
  public void create(TableDescriptor table, byte[]... splitKeys) throws IOException {
    TableName name = table.getTableName();
    TableChecks.check(table);
    TableChecks.checkSplitKeys(splitKeys);
    String engineName = TableNames.engineName(name);
    io.accordiondb.TableDescriptor engine = TableMapping.toEngine(engineName, table, null);
    state.alone(
        () -> {
          namespaces.get(name.getNamespaceAsString());
          checkAbsent(name);
          state.put(engineName, StoredTable.of(table, true));
          CatalogState.orUndo(
              () -> createTable(name, engine, splitKeys), () -> state.remove(engineName));
        });
  }

  private void createTable(
      TableName name, io.accordiondb.TableDescriptor engine, byte[][] splitKeys)
      throws IOException {
    try {
      database.createTable(engine, splitKeys);
    } catch (io.accordiondb.TableExistsException e) {
      // The other interface was faster.
      TableExistsException translated = new TableExistsException(name);
      translated.initCause(e);
      throw translated;
    }
  }

  /**
   * Changes a table's descriptor. Families that the new one does not have are dropped with their
   * cells.
   *
   * @param name the name of the table
   * @param change receives the present descriptor and returns the new one
   * @throws org.apache.hadoop.hbase.TableNotFoundException if there is no such table
   * @throws org.apache.hadoop.hbase.DoNotRetryIOException if HBase does not allow such a table
   * @throws IOException if the storage fails
   */
  public void modify(TableName name, DescriptorChange change) throws IOException {
    state.alone(
        () -> {
          TableDescriptor next = change.apply(state.describe(name));
          TableChecks.check(next);
          String engineName = TableNames.engineName(name);
          io.accordiondb.TableDescriptor present = state.describeEngine(name);
          io.accordiondb.TableDescriptor engine = TableMapping.toEngine(engineName, next, present);
          boolean enabled = state.isEnabled(name);
          if (!engine.equals(present)) {
            alter(name, engine, next);
          }
          state.put(engineName, StoredTable.of(next, enabled));
        });
  }

  /** A change of a descriptor, which may be refused with one of HBase's exceptions. */
  @FunctionalInterface
  public interface DescriptorChange {
    /**
     * {@return the new descriptor}
     *
     * @param present the present one
     * @throws IOException if the change is refused
     */
    TableDescriptor apply(TableDescriptor present) throws IOException;
  }

  private void alter(TableName name, io.accordiondb.TableDescriptor engine, TableDescriptor next)
      throws IOException {
    StoredTable before = StoredTable.of(state.describe(name), state.isEnabled(name));
    state.put(engine.name(), new StoredTable(before.descriptor(), before.enabled(), next, null));
    CatalogState.orUndo(() -> database.alterTable(engine), () -> state.put(engine.name(), before));
  }

  /**
   * Drops a disabled table with all its cells.
   *
   * @param name the name of the table
   * @throws org.apache.hadoop.hbase.TableNotFoundException if there is no such table
   * @throws TableNotDisabledException if it is enabled
   * @throws IOException if the storage fails
   */
  public void delete(TableName name) throws IOException {
    state.alone(
        () -> {
          checkDisabled(name);
          String engineName = TableNames.engineName(name);
          try {
            database.dropTable(engineName);
          } catch (io.accordiondb.TableNotFoundException e) {
            state.remove(engineName);
            throw CatalogState.notFound(name, e);
          }
          state.remove(engineName);
        });
  }

  /**
   * Drops all cells of a disabled table, which is then enabled.
   *
   * @param name the name of the table
   * @param preserveSplits whether its regions stay; otherwise it has one region afterwards
   * @throws org.apache.hadoop.hbase.TableNotFoundException if there is no such table
   * @throws TableNotDisabledException if it is enabled
   * @throws IOException if the storage fails
   */
  public void truncate(TableName name, boolean preserveSplits) throws IOException {
    state.alone(
        () -> {
          checkDisabled(name);
          String engineName = TableNames.engineName(name);
          database.truncateTable(engineName);
          if (!preserveSplits) {
            mergeAll(engineName);
          }
          state.put(engineName, StoredTable.of(state.describe(name), true));
        });
  }

  /** Merges the regions of an empty table to one. */
  private void mergeAll(String engineName) throws IOException {
    while (database.regions(engineName).size() > 1) {
      // False if another thread was changing a region; then there are fewer or they are free again.
      database.mergeRegions(engineName, new byte[0]);
    }
  }

  /**
   * Enables a disabled table.
   *
   * @param name the name of the table
   * @throws org.apache.hadoop.hbase.TableNotFoundException if there is no such table
   * @throws TableNotDisabledException if it is enabled
   * @throws IOException if the storage fails
   */
  public void enable(TableName name) throws IOException {
    state.alone(
        () -> {
          checkDisabled(name);
          state.put(TableNames.engineName(name), StoredTable.of(state.describe(name), true));
        });
  }

  /**
   * Disables an enabled table: its rows cannot be read or written until it is enabled. Returns when
   * the mutations that had begun have ended, so that what is done with the table next, such as a
   * snapshot, has all that was acknowledged.
   *
   * @param name the name of the table
   * @throws org.apache.hadoop.hbase.TableNotFoundException if there is no such table
   * @throws TableNotEnabledException if it is disabled
   * @throws IOException if the storage fails
   */
  public void disable(TableName name) throws IOException {
    state.alone(
        () -> {
          TableDescriptor table = state.describe(name);
          if (!state.isEnabled(name)) {
            throw new TableNotEnabledException(name);
          }
          String engineName = TableNames.engineName(name);
          state.put(engineName, StoredTable.of(table, false));
          state.gate(engineName).awaitEndOfWrites();
        });
  }

  private void checkAbsent(TableName name) throws IOException {
    if (database.exists(TableNames.engineName(name))) {
      throw new TableExistsException(name);
    }
  }

  private void checkDisabled(TableName name) throws IOException {
    state.describe(name);
    if (state.isEnabled(name)) {
      throw new TableNotDisabledException(name);
    }
  }
}
