// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.client;

import static io.accordiondb.hbase.client.TestTables.F;
import static io.accordiondb.hbase.client.TestTables.Q;
import static io.accordiondb.hbase.client.TestTables.TABLE;
import static io.accordiondb.hbase.client.TestTables.b;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.accordiondb.Database;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.hbase.ArrayBackedTag;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeepDeletedCells;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.Tag;
import org.apache.hadoop.hbase.TagType;
import org.apache.hadoop.hbase.TagUtil;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The tags that increments and appends give to a new value, compared with a region of HBase. */
class OperationTagsTest {
  private static final long SEED = 20_261_126;
  private static final int ROWS = 200;
  private static final int TYPE = 65;
  private static final long TTL_MILLIS = 1L << 50;

  @TempDir Path folder;

  @Test
  void areThoseOfTheOperationAndOfTheStoredCell() throws IOException {
    List<String> expected = new ArrayList<>();
    TableDescriptor descriptor =
        TableDescriptorBuilder.newBuilder(TABLE)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
            .build();
    try (HBaseRegion hbase = HBaseRegion.create(descriptor, folder.resolve("hbase"))) {
      Random random = new Random(SEED);
      for (int i = 0; i < ROWS; i++) {
        for (Mutation mutation : mutations(random, b("row" + i))) {
          if (mutation instanceof Increment increment) {
            hbase.region().increment(increment);
          } else if (mutation instanceof Append append) {
            hbase.region().append(append);
          } else {
            hbase.region().put((Put) mutation);
          }
        }
      }
      try (RegionScanner scanner = hbase.region().getScanner(new Scan())) {
        boolean more = true;
        while (more) {
          List<Cell> cells = new ArrayList<>();
          more = scanner.next(cells);
          for (Cell cell : cells) {
            expected.add(text(PrivateCellUtil.cloneTags(cell)));
          }
        }
      }
    }
    assertThat(expected).hasSize(ROWS).contains("0");
    assertThat(tagsInDatabase()).as("seed " + SEED).isEqualTo(expected);
  }

  private List<String> tagsInDatabase() throws IOException {
    Path store = folder.resolve("store");
    try (Connection connection = EmbeddedConnection.open(store, TestTables.configuration());
        Table table = TestTables.create(connection, TABLE, 1, "f")) {
      Random random = new Random(SEED);
      for (int i = 0; i < ROWS; i++) {
        for (Mutation mutation : mutations(random, b("row" + i))) {
          if (mutation instanceof Increment increment) {
            table.increment(increment);
          } else if (mutation instanceof Append append) {
            table.append(append);
          } else {
            table.put((Put) mutation);
          }
        }
      }
    }
    List<String> tags = new ArrayList<>();
    try (Database database = Database.open(store);
        io.accordiondb.ResultScanner scanner =
            database
                .table(TABLE.getNameAsString())
                .scan(new io.accordiondb.Scan().setAllTags(true))) {
      for (io.accordiondb.Result row : scanner) {
        tags.add(text(row.cells().get(0).tags()));
      }
    }
    return tags;
  }

  /** Returns the tags in order, and behind them the time to live that counts: the first one. */
  private static String text(byte[] tags) {
    StringBuilder text = new StringBuilder();
    long ttlMillis = 0;
    for (Tag tag : TagUtil.asList(tags, 0, tags.length)) {
      if (tag.getType() == TYPE) {
        text.append(Bytes.toInt(Tag.cloneValue(tag))).append(' ');
      } else if (ttlMillis == 0) {
        ttlMillis = Bytes.toLong(Tag.cloneValue(tag));
      }
    }
    return text.append(ttlMillis).toString();
  }

  /**
   * Returns some mutations of a row. The first is a put, or has no time to live: HBase fails at an
   * assertion of its own if nothing is stored and the mutation has one. Only the first has a cell
   * whose tags hold a time to live: HBase does not replace all of several.
   */
  private static List<Mutation> mutations(Random random, byte[] row) throws IOException {
    List<Mutation> mutations = new ArrayList<>();
    Cell first = cell(random, row, 1, true);
    if (random.nextBoolean()) {
      mutations.add(withTtl(random, new Put(row).add(first)));
    } else {
      mutations.add(
          random.nextBoolean() ? new Increment(row).add(first) : new Append(row).add(first));
    }
    for (int i = random.nextInt(3); i > 0; i--) {
      mutations.add(
          withTtl(
              random,
              new Increment(row).add(cell(random, row, HConstants.LATEST_TIMESTAMP, false))));
    }
    if (random.nextBoolean()) {
      mutations.add(
          withTtl(
              random, new Append(row).add(cell(random, row, HConstants.LATEST_TIMESTAMP, false))));
    }
    return mutations;
  }

  private static Mutation withTtl(Random random, Mutation mutation) {
    return random.nextInt(3) == 0 ? mutation.setTTL(TTL_MILLIS + random.nextInt(9)) : mutation;
  }

  private static Cell cell(Random random, byte[] row, long timestamp, boolean mayExpire) {
    List<Tag> tags = new ArrayList<>();
    for (int i = random.nextInt(3); i > 0; i--) {
      tags.add(
          mayExpire && random.nextInt(4) == 0
              ? new ArrayBackedTag(
                  TagType.TTL_TAG_TYPE, Bytes.toBytes(TTL_MILLIS * 2 + random.nextInt(9)))
              : new ArrayBackedTag((byte) TYPE, Bytes.toBytes(random.nextInt(1000))));
    }
    return new KeyValue(row, F, Q, timestamp, KeyValue.Type.Put, Bytes.toBytes(7L), tags);
  }

  @Test
  void aTimeToLiveIsRefusedOnceTheFamilyKeepsDeletedCells() throws IOException {
    byte[] row = TestTables.ROW;
    ColumnFamilyDescriptor keeping =
        ColumnFamilyDescriptorBuilder.newBuilder(F)
            .setKeepDeletedCells(KeepDeletedCells.TRUE)
            .build();
    try (Connection connection = TestTables.memory();
        Table table = TestTables.create(connection, TABLE, 1, "f");
        Admin admin = connection.getAdmin()) {
      table.increment(new Increment(row).addColumn(F, Q, 1).setTTL(3_600_000));
      admin.modifyColumnFamily(TABLE, keeping);
      assertThatThrownBy(() -> table.increment(new Increment(row).addColumn(F, Q, 1)))
          .isInstanceOf(DoNotRetryIOException.class)
          .hasMessageContaining("keeps deleted cells");
      table.put(new Put(row).addColumn(F, Q, Bytes.toBytes(1L)));
      table.increment(new Increment(row).addColumn(F, Q, 1));
      assertThat(Bytes.toLong(table.get(new Get(row)).getValue(F, Q))).isEqualTo(2);
      assertThat(Arrays.asList(admin.getDescriptor(TABLE).getColumnFamilies()))
          .containsExactly(keeping);
    }
  }
}
