// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.client.admin;

import static io.accordiondb.fixtures.TestData.bytes;
import static io.accordiondb.hbase.client.admin.AdminFixture.table;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.accordiondb.Get;
import java.io.IOException;
import java.util.List;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.InvalidFamilyOperationException;
import org.apache.hadoop.hbase.NamespaceDescriptor;
import org.apache.hadoop.hbase.NamespaceExistException;
import org.apache.hadoop.hbase.NamespaceNotFoundException;
import org.apache.hadoop.hbase.TableExistsException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.TableNotDisabledException;
import org.apache.hadoop.hbase.TableNotEnabledException;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.regionserver.BloomType;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TableAdminTest {
  private static final TableName T = TableName.valueOf("t");
  private static final TableName NONE = TableName.valueOf("none");

  private AdminFixture fixture;
  private Admin admin;

  @BeforeEach
  void open() throws IOException {
    fixture = new AdminFixture();
    admin = fixture.admin;
  }

  @AfterEach
  void close() throws IOException {
    fixture.close();
  }

  private boolean isEmpty(String row) throws IOException {
    return fixture.catalog.get(T).table().get(new Get(bytes(row))).isEmpty();
  }

  @Test
  void aTableLivesFromCreationToDeletion() throws IOException {
    assertThat(admin.tableExists(T)).isFalse();
    admin.createTable(table("t", "f"));
    assertThat(admin.tableExists(T)).isTrue();
    assertThat(admin.getDescriptor(T)).isEqualTo(table("t", "f"));
    assertThat(admin.isTableEnabled(T)).isTrue();
    assertThat(admin.isTableAvailable(T)).isTrue();
    assertThatThrownBy(() -> admin.deleteTable(T)).isInstanceOf(TableNotDisabledException.class);
    assertThatThrownBy(() -> admin.enableTable(T)).isInstanceOf(TableNotDisabledException.class);
    admin.disableTable(T);
    assertThat(admin.isTableDisabled(T)).isTrue();
    assertThat(admin.isTableAvailable(T)).isFalse();
    assertThatThrownBy(() -> admin.disableTable(T)).isInstanceOf(TableNotEnabledException.class);
    admin.enableTable(T);
    admin.disableTable(T);
    admin.deleteTable(T);
    assertThat(admin.tableExists(T)).isFalse();
  }

  @Test
  void aMissingTableIsNotFoundByAnyMethod() throws IOException {
    assertNotFound(() -> admin.getDescriptor(NONE));
    assertNotFound(() -> admin.isTableEnabled(NONE));
    assertNotFound(() -> admin.isTableDisabled(NONE));
    assertNotFound(() -> admin.disableTable(NONE));
    assertNotFound(() -> admin.enableTable(NONE));
    assertNotFound(() -> admin.deleteTable(NONE));
    assertNotFound(() -> admin.truncateTable(NONE, true));
    assertNotFound(() -> admin.modifyTable(table("none", "f")));
    assertNotFound(() -> admin.deleteColumnFamily(NONE, bytes("f")));
    assertNotFound(() -> admin.flush(NONE));
    assertNotFound(() -> admin.compact(NONE));
    assertNotFound(() -> admin.split(NONE));
    assertThat(admin.getRegions(NONE)).isEmpty();
    assertNotFound(() -> admin.getCompactionState(NONE));
    assertNotFound(() -> admin.cloneTableSchema(NONE, T, true));
  }

  private interface Operation {
    void run() throws IOException;
  }

  private static void assertNotFound(Operation operation) {
    assertThatThrownBy(operation::run)
        .isInstanceOf(TableNotFoundException.class)
        .hasMessageContaining("none");
  }

  @Test
  void wrongTablesAreRefused() throws IOException {
    admin.createTable(table("t", "f"));
    assertThatThrownBy(() -> admin.createTable(table("t", "f")))
        .isInstanceOf(TableExistsException.class);
    assertThatThrownBy(() -> admin.createTable(table("u")))
        .isInstanceOf(DoNotRetryIOException.class);
    assertThatThrownBy(() -> admin.createTable(table("no:u", "f")))
        .isInstanceOf(NamespaceNotFoundException.class);
    assertThatThrownBy(() -> admin.createTable(table("u", "f"), bytes("a"), bytes("z"), 2))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Must create at least three regions");
    assertThatThrownBy(() -> admin.createTable(table("u", "f"), bytes("z"), bytes("a"), 5))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Start key must be smaller than end key");
  }

  private List<String> starts(TableName name) throws IOException {
    return admin.getRegions(name).stream()
        .map(region -> Bytes.toString(region.getStartKey()))
        .toList();
  }

  @Test
  void sizesThatAClusterRefusesAreRefused() throws IOException {
    TableDescriptorBuilder table = TableDescriptorBuilder.newBuilder(table("small", "f"));
    assertThatThrownBy(() -> admin.createTable(table.setMaxFileSize(1 << 20).build()))
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessageContaining("MAX_FILESIZE");
    table.setMaxFileSize(2 << 20);
    assertThatThrownBy(() -> admin.createTable(table.setMemStoreFlushSize(64 << 10).build()))
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessageContaining("MEMSTORE_FLUSHSIZE");
    admin.createTable(table.setMemStoreFlushSize(1 << 20).build());
  }

  @Test
  void valuesThatAClusterRefusesAreRefused() throws IOException {
    for (String size : List.of("MAX_FILESIZE", "MEMSTORE_FLUSHSIZE")) {
      for (long bytes : List.of(-1L, 0L)) {
        assertRefused(
            size, TableDescriptorBuilder.newBuilder(table("t", "f")).setValue(size, "" + bytes));
      }
    }
    assertFamilyRefused("HFile Replication", family().setValue("DFS_REPLICATION", "-1"));
    assertFamilyRefused("Replication scope", family().setScope(7));
    String length = "RowPrefixBloomFilter.prefix_length";
    ColumnFamilyDescriptorBuilder prefix =
        family().setBloomFilterType(BloomType.ROWPREFIX_FIXED_LENGTH);
    assertFamilyRefused(length, prefix);
    for (String wrong : List.of("x", "0", "40000")) {
      assertFamilyRefused(length, prefix.setConfiguration(length, wrong));
    }
    String policy = "hbase.hstore.defaultengine.compactionpolicy.class";
    String fifo = "org.apache.hadoop.hbase.regionserver.compactions.FIFOCompactionPolicy";
    assertFamilyRefused("FIFO", family().setConfiguration(policy, fifo));
    assertRefused(
        "FIFO", TableDescriptorBuilder.newBuilder(table("t", "f")).setValue(policy, fifo));
    assertFamilyRefused(
        "FIFO", family().setConfiguration(policy, fifo).setTimeToLive(60).setMinVersions(1));
    admin.createTable(
        TableDescriptorBuilder.newBuilder(T)
            .setColumnFamily(prefix.setConfiguration(length, "4").setScope(1).build())
            .setColumnFamily(
                ColumnFamilyDescriptorBuilder.newBuilder(bytes("fifo"))
                    .setConfiguration(policy, fifo)
                    .setTimeToLive(60)
                    .build())
            .build());
  }

  private static ColumnFamilyDescriptorBuilder family() {
    return ColumnFamilyDescriptorBuilder.newBuilder(bytes("f"));
  }

  private void assertFamilyRefused(String message, ColumnFamilyDescriptorBuilder family) {
    assertRefused(message, TableDescriptorBuilder.newBuilder(T).setColumnFamily(family.build()));
  }

  private void assertRefused(String message, TableDescriptorBuilder table) {
    assertThatThrownBy(() -> admin.createTable(table.build()))
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessageContaining(message);
  }

  @Test
  void tablesAreDescribedAsTheListNamesThem() throws Exception {
    admin.createTable(table("a", "f"));
    admin.createTable(table("b", "f"));
    TableName a = TableName.valueOf("a");
    TableName b = TableName.valueOf("b");
    assertThat(admin.listTableDescriptors(List.of(b, NONE, a, b)))
        .containsExactly(table("b", "f"), table("a", "f"), table("b", "f"));
    assertThat(admin.listTableDescriptors(List.of())).hasSize(2);
    assertThat(admin.listTableDescriptors((List<TableName>) null)).hasSize(2);
    assertThat(fixture.async.listTableDescriptors(List.of(b)).get()).hasSize(1);
    assertThat(fixture.async.listTableDescriptors(List.of()).get()).isEmpty();
  }

  @Test
  void regionsBeginWhereTheCreatorSays() throws IOException {
    admin.createTable(table("t", "f"), new byte[][] {bytes("p"), bytes("g")});
    assertThat(starts(T)).containsExactly("", "g", "p");
    assertThat(admin.isTableAvailable(T, new byte[][] {bytes("g")})).isTrue();
    assertThat(admin.isTableAvailable(T, new byte[][] {bytes("h")})).isFalse();
    admin.createTable(table("u", "f"), bytes("b"), bytes("n"), 5);
    assertThat(starts(TableName.valueOf("u"))).containsExactly("", "b", "f", "j", "n");
    admin.cloneTableSchema(T, TableName.valueOf("v"), true);
    assertThat(starts(TableName.valueOf("v"))).containsExactly("", "g", "p");
    admin.cloneTableSchema(T, TableName.valueOf("w"), false);
    assertThat(starts(TableName.valueOf("w"))).containsExactly("");
  }

  @Test
  void truncationKeepsRegionsIfAsked() throws IOException {
    admin.createTable(table("t", "f"), new byte[][] {bytes("g"), bytes("p")});
    fixture.put("t", "row");
    assertThatThrownBy(() -> admin.truncateTable(T, true))
        .isInstanceOf(TableNotDisabledException.class);
    assertThat(isEmpty("row")).isFalse();
    admin.disableTable(T);
    List<RegionInfo> before = admin.getRegions(T);
    admin.truncateTable(T, true);
    assertThat(admin.isTableEnabled(T)).isTrue();
    assertThat(isEmpty("row")).isTrue();
    assertThat(starts(T)).containsExactly("", "g", "p");
    assertThat(admin.getRegions(T)).doesNotContainAnyElementsOf(before);
    admin.disableTable(T);
    admin.truncateTable(T, false);
    assertThat(starts(T)).containsExactly("");
  }

  @Test
  void aTableIsModified() throws IOException {
    admin.createTable(table("t", "f"));
    TableDescriptor changed =
        TableDescriptorBuilder.newBuilder(table("t", "f", "g")).setMaxFileSize(1 << 30).build();
    admin.modifyTable(changed);
    assertThat(admin.getDescriptor(T)).isEqualTo(changed);
    assertThat(fixture.database.describe("t").familyNames()).containsExactly("f", "g");
    assertThat(admin.getAlterStatus(T).getFirst()).isZero();
    assertThat(admin.getAlterStatus(T).getSecond()).isEqualTo(1);
    assertThatThrownBy(() -> admin.modifyTable(T, table("u", "f")))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> admin.modifyTable(table("t")))
        .isInstanceOf(DoNotRetryIOException.class);
    assertThat(admin.getDescriptor(T)).isEqualTo(changed);
  }

  @Test
  void familiesAreAddedModifiedAndDeleted() throws IOException {
    admin.createTable(table("t", "f"));
    admin.addColumnFamily(T, ColumnFamilyDescriptorBuilder.of("g"));
    admin.modifyColumnFamily(
        T, ColumnFamilyDescriptorBuilder.newBuilder(bytes("g")).setMaxVersions(4).build());
    assertThat(admin.getDescriptor(T).getColumnFamily(bytes("g")).getMaxVersions()).isEqualTo(4);
    assertThat(fixture.database.describe("t").family("g").versionRules().maxVersions())
        .isEqualTo(4);
    admin.deleteColumnFamily(T, bytes("f"));
    assertThat(fixture.database.describe("t").familyNames()).containsExactly("g");
    assertFamilyRefused(
        () -> admin.addColumnFamily(T, ColumnFamilyDescriptorBuilder.of("g")), "already exists");
    assertFamilyRefused(
        () -> admin.modifyColumnFamily(T, ColumnFamilyDescriptorBuilder.of("x")),
        "does not exist, so it cannot be modified");
    assertFamilyRefused(
        () -> admin.deleteColumnFamily(T, bytes("x")), "does not exist, so it cannot be deleted");
    assertFamilyRefused(
        () -> admin.deleteColumnFamily(T, bytes("g")), "is the only column family in the table");
  }

  private static void assertFamilyRefused(Operation operation, String message) {
    assertThatThrownBy(operation::run)
        .isInstanceOf(InvalidFamilyOperationException.class)
        .hasMessageContaining(message);
  }

  @Test
  void tablesAreListedByPatternStateAndNamespace() throws IOException {
    admin.createNamespace(NamespaceDescriptor.create("ns").build());
    for (String name : List.of("ta", "tb", "other", "ns:ta")) {
      admin.createTable(table(name, "f"));
    }
    TableName ta = TableName.valueOf("ta");
    TableName tb = TableName.valueOf("tb");
    TableName nsTa = TableName.valueOf("ns:ta");
    assertThat(admin.listTableNames()).containsExactly(nsTa, TableName.valueOf("other"), ta, tb);
    assertThat(admin.listTableNames("t.*")).containsExactly(ta, tb);
    assertThat(admin.listTableNames(Pattern.compile("default:t.*"))).containsExactly(ta, tb);
    assertThat(admin.listTableNames(Pattern.compile("ns:.*"))).containsExactly(nsTa);
    assertThat(admin.listTableNames("nothing")).isEmpty();
    assertThat(admin.listTableDescriptors(Pattern.compile("tb"))).containsExactly(table("tb", "f"));
    assertThat(admin.listTableDescriptors(List.of(ta, NONE))).containsExactly(table("ta", "f"));
    assertThat(admin.listTableNamesByNamespace("ns")).containsExactly(nsTa);
    assertThat(admin.listTableDescriptorsByNamespace(bytes("ns"))).hasSize(1);
    assertThatThrownBy(() -> admin.listTableNamesByNamespace("no"))
        .isInstanceOf(NamespaceNotFoundException.class);
    admin.disableTable(tb);
    assertThat(admin.listTableNamesByState(false)).containsExactly(tb);
    assertThat(admin.listTableDescriptorsByState(true)).hasSize(3);
  }

  @Test
  @SuppressWarnings("deprecation")
  void tablesAreChangedByPattern() throws IOException {
    for (String name : List.of("ta", "tb", "other")) {
      admin.createTable(table(name, "f"));
    }
    assertThat(admin.deleteTables("ta")).as("it is enabled").hasSize(1);
    assertThat(admin.disableTables("t.*")).isEmpty();
    assertThat(admin.listTableNamesByState(false)).hasSize(2);
    assertThat(admin.enableTables(Pattern.compile("tb"))).isEmpty();
    assertThat(admin.listTableNamesByState(false)).containsExactly(TableName.valueOf("ta"));
    assertThat(admin.deleteTables("ta")).isEmpty();
    assertThat(admin.listTables("t.*"))
        .extracting(found -> found.getTableName().getNameAsString())
        .containsExactly("tb");
    assertThat(admin.getTableDescriptor(TableName.valueOf("tb")).getColumnFamilyCount())
        .isEqualTo(1);
    assertThat(admin.getTableRegions(TableName.valueOf("tb"))).hasSize(1);
  }

  @Test
  void namespacesAreCreatedAndDeleted() throws IOException {
    NamespaceDescriptor ns = NamespaceDescriptor.create("ns").addConfiguration("k", "v").build();
    admin.createNamespace(ns);
    assertThat(admin.listNamespaces()).containsExactly("default", "hbase", "ns");
    assertThat(admin.getNamespaceDescriptor("ns").getConfigurationValue("k")).isEqualTo("v");
    assertThatThrownBy(() -> admin.createNamespace(ns)).isInstanceOf(NamespaceExistException.class);
    admin.createTable(table("ns:t", "f"));
    assertThatThrownBy(() -> admin.deleteNamespace("ns"))
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessageContaining("Only empty namespaces can be removed");
    admin.disableTable(TableName.valueOf("ns:t"));
    admin.deleteTable(TableName.valueOf("ns:t"));
    admin.deleteNamespace("ns");
    assertThat(admin.listNamespaceDescriptors()).hasSize(2);
  }
}
