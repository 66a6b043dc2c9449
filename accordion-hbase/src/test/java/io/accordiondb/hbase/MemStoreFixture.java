// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase;

import static io.accordiondb.fixtures.Await.await;

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Memory stores of one family, closed after each test, when every chunk must have come back. */
abstract class MemStoreFixture {
  static final byte[] FAMILY = Bytes.toBytes("f");
  static final CellComparator ORDER = VersionBridge.userTableOrder();

  final Configuration configuration = HBaseConfiguration.create();
  RecordingRegion region = new RecordingRegion(TableName.valueOf("t"), 1 << 20);
  private final List<AccordionMemStore> opened = new ArrayList<>();

  /** With the default, no segment of so small a region would be sealed. */
  @BeforeEach
  void segmentsAreSmall() {
    configuration.set(StoreSettings.ACTIVE_FRACTION_KEY, "0.0199");
  }

  AccordionMemStore open() {
    AccordionMemStore store = new AccordionMemStore(configuration, ORDER, region);
    opened.add(store);
    return store;
  }

  @AfterEach
  void everyChunkComesBack() throws InterruptedException {
    opened.forEach(AccordionMemStore::close);
    await("the end of the use of chunks", this::chunksInUse, chunks -> chunks == 0);
  }

  int chunksInUse() {
    return ServerMemory.of(configuration).pool().chunksInUse();
  }

  static KeyValue cell(String row, String qualifier, long timestamp, long sequence, String value) {
    KeyValue cell =
        new KeyValue(
            Bytes.toBytes(row), FAMILY, Bytes.toBytes(qualifier), timestamp, Bytes.toBytes(value));
    cell.setSequenceId(sequence);
    return cell;
  }

  static String text(Cell cell) {
    return Bytes.toString(CellUtil.cloneRow(cell))
        + ":"
        + Bytes.toString(CellUtil.cloneQualifier(cell))
        + "="
        + Bytes.toString(CellUtil.cloneValue(cell))
        + "@"
        + cell.getSequenceId();
  }
}
