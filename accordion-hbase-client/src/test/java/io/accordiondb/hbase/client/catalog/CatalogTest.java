// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.client.catalog;

import static io.accordiondb.fixtures.TestData.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.accordiondb.Compression;
import io.accordiondb.CorruptionException;
import io.accordiondb.Database;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.FamilyDescriptor;
import io.accordiondb.FormatVersionException;
import io.accordiondb.Put;
import io.accordiondb.memstore.Policy;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.KeepDeletedCells;
import org.apache.hadoop.hbase.MemoryCompactionPolicy;
import org.apache.hadoop.hbase.NamespaceDescriptor;
import org.apache.hadoop.hbase.NamespaceNotFoundException;
import org.apache.hadoop.hbase.TableExistsException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.TableNotEnabledException;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.SnapshotDescription;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.io.compress.Compression.Algorithm;
import org.apache.hadoop.hbase.regionserver.BloomType;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CatalogTest {
  private static final TableName NAME = TableName.valueOf("orders");

  @TempDir Path folder;

  private static TableDescriptor table(TableName name, String... families) {
    TableDescriptorBuilder builder = TableDescriptorBuilder.newBuilder(name);
    for (String family : families) {
      builder.setColumnFamily(ColumnFamilyDescriptorBuilder.of(family));
    }
    return builder.build();
  }

  private static TableDescriptor unusualTable() {
    ColumnFamilyDescriptor family =
        ColumnFamilyDescriptorBuilder.newBuilder(bytes("f"))
            .setMaxVersions(5)
            .setMinVersions(2)
            .setTimeToLive(3600)
            .setKeepDeletedCells(KeepDeletedCells.TTL)
            .setCompressionType(Algorithm.SNAPPY)
            .setBlocksize(8192)
            .setBloomFilterType(BloomType.ROWCOL)
            .setInMemoryCompaction(MemoryCompactionPolicy.EAGER)
            .setScope(1)
            .setConfiguration("some.setting", "some value")
            .build();
    return TableDescriptorBuilder.newBuilder(NAME)
        .setColumnFamily(family)
        .setRegionReplication(3)
        .setMaxFileSize(123_456_789)
        .setValue("owner", "somebody")
        .build();
  }

  @Test
  void aDescriptorSurvivesReopeningAsItWasGiven() throws IOException {
    try (Database database = Database.open(folder)) {
      Catalog.open(database).changes().create(unusualTable());
    }
    try (Database database = Database.open(folder)) {
      assertThat(Catalog.open(database).open(NAME).descriptor()).isEqualTo(unusualTable());
    }
  }

  @Test
  void theDatabaseGetsTheAttributesThatItKnows() throws IOException {
    try (Database database = Database.inMemory()) {
      Catalog.open(database).changes().create(unusualTable());
      FamilyDescriptor family = database.describe("orders").families().get(0);
      assertThat(family.versionRules().maxVersions()).isEqualTo(5);
      assertThat(family.versionRules().minVersions()).isEqualTo(2);
      assertThat(family.versionRules().ttlMillis()).isEqualTo(3_600_000);
      assertThat(family.versionRules().keepDeleted().name()).isEqualTo("TTL");
      assertThat(family.compression()).isEqualTo(Compression.LZ4);
      assertThat(family.blockSizeBytes()).isEqualTo(8192);
      assertThat(family.bloomFilter().name()).isEqualTo("ROWCOL");
      assertThat(family.memStorePolicy().kind()).isEqualTo(Policy.EAGER);
    }
  }

  @Test
  void aTableOfTheOtherInterfaceShowsWithItsAttributes() throws IOException {
    try (Database database = Database.inMemory()) {
      database.createTable(
          io.accordiondb.TableDescriptor.builder("plain")
              .family(
                  FamilyDescriptor.builder("g")
                      .maxVersions(7)
                      .ttlMillis(1500)
                      .blockSizeBytes(4096)
                      .build())
              .build());
      Catalog catalog = Catalog.open(database);
      CatalogTable table = catalog.open(TableName.valueOf("plain"));
      ColumnFamilyDescriptor family = table.descriptor().getColumnFamily(bytes("g"));
      assertThat(family.getMaxVersions()).isEqualTo(7);
      assertThat(family.getTimeToLive()).as("rounded up").isEqualTo(2);
      assertThat(family.getBlocksize()).isEqualTo(4096);
      assertThat(family.getCompressionType()).isEqualTo(Algorithm.LZ4);
      assertThat(catalog.tables()).hasSize(1);
      assertThat(database.exists(TableNames.SYSTEM)).as("nothing was written").isFalse();
    }
  }

  @Test
  void anUnchangedDescriptorDoesNotChangeWhatOnlyTheDatabaseHas() throws IOException {
    try (Database database = Database.inMemory()) {
      io.accordiondb.TableDescriptor before =
          io.accordiondb.TableDescriptor.builder("plain")
              .family(
                  FamilyDescriptor.builder("g")
                      .ttlMillis(1500)
                      .compactionStyle(io.accordiondb.CompactionStyle.LEVELED)
                      .build())
              .build();
      database.createTable(before);
      Catalog.open(database).changes().modify(TableName.valueOf("plain"), table -> table);
      assertThat(database.describe("plain")).isEqualTo(before);
    }
  }

  @Test
  void aChangeThroughTheOtherInterfaceShows() throws IOException {
    try (Database database = Database.inMemory()) {
      Catalog catalog = Catalog.open(database);
      catalog.changes().create(unusualTable());
      catalog.open(NAME);
      database.alterTable(
          database.describe("orders").toBuilder()
              .family(database.describe("orders").family("f").toBuilder().maxVersions(9).build())
              .family(FamilyDescriptor.of("new"))
              .build());
      TableDescriptor table = catalog.open(NAME).descriptor();
      assertThat(table.getColumnFamily(bytes("f")).getMaxVersions()).isEqualTo(9);
      assertThat(table.getColumnFamily(bytes("f")).getCompressionType())
          .as("what did not change stays as it was given")
          .isEqualTo(Algorithm.SNAPPY);
      assertThat(table.getColumnFamily(bytes("f")).getConfigurationValue("some.setting"))
          .isEqualTo("some value");
      assertThat(table.hasColumnFamily(bytes("new"))).isTrue();
      assertThat(table.getValue("owner")).isEqualTo("somebody");

      database.dropTable("orders");
      assertThatThrownBy(() -> catalog.open(NAME)).isInstanceOf(TableNotFoundException.class);
      assertThat(catalog.tables()).isEmpty();
    }
  }

  /** HBase's descriptor refuses fewer versions than it has as the least. */
  @Test
  void theOtherInterfaceLowersBothNumbersOfVersions() throws IOException {
    try (Database database = Database.inMemory()) {
      Catalog catalog = Catalog.open(database);
      catalog.changes().create(unusualTable());
      database.alterTable(
          database.describe("orders").toBuilder()
              .family(FamilyDescriptor.builder("f").maxVersions(1).minVersions(0).build())
              .build());
      ColumnFamilyDescriptor family = catalog.open(NAME).descriptor().getColumnFamily(bytes("f"));
      assertThat(family.getMaxVersions()).isEqualTo(1);
      assertThat(family.getMinVersions()).isZero();
    }
  }

  @Test
  void bothInterfacesSeeTheSameRows() throws IOException {
    try (Database database = Database.inMemory()) {
      Catalog catalog = Catalog.open(database);
      catalog.changes().create(table(NAME, "f"));
      database
          .table("orders")
          .put(new Put(bytes("r")).addColumn(bytes("f"), bytes("q"), bytes("v")));
      assertThat(catalog.open(NAME).table().get(new io.accordiondb.Get(bytes("r"))).isEmpty())
          .isFalse();
    }
  }

  @Test
  void aDisabledTableStaysDisabledAndCannotBeOpened() throws IOException {
    try (Database database = Database.open(folder)) {
      Catalog catalog = Catalog.open(database);
      catalog.changes().create(table(NAME, "f"));
      catalog.changes().disable(NAME);
    }
    try (Database database = Database.open(folder)) {
      Catalog catalog = Catalog.open(database);
      assertThatThrownBy(() -> catalog.open(NAME)).isInstanceOf(TableNotEnabledException.class);
      assertThat(catalog.get(NAME).enabled()).isFalse();
      catalog.changes().enable(NAME);
      assertThat(catalog.open(NAME).name()).isEqualTo(NAME);
    }
  }

  @Test
  void aReadOnlyDatabaseShowsItsTables() throws IOException {
    try (Database database = Database.open(folder)) {
      Catalog.open(database).changes().create(unusualTable());
    }
    DatabaseOptions readOnly = DatabaseOptions.builder().readOnly(true).build();
    try (Database database = Database.open(folder, readOnly)) {
      Catalog catalog = Catalog.open(database);
      assertThat(catalog.open(NAME).descriptor()).isEqualTo(unusualTable());
      assertThatThrownBy(() -> catalog.changes().disable(NAME))
          .isInstanceOf(io.accordiondb.ReadOnlyDatabaseException.class);
      assertThat(catalog.get(NAME).enabled()).isTrue();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "plain",
        "ns:orders",
        "ns:with.dots-and_more",
        "with.dots",
        "ümläute",
        "ns:ünïcode",
        "ŋs:t",
        "a2345678901234567890123456789012345678901234567890123456789012345",
        "ns:a2345678901234567890123456789012345678901234567890123456789012345"
      })
  void everyNameOfHBaseComesBack(String text) throws IOException {
    TableName name = TableName.valueOf(text);
    try (Database database = Database.open(folder)) {
      Catalog catalog = Catalog.open(database);
      if (!name.getNamespaceAsString().equals("default")) {
        catalog
            .namespaces()
            .create(NamespaceDescriptor.create(name.getNamespaceAsString()).build());
      }
      catalog.changes().create(table(name, "f"));
    }
    try (Database database = Database.open(folder)) {
      Catalog catalog = Catalog.open(database);
      assertThat(catalog.open(name).descriptor()).isEqualTo(table(name, "f"));
      assertThat(catalog.tables()).extracting(CatalogTable::name).containsExactly(name);
    }
  }

  @Test
  void namesThatLookAlikeAreDifferentTables() {
    List<String> engineNames =
        List.of("ns:t", "ns.t", "n:s.t", "ns:T", "ns_t", "n:s_t").stream()
            .map(name -> TableNames.engineName(TableName.valueOf(name)))
            .toList();
    assertThat(engineNames).doesNotHaveDuplicates();
    assertThat(engineNames.get(0)).isEqualTo("-ns.t");
    assertThat(engineNames.get(1)).isEqualTo("ns.t");
  }

  @Test
  void regionsAreThoseOfTheDatabase() throws IOException {
    try (Database database = Database.inMemory()) {
      Catalog catalog = Catalog.open(database);
      catalog.changes().create(table(NAME, "f"), bytes("g"), bytes("p"));
      List<RegionInfo> before = catalog.regions(NAME);
      assertThat(before)
          .extracting(region -> Bytes.toString(region.getStartKey()))
          .containsExactly("", "g", "p");
      assertThat(before)
          .extracting(region -> Bytes.toString(region.getEndKey()))
          .containsExactly("g", "p", "");
      assertThat(catalog.regions(NAME)).isEqualTo(before);
      database.splitRegion("orders", bytes("k"));
      List<RegionInfo> after = catalog.regions(NAME);
      assertThat(after)
          .extracting(region -> Bytes.toString(region.getStartKey()))
          .containsExactly("", "g", "k", "p");
      assertThat(after).contains(before.get(0), before.get(2)).doesNotContain(before.get(1));
      assertThatThrownBy(() -> catalog.regions(TableName.valueOf("none")))
          .isInstanceOf(TableNotFoundException.class);
    }
  }

  @Test
  void aTableThatCannotBeCreatedLeavesNothing() throws IOException {
    try (Database database = Database.inMemory()) {
      Catalog catalog = Catalog.open(database);
      TableChanges changes = catalog.changes();
      changes.create(table(NAME, "f"));
      assertThatThrownBy(() -> changes.create(table(NAME, "f")))
          .isInstanceOf(TableExistsException.class);
      assertThatThrownBy(() -> changes.create(table(TableName.valueOf("no:t"), "f")))
          .isInstanceOf(NamespaceNotFoundException.class);
      TableName other = TableName.valueOf("other");
      assertThatThrownBy(() -> changes.create(table(other)))
          .isInstanceOf(DoNotRetryIOException.class)
          .hasMessageContaining("at least one column family");
      assertThatThrownBy(() -> changes.create(table(other, "ä")))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("family name \"ä\"");
      assertThatThrownBy(() -> changes.create(table(other, "f"), bytes("a"), bytes("a")))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("duplicate: a");
      assertThatThrownBy(() -> changes.create(table(other, "f"), new byte[0]))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("Empty split key");
      assertThat(catalog.exists(other)).isFalse();
      assertThat(new SystemTable(database).load("t/")).containsOnlyKeys("orders");
    }
  }

  @Test
  void valuesThatHBaseRefusesAreRefused() throws IOException {
    try (Database database = Database.inMemory()) {
      TableChanges changes = Catalog.open(database).changes();
      assertRefused(changes, family().setTimeToLive(0), "TTL for column family f");
      assertRefused(changes, family().setBlocksize(10), "Block size for column family f");
      assertRefused(
          changes,
          family().setMaxVersions(2).setMinVersions(3),
          "Min versions for column family f");
    }
  }

  private static ColumnFamilyDescriptorBuilder family() {
    return ColumnFamilyDescriptorBuilder.newBuilder(bytes("f"));
  }

  private static void assertRefused(
      TableChanges changes, ColumnFamilyDescriptorBuilder family, String message) {
    TableDescriptor table =
        TableDescriptorBuilder.newBuilder(NAME).setColumnFamily(family.build()).build();
    assertThatThrownBy(() -> changes.create(table))
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessageContaining(message);
  }

  @Test
  void aDamagedRecordIsNamed() throws IOException {
    try (Database database = Database.inMemory()) {
      Catalog.open(database).changes().create(unusualTable());
      SystemTable system = new SystemTable(database);
      byte[] record = system.load("t/").get("orders");
      for (int length = 0; length < record.length; length++) {
        system.put("t/orders", Arrays.copyOf(record, length));
        assertThatThrownBy(() -> Catalog.open(database))
            .isInstanceOf(CorruptionException.class)
            .hasMessageContaining("record t/orders of table --hbase-catalog");
      }
    }
  }

  /** What 0.1.0 has written. */
  @Test
  void recordsThatWereKeptAreRead() throws IOException {
    String table =
        """
        AQAAAAG3UEJVRgoRCgdkZWZhdWx0EgZvcmRlcnMSEAoHSVNfTUVUQRIFZmFsc2USGQoMTUFYX0ZJTEVT
        SVpFEgkxMjM0NTY3ODkSEQoFb3duZXISCHNvbWVib2R5EhcKElJFR0lPTl9SRVBMSUNBVElPThIBMxrE
        AgoBZhIcChRJTkRFWF9CTE9DS19FTkNPRElORxIETk9ORRINCghWRVJTSU9OUxIBNRIZChJLRUVQX0RF
        TEVURURfQ0VMTFMSA1RUTBIbChNEQVRBX0JMT0NLX0VOQ09ESU5HEgROT05FEh0KFElOX01FTU9SWV9D
        T01QQUNUSU9OEgVFQUdFUhILCgNUVEwSBDM2MDASEQoMTUlOX1ZFUlNJT05TEgEyEhYKEVJFUExJQ0FU
        SU9OX1NDT1BFEgExEhUKC0JMT09NRklMVEVSEgZST1dDT0wSEgoJSU5fTUVNT1JZEgVmYWxzZRIVCgtD
        T01QUkVTU0lPThIGU05BUFBZEhIKCkJMT0NLQ0FDSEUSBHRydWUSEQoJQkxPQ0tTSVpFEgQ4MTkyGhoK
        DHNvbWUuc2V0dGluZxIKc29tZSB2YWx1ZQ==
        """;
    try (Database database = Database.inMemory()) {
      Catalog.open(database).changes().create(table(NAME, "f"));
      SystemTable system = new SystemTable(database);
      system.put("t/orders", Base64.getMimeDecoder().decode(table));
      system.put("n/ns", Base64.getDecoder().decode("AQAAAAwKAm5zEgYKAWESAWI="));
      Catalog catalog = Catalog.open(database);
      assertThat(catalog.get(NAME).descriptor().getValue("owner")).isEqualTo("somebody");
      assertThat(catalog.get(NAME).enabled()).isTrue();
      assertThat(catalog.namespaces().get("ns").getConfigurationValue("a")).isEqualTo("b");
      byte[] disabled = Base64.getMimeDecoder().decode(table);
      disabled[1] = 1;
      system.put("t/orders", disabled);
      assertThat(Catalog.open(database).get(NAME).enabled()).isFalse();
    }
  }

  @Test
  void aRecordOfANewerReleaseIsNamed() throws IOException {
    try (Database database = Database.inMemory()) {
      Catalog catalog = Catalog.open(database);
      catalog.changes().create(unusualTable());
      catalog.snapshots().create(new SnapshotDescription("s", unusualTable().getTableName()));
      SystemTable system = new SystemTable(database);
      assertNewer(database, "t/orders", 0, 99, "version 99");
      assertNewer(database, "t/orders", 1, 8, "flags 8");
      byte[] snapshot = system.load("s/").get("s");
      // The last byte is of the name of a compaction style.
      assertNewer(database, "s/s", snapshot.length - 1, 'X', "CompactionStyle");
    }
  }

  private static void assertNewer(Database database, String key, int at, int value, String what)
      throws IOException {
    SystemTable system = new SystemTable(database);
    byte[] before = system.load(key.substring(0, 2)).get(key.substring(2));
    byte[] record = before.clone();
    record[at] = (byte) value;
    system.put(key, record);
    assertThatThrownBy(() -> Catalog.open(database))
        .isInstanceOf(FormatVersionException.class)
        .hasMessageContainingAll("record " + key + " of table --hbase-catalog", what);
    system.put(key, before);
  }
}
