// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.client;

import static io.accordiondb.hbase.client.TestTables.TABLE;
import static io.accordiondb.hbase.client.TestTables.b;
import static io.accordiondb.hbase.client.TestTables.put;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.filter.BinaryComparator;
import org.apache.hadoop.hbase.filter.ColumnCountGetFilter;
import org.apache.hadoop.hbase.filter.ColumnPaginationFilter;
import org.apache.hadoop.hbase.filter.ColumnPrefixFilter;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.SkipFilter;
import org.apache.hadoop.hbase.filter.ValueFilter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Bounds of scans, and columns without a qualifier, as a region of HBase takes them. */
class ScanEdgesTest {
  @TempDir Path folder;
  private EmbeddedConnection connection;
  private Table table;

  @BeforeEach
  void open() throws IOException {
    connection = TestTables.memory();
    table = TestTables.create(connection, TABLE, 5, "f", "g");
  }

  @AfterEach
  void close() throws IOException {
    connection.close();
  }

  /** A reading of scans, which may throw. */
  private static Object outcome(Callable<List<List<String>>> scan) {
    try {
      return scan.call();
    } catch (Exception e) {
      return "threw " + (e.getCause() instanceof IOException ? e.getCause() : e).getClass();
    }
  }

  @Test
  void aFilterCountsVersionsOfAColumnWithoutAQualifierAsInARegion() throws Exception {
    try (HBaseRegion region = HBaseRegion.create(table.getDescriptor(), folder.resolve("empty"))) {
      long timestamp = 0;
      for (String qualifier : List.of("", "", "", "a", "a", "b", "c")) {
        timestamp++;
        Put put = put("row", "f", qualifier, timestamp, "v" + timestamp);
        table.put(put);
        region.region().put(new Put(put).setDurability(Durability.SKIP_WAL));
      }
      for (Filter filter :
          List.of(
              new ColumnCountGetFilter(2),
              new ColumnPaginationFilter(2, 0),
              new ColumnPaginationFilter(2, 1),
              new ColumnPaginationFilter(2, b("a")),
              new SkipFilter(
                  new ValueFilter(
                      CompareOperator.GREATER_OR_EQUAL, new BinaryComparator(b("v2")))))) {
        for (int versions = 1; versions <= 4; versions++) {
          for (List<String> columns :
              List.of(List.<String>of(), List.of(""), List.of("", "a"), List.of("", "b", "d"))) {
            Scan scan = new Scan().setFilter(filter).readVersions(versions);
            columns.forEach(column -> scan.addColumn(b("f"), b(column)));
            assertThat(outcome(() -> TestTables.scan(table, scan)))
                .as("%s, %d versions of columns %s", filter, versions, columns)
                .isEqualTo(outcome(() -> region.scan(scan)));
          }
        }
      }
    }
  }

  /** A region's own sum of the limit and the offset overflows, and the row is empty there. */
  @Test
  void theHighestLimitOfCellsIsNoLimitBehindAFilter() throws Exception {
    for (String qualifier : List.of("a", "b", "c", "d")) {
      table.put(put("row", "f", qualifier, 1, "v"));
    }
    Scan scan =
        new Scan()
            .setFilter(new ColumnPrefixFilter(new byte[0]))
            .setRowOffsetPerColumnFamily(1)
            .setMaxResultsPerColumnFamily(Integer.MAX_VALUE);
    List<List<String>> rows = TestTables.scan(table, scan);
    assertThat(rows).hasSize(1);
    assertThat(rows.get(0)).hasSize(3);
  }

  @Test
  void boundsAreThoseOfARegion() throws Exception {
    List<String> differences = new ArrayList<>();
    try (HBaseRegion region = HBaseRegion.create(table.getDescriptor(), folder.resolve("bounds"))) {
      for (String row : List.of("a", "b", "ba", "c")) {
        Put put = put(row, "f", "q", 5, "v");
        table.put(put);
        region.region().put(new Put(put).setDurability(Durability.SKIP_WAL));
      }
      byte[][] bounds = {new byte[0], b("a"), b("b"), b("bb"), b("d"), {(byte) 0xff}};
      for (byte[] start : bounds) {
        for (byte[] stop : bounds) {
          for (int flags = 0; flags < 8; flags++) {
            Scan scan =
                new Scan()
                    .withStartRow(start, (flags & 1) == 0)
                    .withStopRow(stop, (flags & 2) == 0)
                    .setReversed((flags & 4) != 0);
            Object expected = outcome(() -> region.scan(scan));
            Object found = outcome(() -> TestTables.scan(table, scan));
            if (!found.equals(expected)) {
              differences.add(flags + " " + scan + "\n region " + expected + "\n table " + found);
            }
          }
        }
      }
    }
    assertThat(differences).isEmpty();
  }
}
