// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.client;

import static io.accordiondb.hbase.client.TestTables.TABLE;
import static io.accordiondb.hbase.client.TestTables.b;
import static io.accordiondb.hbase.client.TestTables.outcome;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Random;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.filter.Filter;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random scans with random filters: the embedded table returns the cells that a region of HBase
 * returns from the same writes. Deletes come after all puts, because HBase lets a delete hide what
 * is put later with a lower timestamp, and versions are as many as the families keep, because HBase
 * shows what a compaction has not dropped yet.
 */
@Tag("slow")
class ScanModelTest {
  private static final int TABLES = 4;
  private static final int SCANS = 250;

  @TempDir Path folder;

  @Test
  void scansReturnWhatARegionReturns() throws IOException {
    for (int i = 0; i < TABLES; i++) {
      check(new Random().nextLong(), SCANS, folder.resolve("region" + i));
    }
  }

  /** The filter is not shown the cells of rows that it has excluded. */
  @Test
  void aReversedScanReturnsWhatARegionReturns() throws IOException {
    check(7623396910674600472L, 660, folder.resolve("region"));
  }

  @Test
  @Tag("long")
  void manyScansReturnWhatARegionReturns() throws IOException {
    for (int i = 0; i < 100 * TABLES; i++) {
      check(new Random().nextLong(), 10 * SCANS, folder.resolve("region" + i));
    }
  }

  private static void check(long seed, int scans, Path folder) throws IOException {
    Random random = new Random(seed);
    RandomFilters filters = new RandomFilters(random);
    try (Connection connection = TestTables.memory();
        Table table = TestTables.create(connection, TABLE, 1 + random.nextInt(4), "f", "g")) {
      TableDescriptor descriptor = table.getDescriptor();
      try (HBaseRegion region = HBaseRegion.create(descriptor, folder)) {
        write(filters, random, table, region);
        // What is older than the families keep goes from the region, as it has from the table.
        region.region().flush(true);
        region.region().compact(true);
        for (int i = 0; i < scans; i++) {
          Scan scan = scan(filters, random);
          assertThat(outcome(() -> TestTables.scan(table, scan)))
              .as("seed %d, scan %d: %s", seed, i, scan)
              .isEqualTo(outcome(() -> region.scan(scan)));
        }
      }
    }
  }

  private static void write(RandomFilters filters, Random random, Table table, HBaseRegion region)
      throws IOException {
    for (int i = 0; i < 150; i++) {
      Put put = new Put(b(filters.row()));
      for (int cells = 1 + random.nextInt(4); cells > 0; cells--) {
        put.addColumn(
            b(filters.family()), b(filters.qualifier()), 1 + random.nextInt(9), b(filters.value()));
      }
      table.put(put);
      region.region().put(new Put(put).setDurability(Durability.SKIP_WAL));
    }
    for (int i = 0; i < 20; i++) {
      Delete delete = filters.delete(9);
      table.delete(delete);
      region.region().delete(new Delete(delete).setDurability(Durability.SKIP_WAL));
    }
  }

  private static Scan scan(RandomFilters filters, Random random) throws IOException {
    Scan scan = new Scan();
    boolean reversed = random.nextInt(4) == 0;
    scan.setReversed(reversed);
    if (random.nextInt(3) == 0) {
      scan.withStartRow(b(filters.row()), random.nextBoolean());
    }
    if (random.nextInt(3) == 0) {
      scan.withStopRow(b(filters.row()), random.nextBoolean());
    }
    if (random.nextInt(3) == 0) {
      scan.addFamily(b(filters.family()));
    } else if (random.nextInt(3) == 0) {
      for (int i = 1 + random.nextInt(4); i > 0; i--) {
        scan.addColumn(b(filters.family()), b(filters.qualifier()));
      }
    }
    if (random.nextBoolean()) {
      scan.readVersions(1 + random.nextInt(4));
    } else if (random.nextBoolean()) {
      scan.readAllVersions();
    }
    limitCells(scan, random);
    if (random.nextInt(4) > 0) {
      boolean selective =
          scan.numFamilies() > 0
              || !scan.getTimeRange().isAllTime()
              || !scan.getColumnFamilyTimeRange().isEmpty();
      Filter filter = filters.next(reversed, selective);
      filter.setReversed(reversed);
      scan.setFilter(filter);
      if (random.nextInt(4) == 0) {
        scan.setLoadColumnFamiliesOnDemand(random.nextBoolean());
      }
    }
    return scan;
  }

  private static void limitCells(Scan scan, Random random) throws IOException {
    if (random.nextInt(4) == 0) {
      scan.setMaxResultsPerColumnFamily(1 + random.nextInt(4));
    }
    if (random.nextInt(4) == 0) {
      scan.setRowOffsetPerColumnFamily(random.nextInt(3));
    }
    if (random.nextInt(4) == 0) {
      int from = random.nextInt(6);
      scan.setTimeRange(from, from + 1 + random.nextInt(6));
    }
    if (random.nextInt(5) == 0) {
      int from = random.nextInt(6);
      scan.setColumnFamilyTimeRange(b("f"), from, from + 1 + random.nextInt(6));
    }
  }
}
