// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.client.catalog;

import static io.accordiondb.fixtures.TestData.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.accordiondb.Cell;
import io.accordiondb.Database;
import io.accordiondb.Delete;
import io.accordiondb.Get;
import io.accordiondb.Put;
import io.accordiondb.Table;
import io.accordiondb.hbase.client.InterceptedDatabase;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.hbase.KeepDeletedCells;
import org.apache.hadoop.hbase.TableExistsException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.TableNotDisabledException;
import org.apache.hadoop.hbase.TableNotEnabledException;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.SnapshotDescription;
import org.apache.hadoop.hbase.client.SnapshotType;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SnapshotsTest {
  private static final TableName NAME = TableName.valueOf("t");
  private static final TableName CLONE = TableName.valueOf("clone");
  private static final TableDescriptor TABLE =
      TableDescriptorBuilder.newBuilder(NAME)
          .setColumnFamily(
              ColumnFamilyDescriptorBuilder.newBuilder(bytes("f"))
                  .setMaxVersions(10)
                  .setKeepDeletedCells(KeepDeletedCells.TRUE)
                  .build())
          .setValue("note", "original")
          .build();

  private final AtomicReference<String> failingMethod = new AtomicReference<>("");

  @TempDir Path folder;

  private static void put(Table table, String row, long timestamp) throws IOException {
    table.put(
        new Put(bytes(row)).addColumn(bytes("f"), bytes("q"), timestamp, bytes("v" + timestamp)));
  }

  private static List<Long> versions(Table table, String row) throws IOException {
    return table.get(new Get(bytes(row)).setVersions(10)).cells().stream()
        .map(Cell::timestamp)
        .toList();
  }

  /** Creates a table with versions, a deleted version, a deleted row, and cells in memory. */
  private static Catalog filled(Database database) throws IOException {
    Catalog catalog = Catalog.open(database);
    catalog.changes().create(TABLE, bytes("m"));
    Table table = catalog.open(NAME).table();
    for (long timestamp = 1; timestamp <= 4; timestamp++) {
      put(table, "a", timestamp);
      put(table, "z", timestamp);
    }
    database.flush();
    table.delete(new Delete(bytes("a")).addColumn(bytes("f"), bytes("q"), 2));
    table.delete(new Delete(bytes("z")).addColumns(bytes("f"), bytes("q"), 3));
    put(table, "a", 5);
    return catalog;
  }

  /** Fails each call of the failing method of the database. */
  private Database failing(Database database) {
    return InterceptedDatabase.of(
        database,
        (type, method) -> {
          if (method.equals(failingMethod.get())) {
            throw new IOException("no space");
          }
        });
  }

  /** Takes snapshot s of the table, changes the table and disables it. */
  private static Catalog toRestore(Database database) throws IOException {
    Catalog catalog = filled(database);
    catalog.snapshots().create(new SnapshotDescription("s", NAME));
    put(catalog.open(NAME).table(), "a", 6);
    catalog.changes().disable(NAME);
    return catalog;
  }

  private void failToRestore(Catalog catalog, String method) {
    failingMethod.set(method);
    assertThatThrownBy(() -> catalog.snapshots().restore("s")).hasMessage("no space");
    failingMethod.set("");
  }

  private static void checkRestored(Catalog catalog) throws IOException {
    assertThat(catalog.get(NAME).enabled()).isFalse();
    catalog.changes().enable(NAME);
    assertThat(versions(catalog.open(NAME).table(), "a")).containsExactly(5L, 4L, 3L, 1L);
  }

  @Test
  void aRestorationThatFailedIsCompletedByTheNextOne() throws IOException {
    try (Database database = Database.open(folder)) {
      Catalog catalog = toRestore(failing(database));
      failToRestore(catalog, "copyTable");
      catalog.snapshots().restore("s");
      checkRestored(catalog);
    }
  }

  @Test
  void aRestorationThatFailedAgainAndAgainIsCompletedByTheNextOpening() throws IOException {
    try (Database database = Database.open(folder)) {
      Catalog catalog = toRestore(failing(database));
      failToRestore(catalog, "copyTable");
      failToRestore(catalog, "copyTable");
      checkRestored(Catalog.open(database));
    }
  }

  @Test
  void aRestorationThatFailedBeforeItDroppedTheTableIsNotDoneByTheNextOpening() throws IOException {
    try (Database database = Database.open(folder)) {
      Catalog catalog = toRestore(failing(database));
      failToRestore(catalog, "dropTable");
      Catalog next = Catalog.open(database);
      assertThat(next.get(NAME).enabled()).isFalse();
      next.changes().enable(NAME);
      assertThat(versions(next.open(NAME).table(), "a")).startsWith(6L);
    }
  }

  /** The table was dropped, so its contents are nowhere else. */
  @Test
  void aSnapshotWhoseRestorationFailedIsNotDeleted() throws IOException {
    try (Database database = Database.open(folder)) {
      Catalog catalog = toRestore(failing(database));
      failToRestore(catalog, "copyTable");
      assertThatThrownBy(() -> catalog.snapshots().delete("s"))
          .isInstanceOf(HBaseSnapshotException.class)
          .hasMessageContaining("restore it again first");
      catalog.snapshots().restore("s");
      catalog.snapshots().delete("s");
      checkRestored(catalog);
    }
  }

  @Test
  void aTableExistsWhileItIsRestored() throws Exception {
    try (Database database = Database.open(folder)) {
      Catalog catalog = filled(database);
      catalog.snapshots().create(new SnapshotDescription("s", NAME));
      catalog.changes().disable(NAME);
      AtomicBoolean done = new AtomicBoolean();
      ExecutorService reader = Executors.newSingleThreadExecutor();
      Future<?> reads =
          reader.submit(
              () -> {
                while (!done.get()) {
                  assertThat(catalog.exists(NAME)).isTrue();
                  assertThat(catalog.get(NAME).enabled()).isFalse();
                  assertThat(catalog.regions(NAME)).hasSize(2);
                  assertThatThrownBy(() -> catalog.open(NAME))
                      .isInstanceOf(TableNotEnabledException.class);
                }
                return null;
              });
      try {
        for (int i = 0; i < 30; i++) {
          catalog.snapshots().restore("s");
        }
      } finally {
        done.set(true);
        reader.shutdown();
        reads.get(30, TimeUnit.SECONDS);
      }
    }
  }

  private static void assertOriginal(Table table) throws IOException {
    assertThat(versions(table, "a")).containsExactly(5L, 4L, 3L, 1L);
    assertThat(versions(table, "z")).containsExactly(4L);
    Get beforeTheDelete = new Get(bytes("z")).setVersions(10).setTimeRange(0, 3);
    assertThat(table.get(beforeTheDelete).cells()).as("hidden by a marker").hasSize(2);
  }

  @Test
  void aCloneHasVersionsAndDeleteMarkers() throws IOException {
    try (Database database = Database.open(folder)) {
      Catalog catalog = filled(database);
      catalog.snapshots().create(new SnapshotDescription("s", NAME));
      put(catalog.open(NAME).table(), "a", 6);
      catalog.snapshots().cloneTo("s", CLONE);
      Table clone = catalog.open(CLONE).table();
      assertOriginal(clone);
      assertThat(catalog.open(CLONE).descriptor())
          .isEqualTo(TableDescriptorBuilder.copy(CLONE, TABLE));
      assertThat(catalog.regions(CLONE))
          .extracting(region -> Bytes.toString(region.getStartKey()))
          .containsExactly("", "m");
      assertThat(versions(catalog.open(NAME).table(), "a")).startsWith(6L, 5L);
    }
    try (Database database = Database.open(folder)) {
      assertOriginal(Catalog.open(database).open(CLONE).table());
    }
    assertThat(Database.verify(folder).problems()).isEmpty();
  }

  @Test
  void aSnapshotSurvivesItsTableAndReopening() throws IOException {
    try (Database database = Database.open(folder)) {
      Catalog catalog = filled(database);
      catalog.snapshots().create(new SnapshotDescription("s", NAME));
      catalog.changes().disable(NAME);
      catalog.changes().delete(NAME);
    }
    try (Database database = Database.open(folder)) {
      Catalog catalog = Catalog.open(database);
      assertThat(catalog.tables()).isEmpty();
      catalog.snapshots().restore("s");
      assertOriginal(catalog.open(NAME).table());
      catalog.snapshots().delete("s");
      assertOriginal(catalog.open(NAME).table());
      database.majorCompact("t");
      assertOriginal(catalog.open(NAME).table());
    }
    assertThat(Database.verify(folder).problems()).isEmpty();
  }

  @Test
  void restoringBringsBackContentsFamiliesAndRegions() throws IOException {
    try (Database database = Database.inMemory()) {
      Catalog catalog = filled(database);
      List<RegionInfo> regions = catalog.regions(NAME);
      catalog.snapshots().create(new SnapshotDescription("s", NAME));
      put(catalog.open(NAME).table(), "later", 9);
      database.splitRegion("t", bytes("b"));
      database.majorCompact("t");
      catalog
          .changes()
          .modify(
              NAME,
              table ->
                  TableDescriptorBuilder.newBuilder(table)
                      .setColumnFamily(ColumnFamilyDescriptorBuilder.of("g"))
                      .setValue("note", "changed")
                      .build());
      assertThatThrownBy(() -> catalog.snapshots().restore("s"))
          .isInstanceOf(TableNotDisabledException.class);
      catalog.changes().disable(NAME);
      catalog.snapshots().restore("s");
      assertThat(catalog.get(NAME).enabled()).isFalse();
      catalog.changes().enable(NAME);
      assertOriginal(catalog.open(NAME).table());
      assertThat(versions(catalog.open(NAME).table(), "later")).isEmpty();
      assertThat(catalog.open(NAME).descriptor()).isEqualTo(TABLE);
      assertThat(catalog.regions(NAME))
          .extracting(region -> Bytes.toString(region.getStartKey()))
          .containsExactlyElementsOf(
              regions.stream().map(region -> Bytes.toString(region.getStartKey())).toList());
    }
  }

  @Test
  void aSnapshotHasWhatASplitAndAMergeHaveMoved() throws IOException {
    try (Database database = Database.inMemory()) {
      Catalog catalog = filled(database);
      database.splitRegion("t", bytes("b"));
      catalog.snapshots().create(new SnapshotDescription("split", NAME));
      database.mergeRegions("t", new byte[0]);
      database.mergeRegions("t", new byte[0]);
      catalog.snapshots().create(new SnapshotDescription("merged", NAME));
      for (String name : List.of("split", "merged")) {
        TableName clone = TableName.valueOf(name);
        catalog.snapshots().cloneTo(name, clone);
        assertOriginal(catalog.open(clone).table());
      }
      assertThat(catalog.regions(TableName.valueOf("split"))).hasSize(3);
      assertThat(catalog.regions(TableName.valueOf("merged"))).hasSize(1);
    }
  }

  @Test
  void aDescriptionSurvivesReopening() throws IOException {
    long before = System.currentTimeMillis();
    try (Database database = Database.open(folder)) {
      filled(database)
          .snapshots()
          .create(new SnapshotDescription("s", NAME, SnapshotType.SKIPFLUSH, "somebody"));
    }
    try (Database database = Database.open(folder)) {
      List<SnapshotDescription> all = Catalog.open(database).snapshots().list();
      assertThat(all).hasSize(1);
      SnapshotDescription snapshot = all.get(0);
      assertThat(snapshot.getName()).isEqualTo("s");
      assertThat(snapshot.getTableName()).isEqualTo(NAME);
      assertThat(snapshot.getType()).isEqualTo(SnapshotType.SKIPFLUSH);
      assertThat(snapshot.getOwner()).isEqualTo("somebody");
      assertThat(snapshot.getCreationTime()).isBetween(before, System.currentTimeMillis());
    }
  }

  @Test
  void contentsOfSnapshotsAreNotTablesForHBase() throws IOException {
    try (Database database = Database.inMemory()) {
      Catalog catalog = filled(database);
      catalog.snapshots().create(new SnapshotDescription("s", NAME));
      assertThat(database.exists("--snapshot-1")).isTrue();
      assertThat(catalog.tables()).extracting(CatalogTable::name).containsExactly(NAME);
      catalog.snapshots().delete("s");
      assertThat(database.exists("--snapshot-1")).isFalse();
    }
  }

  @Test
  void wrongRequestsThrowWhatHBaseThrows() throws IOException {
    try (Database database = Database.inMemory()) {
      Snapshots snapshots = filled(database).snapshots();
      snapshots.create(new SnapshotDescription("s", NAME));
      assertThatThrownBy(() -> snapshots.create(new SnapshotDescription("s", NAME)))
          .isInstanceOf(SnapshotExistsException.class);
      assertThatThrownBy(
              () -> snapshots.create(new SnapshotDescription("x", TableName.valueOf("none"))))
          .isInstanceOf(SnapshotCreationException.class);
      assertThatThrownBy(() -> snapshots.create(new SnapshotDescription("a b", NAME)))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> snapshots.delete("x"))
          .isInstanceOf(SnapshotDoesNotExistException.class);
      assertThatThrownBy(() -> snapshots.cloneTo("x", CLONE))
          .isInstanceOf(SnapshotDoesNotExistException.class);
      assertThatThrownBy(() -> snapshots.cloneTo("s", NAME))
          .isInstanceOf(TableExistsException.class);
      assertThatThrownBy(() -> snapshots.restore("x")).isInstanceOf(RestoreSnapshotException.class);
      assertThat(snapshots.list()).hasSize(1);
    }
  }

  @Test
  void anExpiredSnapshotIsNotUsed() throws IOException {
    try (Database database = Database.inMemory()) {
      Snapshots snapshots = filled(database).snapshots();
      long hourAgo = System.currentTimeMillis() - 3_600_000;
      snapshots.create(
          new SnapshotDescription(
              "old", NAME, SnapshotType.FLUSH, "", hourAgo, -1, Map.of("TTL", 60L)));
      assertThatThrownBy(() -> snapshots.cloneTo("old", CLONE))
          .isInstanceOf(SnapshotTTLExpiredException.class);
    }
  }

  @Test
  void snapshotsExpireByTheClockOfHBase() throws IOException {
    long future = System.currentTimeMillis() + 3_600_000;
    EnvironmentEdgeManager.injectEdge(() -> future);
    try (Database database = Database.inMemory()) {
      Snapshots snapshots = filled(database).snapshots();
      snapshots.create(
          new SnapshotDescription("s", NAME, SnapshotType.FLUSH, "", -1, -1, Map.of("TTL", 60L)));
      assertThat(snapshots.list().get(0).getCreationTime()).isEqualTo(future);
      EnvironmentEdgeManager.injectEdge(() -> future + 61_000);
      assertThatThrownBy(() -> snapshots.cloneTo("s", CLONE))
          .isInstanceOf(SnapshotTTLExpiredException.class);
    } finally {
      EnvironmentEdgeManager.reset();
    }
  }
}
