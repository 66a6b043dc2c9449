// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.memstore.FlushableCells;
import org.apache.hadoop.hbase.TableName;
import org.junit.jupiter.api.Test;

class StoreSizesTest {
  /** HBase closes a region whose size is 0 without flushing it. */
  @Test
  void aWriteBesideASettlementIsNotTakenForDropped() {
    RecordingRegion region = new RecordingRegion(TableName.valueOf("t"), 1 << 20);
    StoreSizes sizes = new StoreSizes(region, false);
    sizes.settle(
        () -> {
          FlushableCells before = new FlushableCells(0, 0, 0, 0);
          sizes.written(2, 100, region);
          return before;
        });
    assertThat(sizes.current().getDataSize()).isEqualTo(100);
    assertThat(sizes.current()).isEqualTo(region.getMemStoreSize());
  }
}
