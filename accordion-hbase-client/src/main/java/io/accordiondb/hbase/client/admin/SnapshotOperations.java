// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.client.admin;

import io.accordiondb.hbase.client.catalog.Catalog;
import io.accordiondb.hbase.client.catalog.CatalogTable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.SnapshotDescription;
import org.apache.hadoop.hbase.client.SnapshotType;
import org.apache.hadoop.hbase.snapshot.UnknownSnapshotException;
import org.apache.hadoop.hbase.util.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * HBase's operations on snapshots of tables. A snapshot is complete when the method returns. All
 * types of snapshots are the same: one moment of the table, with what is in memory.
 */
final class SnapshotOperations {
  private final Catalog catalog;

  SnapshotOperations(Catalog catalog) {
    this.catalog = catalog;
  }

  public void snapshot(SnapshotDescription snapshot) throws IOException {
    if (snapshot.getName() == null || snapshot.getTableName() == null) {
      throw new IllegalArgumentException("a snapshot needs a name and a table: " + snapshot);
    }
    catalog.snapshots().create(snapshot);
  }

  public void snapshot(String name, TableName table) throws IOException {
    snapshot(name, table, SnapshotType.FLUSH);
  }

  public void snapshot(byte[] name, TableName table) throws IOException {
    snapshot(Bytes.toString(name), table);
  }

  public void snapshot(String name, TableName table, SnapshotType type) throws IOException {
    snapshot(new SnapshotDescription(name, table, type));
  }

  public void snapshot(
      String name, TableName table, SnapshotType type, @Nullable Map<String, Object> properties)
      throws IOException {
    snapshot(new SnapshotDescription(name, table, type, properties));
  }

  public void snapshot(String name, TableName table, @Nullable Map<String, Object> properties)
      throws IOException {
    snapshot(name, table, SnapshotType.FLUSH, properties);
  }

  public void takeSnapshotAsync(SnapshotDescription snapshot) throws IOException {
    snapshot(snapshot);
  }

  /** Returns true: a snapshot that exists is finished. */
  public boolean isSnapshotFinished(SnapshotDescription snapshot) throws IOException {
    if (listSnapshots().stream().noneMatch(known -> known.getName().equals(snapshot.getName()))) {
      throw new UnknownSnapshotException(
          "Snapshot "
              + snapshot.getName()
              + " is not currently running or one of the known "
              + "completed snapshots.");
    }
    return true;
  }

  public void cloneSnapshot(String name, TableName table) throws IOException {
    catalog.snapshots().cloneTo(name, table);
  }

  public void cloneSnapshot(byte[] name, TableName table) throws IOException {
    cloneSnapshot(Bytes.toString(name), table);
  }

  public void cloneSnapshot(String name, TableName table, boolean restoreAcl) throws IOException {
    checkNoAcl(restoreAcl);
    cloneSnapshot(name, table);
  }

  /** The kind of tracker of store files is HBase's own matter, and makes no difference here. */
  public void cloneSnapshot(
      String name, TableName table, boolean restoreAcl, @Nullable String storeFileTracker)
      throws IOException {
    cloneSnapshot(name, table, restoreAcl);
  }

  public void restoreSnapshot(String name) throws IOException {
    catalog.snapshots().restore(name);
  }

  public void restoreSnapshot(byte[] name) throws IOException {
    restoreSnapshot(Bytes.toString(name));
  }

  /** A restoration that fails leaves the old contents, so none is taken for safety. */
  public void restoreSnapshot(String name, boolean takeFailSafeSnapshot) throws IOException {
    restoreSnapshot(name);
  }

  public void restoreSnapshot(byte[] name, boolean takeFailSafeSnapshot) throws IOException {
    restoreSnapshot(Bytes.toString(name));
  }

  public void restoreSnapshot(String name, boolean takeFailSafeSnapshot, boolean restoreAcl)
      throws IOException {
    checkNoAcl(restoreAcl);
    restoreSnapshot(name);
  }

  private static void checkNoAcl(boolean restoreAcl) {
    if (restoreAcl) {
      throw new UnsupportedOperationException(
          "restoring permissions is not available in an embedded store: it has none");
    }
  }

  public List<SnapshotDescription> listSnapshots() {
    return catalog.snapshots().list();
  }

  public List<SnapshotDescription> listSnapshots(String regex) {
    return listSnapshots(Pattern.compile(regex));
  }

  public List<SnapshotDescription> listSnapshots(Pattern pattern) {
    return select(snapshot -> pattern.matcher(snapshot.getName()).matches());
  }

  public List<SnapshotDescription> listTableSnapshots(String tables, String snapshots)
      throws IOException {
    return listTableSnapshots(Pattern.compile(tables), Pattern.compile(snapshots));
  }

  /** Lists snapshots of tables that exist, and no others, as HBase does. */
  public List<SnapshotDescription> listTableSnapshots(
      @Nullable Pattern tables, @Nullable Pattern snapshots) throws IOException {
    Set<TableName> existing = new HashSet<>();
    for (CatalogTable table : catalog.tables()) {
      existing.add(table.name());
    }
    return select(
        snapshot ->
            existing.contains(snapshot.getTableName())
                && TablePatterns.matches(tables, snapshot.getTableName())
                && (snapshots == null || snapshots.matcher(snapshot.getName()).matches()));
  }

  private List<SnapshotDescription> select(Predicate<SnapshotDescription> selection) {
    List<SnapshotDescription> selected = new ArrayList<>(listSnapshots());
    selected.removeIf(selection.negate());
    return selected;
  }

  public void deleteSnapshot(String name) throws IOException {
    catalog.snapshots().delete(name);
  }

  public void deleteSnapshot(byte[] name) throws IOException {
    deleteSnapshot(Bytes.toString(name));
  }

  public void deleteSnapshots(String regex) throws IOException {
    deleteAll(listSnapshots(regex));
  }

  public void deleteSnapshots(Pattern pattern) throws IOException {
    deleteAll(listSnapshots(pattern));
  }

  public void deleteTableSnapshots(String tables, String snapshots) throws IOException {
    deleteAll(listTableSnapshots(tables, snapshots));
  }

  public void deleteTableSnapshots(@Nullable Pattern tables, @Nullable Pattern snapshots)
      throws IOException {
    deleteAll(listTableSnapshots(tables, snapshots));
  }

  /** Deletes snapshots; one that cannot be deleted does not keep the others. */
  private void deleteAll(List<SnapshotDescription> snapshots) throws IOException {
    IOException failure = null;
    for (SnapshotDescription snapshot : snapshots) {
      try {
        deleteSnapshot(snapshot.getName());
      } catch (IOException e) {
        if (failure == null) {
          failure = e;
        } else {
          failure.addSuppressed(e);
        }
      }
    }
    if (failure != null) {
      throw failure;
    }
  }
}
