// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.client.catalog;

import static io.accordiondb.fixtures.TestData.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.Database;
import io.accordiondb.Get;
import io.accordiondb.Put;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.SnapshotDescription;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.junit.jupiter.api.Test;

/** Interrupts each change of the catalog before each of its steps, and opens the catalog again. */
class CatalogCrashTest {
  private static final TableName NAME = TableName.valueOf("t");
  private static final TableName CLONE = TableName.valueOf("clone");
  private static final TableDescriptor BEFORE = table("f").setValue("note", "before").build();
  private static final TableDescriptor AFTER = table("f", "g").setValue("note", "after").build();

  private static TableDescriptorBuilder table(String... families) {
    TableDescriptorBuilder builder = TableDescriptorBuilder.newBuilder(NAME);
    for (String family : families) {
      builder.setColumnFamily(ColumnFamilyDescriptorBuilder.of(family));
    }
    return builder;
  }

  private interface Step {
    void run(Catalog catalog) throws IOException;
  }

  /**
   * Runs a change that is interrupted before its first step, its second, and so on, each time on a
   * new database, and once to its end. Returns what each one has left, in words.
   */
  private static Set<String> outcomes(Step prepare, Step change) throws IOException {
    Set<String> outcomes = new HashSet<>();
    boolean completed = false;
    for (int steps = 0; !completed; steps++) {
      try (Database database = Database.inMemory()) {
        prepare.run(Catalog.open(database));
        Catalog catalog = Catalog.open(CrashingDatabase.after(steps, database));
        try {
          change.run(catalog);
          completed = true;
        } catch (CrashingDatabase.Crash e) {
          assertThat(steps).as("changes of a single operation").isLessThan(20);
        }
        outcomes.add(describe(database));
        assertThat(describe(database)).as("opened once more").isIn(outcomes);
      }
    }
    return outcomes;
  }

  private static String describe(Database database) throws IOException {
    Catalog catalog = Catalog.open(database);
    StringBuilder text = new StringBuilder();
    for (CatalogTable table : catalog.tables()) {
      text.append(table.name())
          .append(table.enabled() ? " enabled " : " disabled ")
          .append(table.descriptor().getColumnFamilyCount())
          .append(' ')
          .append(table.descriptor().getValue("note"))
          .append(table.table().get(new Get(bytes("r"))).isEmpty() ? " empty" : " row")
          .append(table.table().get(new Get(bytes("later"))).isEmpty() ? "; " : " and later; ");
    }
    catalog
        .snapshots()
        .list()
        .forEach(snapshot -> text.append("snapshot ").append(snapshot.getName()));
    Set<String> recorded = new SystemTable(database).load("t/").keySet();
    Set<String> present =
        database.tables().stream()
            .map(io.accordiondb.TableDescriptor::name)
            .collect(Collectors.toSet());
    assertThat(present).as("records have tables").containsAll(recorded);
    assertThat(present.stream().filter(TableNames::isSnapshot).count())
        .as("contents of snapshots")
        .isEqualTo(catalog.snapshots().list().size());
    return text.toString();
  }

  private static void put(Catalog catalog, String row) throws IOException {
    catalog
        .get(NAME)
        .table()
        .put(new Put(bytes(row)).addColumn(bytes("f"), bytes("q"), bytes("v")));
  }

  private static void create(Catalog catalog) throws IOException {
    catalog.changes().create(BEFORE, bytes("m"));
    put(catalog, "r");
  }

  private static void createDisabled(Catalog catalog) throws IOException {
    create(catalog);
    catalog.changes().disable(NAME);
  }

  private static void createWithSnapshot(Catalog catalog) throws IOException {
    create(catalog);
    catalog.snapshots().create(new SnapshotDescription("s", NAME));
    put(catalog, "later");
    catalog.changes().modify(NAME, present -> AFTER);
    catalog.changes().disable(NAME);
  }

  @Test
  void aTableIsCreatedOrNot() throws IOException {
    assertThat(outcomes(catalog -> {}, catalog -> catalog.changes().create(BEFORE)))
        .containsExactlyInAnyOrder("", "t enabled 1 before empty; ");
  }

  @Test
  void aTableIsDeletedOrNot() throws IOException {
    assertThat(
            outcomes(CatalogCrashTest::createDisabled, catalog -> catalog.changes().delete(NAME)))
        .containsExactlyInAnyOrder("", "t disabled 1 before row; ");
  }

  @Test
  void aTableIsTruncatedOrNot() throws IOException {
    assertThat(
            outcomes(
                CatalogCrashTest::createDisabled,
                catalog -> catalog.changes().truncate(NAME, false)))
        .containsExactlyInAnyOrder(
            "t disabled 1 before row; ",
            "t disabled 1 before empty; ",
            "t enabled 1 before empty; ");
  }

  @Test
  void aTableIsChangedOrNot() throws IOException {
    assertThat(
            outcomes(
                CatalogCrashTest::create,
                catalog -> catalog.changes().modify(NAME, present -> AFTER)))
        .containsExactlyInAnyOrder("t enabled 1 before row; ", "t enabled 2 after row; ");
  }

  @Test
  void aSnapshotIsTakenOrNot() throws IOException {
    assertThat(
            outcomes(
                CatalogCrashTest::create,
                catalog -> catalog.snapshots().create(new SnapshotDescription("s", NAME))))
        .containsExactlyInAnyOrder(
            "t enabled 1 before row; ", "t enabled 1 before row; snapshot s");
  }

  @Test
  void aSnapshotIsDeletedOrNot() throws IOException {
    assertThat(
            outcomes(
                CatalogCrashTest::createWithSnapshot, catalog -> catalog.snapshots().delete("s")))
        .containsExactlyInAnyOrder(
            "t disabled 2 after row and later; snapshot s", "t disabled 2 after row and later; ");
  }

  @Test
  void aSnapshotIsClonedOrNot() throws IOException {
    String before = "t disabled 2 after row and later; snapshot s";
    assertThat(
            outcomes(
                CatalogCrashTest::createWithSnapshot,
                catalog -> catalog.snapshots().cloneTo("s", CLONE)))
        .containsExactlyInAnyOrder(before, "clone enabled 1 before row; " + before);
  }

  @Test
  void aSnapshotIsRestoredOrNot() throws IOException {
    assertThat(
            outcomes(
                CatalogCrashTest::createWithSnapshot, catalog -> catalog.snapshots().restore("s")))
        .containsExactlyInAnyOrder(
            "t disabled 2 after row and later; snapshot s", "t disabled 1 before row; snapshot s");
  }

  @Test
  void theFirstStepWritesAndTheLastOneToo() throws IOException {
    // If the changes were not counted, each test above would see one outcome only.
    assertThat(List.copyOf(outcomes(catalog -> {}, CatalogCrashTest::create)))
        .hasSizeGreaterThan(1);
  }
}
