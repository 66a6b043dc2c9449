// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.regionserver.MemStoreSnapshot;
import org.junit.jupiter.api.Test;
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

  /** HBase's limit of all memory stores must count many stores that have few cells each. */
  @Test
  void theFirstCellAfterAFlushReportsItsChunk() throws Exception {
    region = new RecordingRegion(TableName.valueOf("t"), 128 << 20);
    stores.add(open());
    int chunkBytes = ServerMemory.of(configuration).pool().chunkBytes();
    for (int flush = 0; flush < 2; flush++) {
      stores.get(0).add(cell("row", "q", 1, flush, "v"), region);
      assertThat(heldBytes()).isGreaterThan(chunkBytes);
      assertThat(region.getCellsCount()).isEqualTo(1);
      flush();
      assertThat(heldBytes()).isEqualTo(StoreSizes.EMPTY_HEAP_BYTES);
    }
  }

  /** Otherwise the flush would subtract from the region what it has never counted. */
  @Test
  void aCellCountsEvenIfThereIsNoMemoryToReportItsChunk() throws Exception {
    region = new RecordingRegion(TableName.valueOf("t"), 128 << 20);
    stores.add(open());
    region.failOnce();
    stores.get(0).add(cell("row", "q", 1, 1, "v"), region);
    assertThat(region.getCellsCount()).isEqualTo(1);
    flush();
    assertThat(region.getCellsCount()).isZero();
    assertThat(heldBytes()).isEqualTo(StoreSizes.EMPTY_HEAP_BYTES);
  }

  /** A region of many families would be full with a cell in each. */
  @Test
  void aChunkThatIsALargePartOfTheFlushSizeCountsOnlyWhenItIsFilled() {
    ServerMemory memory = ServerMemory.of(configuration);
    assertThat(memory.isFirstChunkSmall(4 << 20)).isTrue();
    assertThat(memory.isFirstChunkSmall(2 << 20)).isFalse();
  }

  private void fill(long flushBytes) {
    for (int row = 0; heldBytes() <= flushBytes; row++) {
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

  private long heldBytes() {
    return region.getHeapSize() + region.getOffHeapSize();
  }
}
