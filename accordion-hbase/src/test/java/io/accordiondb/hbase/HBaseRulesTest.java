// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.retention.ReadPointSet;
import io.accordiondb.retention.UnseenHistory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.hbase.ArrayBackedTag;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.Tag;
import org.apache.hadoop.hbase.TagType;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.regionserver.ScanInfo;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Where the filter counts versions by itself, it keeps what HBase's matcher keeps. */
class HBaseRulesTest {
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final CellComparator ORDER = VersionBridge.userTableOrder();
  private static final long SMALLEST_READ_POINT = 50;
  private static final int CELLS = 2000;

  private final Random random = new Random(5);

  private static HBaseRules rules(int maxVersions) throws IOException {
    ScanInfo family =
        new ScanInfo(
            HBaseConfiguration.create(),
            ColumnFamilyDescriptorBuilder.newBuilder(FAMILY).setMaxVersions(maxVersions).build(),
            Long.MAX_VALUE,
            0,
            ORDER);
    return new HBaseRules(
        family, new UnseenHistory(ReadPointSet.from(SMALLEST_READ_POINT)), null, false);
  }

  /** Returns sorted cells of few columns and timestamps; some have a time to live of their own. */
  private List<KeyValue> cells(long now) {
    List<KeyValue> cells = new ArrayList<>();
    for (int i = 0; i < CELLS; i++) {
      long ttl = random.nextBoolean() ? 1 : 1_000_000;
      Tag[] tags = {new ArrayBackedTag(TagType.TTL_TAG_TYPE, Bytes.toBytes(ttl))};
      KeyValue cell =
          new KeyValue(
              Bytes.toBytes("row" + random.nextInt(20)),
              FAMILY,
              Bytes.toBytes("q" + random.nextInt(5)),
              now - 1000 - random.nextInt(10),
              Bytes.toBytes("v" + i),
              random.nextInt(4) == 0 ? tags : new Tag[0]);
      cell.setSequenceId(1 + random.nextInt(60));
      cells.add(cell);
    }
    cells.sort(ORDER);
    return cells;
  }

  @ParameterizedTest
  @CsvSource({"1", "2", "5"})
  void keepsWhatHBaseKeepsWhereOnlyVersionsMatter(int maxVersions) throws IOException {
    HBaseRules asking = rules(maxVersions);
    HBaseRules counting = rules(maxVersions);
    assertThat(counting.begin(0, SMALLEST_READ_POINT)).isTrue();
    KeyValue last = null;
    int kept = 0;
    for (KeyValue cell : cells(System.currentTimeMillis())) {
      ByteBuffer bytes = ByteBuffer.wrap(cell.getBuffer(), cell.getOffset(), cell.getLength());
      int length = cell.getLength();
      long sequence = cell.getSequenceId();
      boolean sameColumn = last != null && CellUtil.matchingRowColumn(last, cell);
      boolean expected =
          sameColumn
              ? asking.keepsNextVersion(bytes, cell.getOffset(), length, sequence)
              : asking.keepsNextColumn(bytes, cell.getOffset(), length, sequence);
      boolean actual =
          sameColumn
              ? counting.keepsNextVersion(bytes, cell.getOffset(), length, sequence)
              : counting.keepsNextColumn(bytes, cell.getOffset(), length, sequence);
      assertThat(actual).as(cell.toString()).isEqualTo(expected);
      kept += actual ? 1 : 0;
      last = cell;
    }
    assertThat(kept).isBetween(1, CELLS - 1);
  }
}
