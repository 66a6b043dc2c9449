// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.client;

import static io.accordiondb.hbase.client.TestTables.b;
import static io.accordiondb.hbase.client.TestTables.outcome;
import static io.accordiondb.hbase.client.TestTables.put;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.apache.hadoop.hbase.KeepDeletedCells;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.filter.Filter;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random raw scans of families that keep deleted cells, with random filters: the embedded table
 * returns the cells and markers that a region of HBase returns from the same writes. Some columns
 * have an empty qualifier, as markers of families have.
 */
@Tag("slow")
class RawScanModelTest {
  private static final int SCANS = 500;
  private static final int TABLES = 2;

  @TempDir Path folder;

  @Test
  void scansReturnWhatARegionReturns() throws IOException {
    for (int i = 0; i < TABLES; i++) {
      check(new Random().nextLong(), SCANS, folder.resolve("region" + i));
    }
  }

  @Test
  @Tag("long")
  void manyScansReturnWhatARegionReturns() throws IOException {
    for (int i = 0; i < 100 * TABLES; i++) {
      check(new Random().nextLong(), 10 * SCANS, folder.resolve("region" + i));
    }
  }

  private static TableDescriptor keeping() {
    TableDescriptorBuilder builder = TableDescriptorBuilder.newBuilder(TestTables.TABLE);
    for (String family : List.of("f", "g")) {
      builder.setColumnFamily(
          ColumnFamilyDescriptorBuilder.newBuilder(b(family))
              .setMaxVersions(1000)
              .setKeepDeletedCells(KeepDeletedCells.TRUE)
              .build());
    }
    return builder.build();
  }

  private static void check(long seed, int scans, Path folder) throws IOException {
    Random random = new Random(seed);
    RandomFilters filters = new RandomFilters(random);
    try (Connection connection = TestTables.memory();
        HBaseRegion region = HBaseRegion.create(keeping(), folder)) {
      connection.getAdmin().createTable(keeping());
      Table table = connection.getTable(TestTables.TABLE);
      write(filters, random, table, region);
      for (int i = 0; i < scans; i++) {
        Scan scan = scan(filters, random);
        assertThat(outcome(() -> TestTables.scan(table, scan)))
            .as(
                "seed %d, scan %d: %d from %d, filter %s: %s",
                seed,
                i,
                scan.getMaxResultsPerColumnFamily(),
                scan.getRowOffsetPerColumnFamily(),
                scan.getFilter(),
                scan)
            .isEqualTo(outcome(() -> region.scan(scan)));
      }
    }
  }

  private static void write(RandomFilters filters, Random random, Table table, HBaseRegion region)
      throws IOException {
    // A filter that passes to the next column may lead HBase past a cell without a qualifier that
    // has the same timestamp, until a compaction drops its sequence number after days.
    Set<String> withoutQualifier = new HashSet<>();
    for (int i = 0; i < 150; i++) {
      String row = filters.row();
      String family = filters.family();
      String qualifier = filters.qualifierOrNone();
      if (qualifier.isEmpty()) {
        withoutQualifier.add(row + family + (i + 1));
      }
      Put put = put(row, family, qualifier, i + 1, filters.value());
      table.put(put);
      region.region().put(new Put(put).setDurability(Durability.SKIP_WAL));
    }
    for (int i = 0; i < 40; i++) {
      String row = filters.row();
      String family = filters.family();
      byte[] qualifier = b(filters.qualifierOrNone());
      long timestamp = 1 + random.nextInt(150);
      int kind = random.nextInt(4);
      if ((kind < 2 || qualifier.length == 0) && !withoutQualifier.add(row + family + timestamp)) {
        continue;
      }
      Delete delete = new Delete(b(row));
      switch (kind) {
        case 0 -> delete.addFamily(b(family), timestamp);
        case 1 -> delete.addFamilyVersion(b(family), timestamp);
        case 2 -> delete.addColumns(b(family), qualifier, timestamp);
        default -> delete.addColumn(b(family), qualifier, timestamp);
      }
      table.delete(delete);
      region.region().delete(new Delete(delete).setDurability(Durability.SKIP_WAL));
    }
  }

  private static Scan scan(RandomFilters filters, Random random) throws IOException {
    Scan scan = new Scan().setRaw(true).setReversed(random.nextInt(4) == 0);
    if (random.nextInt(3) == 0) {
      scan.addFamily(b(filters.family()));
    } else if (random.nextInt(10) == 0) {
      scan.addColumn(b(filters.family()), b(filters.qualifierOrNone()));
    }
    if (random.nextBoolean()) {
      scan.readVersions(1 + random.nextInt(4));
    } else if (random.nextBoolean()) {
      scan.readAllVersions();
    }
    if (random.nextInt(4) == 0) {
      scan.setMaxResultsPerColumnFamily(random.nextInt(4));
    }
    if (random.nextInt(4) == 0) {
      scan.setRowOffsetPerColumnFamily(random.nextInt(3));
    }
    if (random.nextInt(4) == 0) {
      int from = random.nextInt(100);
      scan.setTimeRange(from, from + random.nextInt(60));
    }
    if (random.nextInt(5) == 0) {
      int from = random.nextInt(100);
      scan.setColumnFamilyTimeRange(b("f"), from, from + random.nextInt(60));
    }
    if (random.nextBoolean()) {
      Filter filter = filters.next(scan.isReversed(), true);
      filter.setReversed(scan.isReversed());
      scan.setFilter(filter);
    }
    return scan;
  }
}
