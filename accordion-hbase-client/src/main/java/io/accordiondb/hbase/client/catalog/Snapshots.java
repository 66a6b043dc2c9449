// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.client.catalog;

import io.accordiondb.Database;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.TableExistsException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.TableNotDisabledException;
import org.apache.hadoop.hbase.client.SnapshotDescription;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.snapshot.HBaseSnapshotException;
import org.apache.hadoop.hbase.snapshot.RestoreSnapshotException;
import org.apache.hadoop.hbase.snapshot.SnapshotCreationException;
import org.apache.hadoop.hbase.snapshot.SnapshotDoesNotExistException;
import org.apache.hadoop.hbase.snapshot.SnapshotExistsException;
import org.apache.hadoop.hbase.snapshot.SnapshotTTLExpiredException;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;
import org.jspecify.annotations.Nullable;

/**
 * Snapshots of single tables. The contents are a table of the database that shares the files of the
 * original and is never compacted, so a snapshot keeps all cells with their versions and delete
 * markers, whatever happens to the original. Thread-safe.
 *
 * <p>The contents are made before the record and dropped after it, so that a record always has
 * contents; {@link CatalogRecovery} drops contents without a record.
 */
public final class Snapshots {
  private static final String SNAPSHOTS = "s/";
  private static final int VERSION = 2;

  private final CatalogState state;
  private final Namespaces namespaces;
  private final Database database;
  private volatile Map<String, StoredSnapshot> records;

  private Snapshots(
      CatalogState state, Namespaces namespaces, Map<String, StoredSnapshot> records) {
    this.state = state;
    this.namespaces = namespaces;
    this.database = state.database();
    this.records = records;
  }

  static Snapshots load(CatalogState state, Namespaces namespaces) throws IOException {
    Map<String, StoredSnapshot> records = new TreeMap<>();
    for (Map.Entry<String, byte[]> entry : state.system().load(SNAPSHOTS).entrySet()) {
      String key = entry.getKey();
      records.put(key, StoredSnapshot.decode(SNAPSHOTS + key, entry.getValue()));
    }
    return new Snapshots(state, namespaces, records);
  }

  /** {@return all snapshots in the order of their names} */
  public List<SnapshotDescription> list() {
    return new ArrayList<>(records.values().stream().map(StoredSnapshot::description).toList());
  }

  /**
   * Takes a snapshot of a table, enabled or not, as of one moment.
   *
   * @param wanted the name of the snapshot, the table, and properties
   * @throws SnapshotExistsException if there is a snapshot with this name
   * @throws SnapshotCreationException if there is no such table
   * @throws IllegalArgumentException if HBase does not allow the name
   * @throws IOException if the storage fails
   */
  public void create(SnapshotDescription wanted) throws IOException {
    TableName.isLegalTableQualifierName(Bytes.toBytes(wanted.getName()), true);
    state.alone(
        () -> {
          TableName table = wanted.getTableName();
          if (records.containsKey(wanted.getName())) {
            throw new SnapshotExistsException(
                "Snapshot '" + wanted.getName() + "' already stored on the filesystem.", wanted);
          }
          if (!database.exists(TableNames.engineName(table))) {
            throw new SnapshotCreationException(
                "Table '" + table + "' doesn't exist, can't take snapshot", wanted);
          }
          io.accordiondb.TableDescriptor original = state.describeEngine(table);
          StoredSnapshot record =
              new StoredSnapshot(
                  completed(wanted),
                  TableNames.snapshotTable(nextNumber()),
                  state.describe(table),
                  StoredSnapshot.stylesOf(original));
          database.copyTable(
              original.name(), StoredSnapshot.contentsOf(original, record.engineTable()));
          CatalogState.orUndo(
              () -> state.system().put(SNAPSHOTS + wanted.getName(), record.encode()),
              () -> database.dropTable(record.engineTable()));
          Map<String, StoredSnapshot> next = new TreeMap<>(records);
          next.put(wanted.getName(), record);
          records = next;
        });
  }

  private static SnapshotDescription completed(SnapshotDescription wanted) {
    Map<String, Object> properties =
        Map.of(
            "TTL",
            Math.max(0, wanted.getTtl()),
            TableDescriptorBuilder.MAX_FILESIZE,
            wanted.getMaxFileSize());
    return new SnapshotDescription(
        wanted.getName(),
        wanted.getTableName(),
        wanted.getType(),
        wanted.getOwner() == null ? "" : wanted.getOwner(),
        wanted.getCreationTime() > 0
            ? wanted.getCreationTime()
            : EnvironmentEdgeManager.currentTime(),
        VERSION,
        properties);
  }

  private long nextNumber() throws IOException {
    return 1
        + database.tables().stream()
            .mapToLong(table -> TableNames.snapshotNumber(table.name()))
            .max()
            .orElse(0);
  }

  /**
   * Deletes a snapshot. Tables that were cloned or restored from it stay.
   *
   * @param name the name
   * @throws SnapshotDoesNotExistException if there is no such snapshot
   * @throws HBaseSnapshotException if it alone has the contents of a table whose restoration has
   *     failed
   * @throws IOException if the storage fails
   */
  public void delete(String name) throws IOException {
    state.alone(
        () -> {
          StoredSnapshot record = get(name);
          checkRestored(record);
          remove(name);
          database.dropTable(record.engineTable());
        });
  }

  private void checkRestored(StoredSnapshot snapshot) throws IOException {
    for (Map.Entry<String, StoredTable> table : state.tables().entrySet()) {
      if (snapshot.engineTable().equals(table.getValue().restoringFrom())
          && !database.exists(table.getKey())) {
        throw new HBaseSnapshotException(
            "Snapshot '"
                + snapshot.description().getName()
                + "' is needed: its restoration to table "
                + snapshot.description().getTableName()
                + " has failed; restore it again first");
      }
    }
  }

  /** Removes a record. Called from {@link CatalogState#alone}. */
  void remove(String name) throws IOException {
    state.system().delete(SNAPSHOTS + name);
    Map<String, StoredSnapshot> next = new TreeMap<>(records);
    next.remove(name);
    records = next;
  }

  /**
   * Creates a table with the contents of a snapshot, its descriptor and its regions. The table is
   * enabled.
   *
   * @param snapshot the name of the snapshot
   * @param name the name of the table
   * @throws SnapshotDoesNotExistException if there is no such snapshot
   * @throws SnapshotTTLExpiredException if the snapshot's time to live has passed
   * @throws TableExistsException if there is a table with this name
   * @throws org.apache.hadoop.hbase.NamespaceNotFoundException if its namespace does not exist
   * @throws IOException if the storage fails
   */
  public void cloneTo(String snapshot, TableName name) throws IOException {
    state.alone(() -> cloneAlone(unexpired(snapshot), name));
  }

  private void cloneAlone(StoredSnapshot from, TableName name) throws IOException {
    String engineName = TableNames.engineName(name);
    namespaces.get(name.getNamespaceAsString());
    if (database.exists(engineName)) {
      throw new TableExistsException(name);
    }
    state.put(engineName, StoredTable.of(describe(from, name), true));
    CatalogState.orUndo(() -> copyTo(from, engineName), () -> state.remove(engineName));
  }

  /**
   * Gives to a disabled table the contents, the descriptor and the regions that it had when a
   * snapshot was taken. The table stays disabled. If the table does not exist any more, it is
   * created, and is enabled. A failure or a crash leaves either the old contents, or a restoration
   * that the next call or the next opening completes.
   *
   * @param snapshot the name of the snapshot
   * @throws RestoreSnapshotException if there is no such snapshot
   * @throws SnapshotTTLExpiredException if the snapshot's time to live has passed
   * @throws TableNotDisabledException if the table is enabled
   * @throws IOException if the storage fails
   */
  public void restore(String snapshot) throws IOException {
    state.alone(
        () -> {
          if (!records.containsKey(snapshot)) {
            throw new RestoreSnapshotException(
                "Unable to find the table name for snapshot=" + snapshot);
          }
          restoreAlone(unexpired(snapshot));
        });
  }

  private void restoreAlone(StoredSnapshot from) throws IOException {
    TableName name = from.description().getTableName();
    String engineName = TableNames.engineName(name);
    StoredTable record = state.table(engineName);
    boolean exists = database.exists(engineName);
    // A restoration that failed may have dropped the table, whose record says that it is restored.
    if (!exists && (record == null || record.restoringFrom() == null)) {
      cloneAlone(from, name);
      return;
    }
    if (exists && state.isEnabled(name)) {
      throw new TableNotDisabledException(name);
    }
    StoredTable before =
        record == null || exists ? StoredTable.of(state.describe(name), false) : record;
    state.put(
        engineName,
        new StoredTable(before.descriptor(), false, from.descriptor(), from.engineTable()));
    if (exists) {
      CatalogState.orUndo(
          () -> database.dropTable(engineName), () -> undoRestoring(engineName, before));
    }
    restoreRecorded(engineName, from);
  }

  /** Takes the record of a restoration back, if the table still has its contents. */
  private void undoRestoring(String engineName, StoredTable before) throws IOException {
    if (database.exists(engineName)) {
      state.put(engineName, before);
    }
  }

  /** Completes a restoration whose record is written. Called from {@link CatalogState#alone}. */
  void restoreRecorded(String engineName, StoredSnapshot from) throws IOException {
    if (database.exists(engineName)) {
      database.dropTable(engineName);
    }
    copyTo(from, engineName);
    state.put(engineName, StoredTable.of(from.descriptor(), false));
  }

  private void copyTo(StoredSnapshot from, String engineName) throws IOException {
    database.copyTable(
        from.engineTable(), from.restored(engineName, database.describe(from.engineTable())));
  }

  private static TableDescriptor describe(StoredSnapshot from, TableName name) {
    return TableDescriptorBuilder.copy(name, from.descriptor());
  }

  private StoredSnapshot get(String name) throws SnapshotDoesNotExistException {
    StoredSnapshot record = records.get(name);
    if (record == null) {
      throw new SnapshotDoesNotExistException(
          "Snapshot '" + name + "' doesn't exist on the filesystem");
    }
    return record;
  }

  private StoredSnapshot unexpired(String name) throws IOException {
    StoredSnapshot record = get(name);
    SnapshotDescription snapshot = record.description();
    long ageMillis = EnvironmentEdgeManager.currentTime() - snapshot.getCreationTime();
    if (snapshot.getTtl() > 0 && ageMillis > TimeUnit.SECONDS.toMillis(snapshot.getTtl())) {
      throw new SnapshotTTLExpiredException(snapshot);
    }
    return record;
  }

  /** Returns the snapshot whose contents a table of the database has, or null. */
  @Nullable StoredSnapshot byContents(String engineTable) {
    return records.values().stream()
        .filter(record -> record.engineTable().equals(engineTable))
        .findFirst()
        .orElse(null);
  }

  /** Returns all records. */
  Collection<StoredSnapshot> records() {
    return records.values();
  }
}
