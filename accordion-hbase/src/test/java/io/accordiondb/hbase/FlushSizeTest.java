// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.regionserver.MemStoreSnapshot;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How much a region has in memory when HBase flushes it. */
class FlushSizeTest extends MemStoreFixture {
  private static final String VALUE = "v".repeat(100);

  private final List<AccordionMemStore> stores = new ArrayList<>();

  /** Otherwise HBase writes many small files, and refuses writes to a region with little data. */
  @ParameterizedTest
  @CsvSource({"1, 4", "3, 1", "3, 4", "3, 16", "10, 4", "10, 16", "30, 16", "30, 64"})
  void aRegionThatIsFullHasCellsOfHalfItsFlushSize(int families, int flushMebibytes)
      throws Exception {
    configuration.unset(StoreSettings.ACTIVE_FRACTION_KEY);
    long flushBytes = (long) flushMebibytes << 20;
    region = new RecordingRegion(TableName.valueOf("t"), flushBytes, families);
    for (int family = 0; family < families; family++) {
      stores.add(open());
    }
    for (int flush = 0; flush < 2; flush++) {
      fill(flushBytes);
      assertThat(region.getDataSize()).isGreaterThan(flushBytes / 2);
      flush();
    }
  }

  private void fill(long flushBytes) {
    for (int row = 0; region.getHeapSize() + region.getOffHeapSize() <= flushBytes; row++) {
      for (AccordionMemStore store : stores) {
        store.add(cell("row" + row, "q", 1, row, VALUE), region);
      }
    }
  }

  private void flush() throws Exception {
    for (AccordionMemStore store : stores) {
      MemStoreSnapshot snapshot = store.snapshot();
      region.decMemStoreSize(snapshot.getMemStoreSize());
      store.clearSnapshot(snapshot.getId());
    }
  }
}
