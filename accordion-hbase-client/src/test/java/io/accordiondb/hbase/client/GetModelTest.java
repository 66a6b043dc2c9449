// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.client;

import static io.accordiondb.hbase.client.TestTables.TABLE;
import static io.accordiondb.hbase.client.TestTables.b;
import static io.accordiondb.hbase.client.TestTables.cells;
import static io.accordiondb.hbase.client.TestTables.outcome;
import static io.accordiondb.hbase.client.TestTables.put;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Random;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random gets with random filters, also of columns without a qualifier: the embedded table returns
 * the cells that a region of HBase returns from the same writes.
 */
@Tag("slow")
class GetModelTest {
  private static final int TABLES = 3;
  private static final int GETS = 800;

  @TempDir Path folder;

  @Test
  void getsReturnWhatARegionReturns() throws IOException {
    for (int i = 0; i < TABLES; i++) {
      check(new Random().nextLong(), GETS, folder.resolve("region" + i));
    }
  }

  @Test
  @Tag("long")
  void manyGetsReturnWhatARegionReturns() throws IOException {
    for (int i = 0; i < 50 * TABLES; i++) {
      check(new Random().nextLong(), 10 * GETS, folder.resolve("region" + i));
    }
  }

  private static void check(long seed, int gets, Path folder) throws IOException {
    Random random = new Random(seed);
    RandomFilters filters = new RandomFilters(random);
    try (Connection connection = TestTables.memory();
        Table table = TestTables.create(connection, TABLE, 4, "f", "g");
        HBaseRegion region = HBaseRegion.create(table.getDescriptor(), folder)) {
      write(filters, random, table, region);
      region.region().flush(true);
      region.region().compact(true);
      for (int i = 0; i < gets; i++) {
        Get get = get(filters, random);
        assertThat(outcome(() -> cells(table.get(get))))
            .as("seed %d, get %d, filter %s: %s", seed, i, get.getFilter(), get)
            .isEqualTo(outcome(() -> cells(region.region().get(sent(get)))));
      }
    }
  }

  private static void write(RandomFilters filters, Random random, Table table, HBaseRegion region)
      throws IOException {
    for (int i = 0; i < 400; i++) {
      String qualifier = filters.qualifierOrNone();
      long timestamp = 1 + random.nextInt(50);
      Put put = put(filters.row(), filters.family(), qualifier, timestamp, filters.value());
      table.put(put);
      region.region().put(new Put(put).setDurability(Durability.SKIP_WAL));
    }
    for (int i = 0; i < 30; i++) {
      Delete delete = filters.delete(50);
      table.delete(delete);
      region.region().delete(new Delete(delete).setDurability(Durability.SKIP_WAL));
    }
  }

  private static Get get(RandomFilters filters, Random random) throws IOException {
    Get get = new Get(b(filters.row())).readVersions(1 + random.nextInt(5));
    if (random.nextInt(3) == 0) {
      get.addFamily(b(filters.family()));
    } else if (random.nextBoolean()) {
      for (int i = 0; i < 3; i++) {
        get.addColumn(b(filters.family()), b(filters.qualifierOrNone()));
      }
    }
    if (random.nextInt(4) == 0) {
      get.setMaxResultsPerColumnFamily(random.nextInt(4));
    }
    if (random.nextInt(4) == 0) {
      get.setRowOffsetPerColumnFamily(random.nextInt(3));
    }
    if (random.nextInt(4) == 0) {
      int from = random.nextInt(40);
      get.setTimeRange(from, from + random.nextInt(30));
    }
    if (random.nextInt(5) == 0) {
      int from = random.nextInt(40);
      get.setColumnFamilyTimeRange(b("f"), from, from + random.nextInt(30));
    }
    if (random.nextBoolean()) {
      get.setFilter(filters.next(false, true));
    }
    return get;
  }

  /** Returns a get as it comes from a client: its filter has no state yet. */
  private static Get sent(Get get) throws IOException {
    Get copy = new Get(get);
    return get.getFilter() == null
        ? copy
        : copy.setFilter(ProtobufUtil.toFilter(ProtobufUtil.toFilter(get.getFilter())));
  }
}
