// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.client.catalog;

import io.accordiondb.Database;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Completes or undoes the changes that a crash has interrupted, when a catalog is opened:
 *
 * <ul>
 *   <li>A restoration of a snapshot is done again, which is the same as completing it.
 *   <li>The record of a table that the database does not have is removed: the table was not yet
 *       created, or was dropped already.
 *   <li>A pending descriptor is taken if the database has its families, and dropped otherwise.
 *   <li>Contents of snapshots that no record names are dropped, and so are records whose contents
 *       have been dropped through the database's own interface.
 * </ul>
 *
 * <p>Each step can be repeated after a further crash. If the database is read-only, the steps that
 * need no writing take place in memory.
 */
final class CatalogRecovery {
  private static final Logger LOG = LoggerFactory.getLogger(CatalogRecovery.class);

  private final CatalogState state;
  private final Snapshots snapshots;
  private final Database database;
  private final boolean readOnly;

  CatalogRecovery(CatalogState state, Snapshots snapshots) throws IOException {
    this.state = state;
    this.snapshots = snapshots;
    this.database = state.database();
    this.readOnly = database.options().readOnly();
  }

  void run() throws IOException {
    state.alone(
        () -> {
          for (Map.Entry<String, StoredTable> entry : state.tables().entrySet()) {
            recover(entry.getKey(), entry.getValue());
          }
          if (!readOnly) {
            dropUnknownContents();
          }
        });
  }

  private void recover(String engineName, StoredTable record) throws IOException {
    String restoringFrom = record.restoringFrom();
    if (restoringFrom != null && !readOnly) {
      StoredSnapshot from = snapshots.byContents(restoringFrom);
      if (from != null && database.exists(restoringFrom)) {
        LOG.info("restoring table {} again, which a crash has interrupted", engineName);
        snapshots.restoreRecorded(engineName, from);
        return;
      }
    }
    if (!database.exists(engineName)) {
      if (readOnly) {
        state.forget(engineName);
      } else {
        LOG.info("removing the record of table {}, which does not exist", engineName);
        state.remove(engineName);
      }
      return;
    }
    TableDescriptor pending = record.pending();
    if (pending != null && !readOnly) {
      io.accordiondb.TableDescriptor present = database.describe(engineName);
      boolean isAltered = TableMapping.toEngine(engineName, pending, present).equals(present);
      LOG.info("the interrupted change of table {} was {}", engineName, isAltered ? "made" : "not");
      state.put(
          engineName, StoredTable.of(isAltered ? pending : record.descriptor(), record.enabled()));
    }
  }

  private void dropUnknownContents() throws IOException {
    for (StoredSnapshot snapshot : List.copyOf(snapshots.records())) {
      if (!database.exists(snapshot.engineTable())) {
        LOG.warn(
            "removing snapshot {}, of which the contents were dropped", snapshot.description());
        snapshots.remove(snapshot.description().getName());
      }
    }
    for (io.accordiondb.TableDescriptor table : database.tables()) {
      if (TableNames.isSnapshot(table.name()) && snapshots.byContents(table.name()) == null) {
        LOG.info("dropping table {}, which no snapshot has", table.name());
        database.dropTable(table.name());
      }
    }
  }
}
