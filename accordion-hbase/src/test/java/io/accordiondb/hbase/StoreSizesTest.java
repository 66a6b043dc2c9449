// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.memstore.FlushableCells;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.regionserver.MemStoreSize;
import org.junit.jupiter.api.Nested;
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

  /** Chunks may be on the heap because there is no room for them elsewhere. */
  @Test
  void whatIsOnTheHeapCountsAsHeapThoughChunksCountApart() {
    RecordingRegion region = new RecordingRegion(TableName.valueOf("t"), 1 << 20);
    StoreSizes sizes = new StoreSizes(region, true);
    sizes.written(1, 1000, region);
    sizes.settle(() -> new FlushableCells(1, 1000, 1500, 1100));
    assertThat(sizes.current().getHeapSize()).isEqualTo(StoreSizes.EMPTY_HEAP_BYTES + 1100);
    assertThat(sizes.current().getOffHeapSize()).isEqualTo(400);
    assertThat(sizes.current()).isEqualTo(region.getMemStoreSize());
  }

  /** Where HBase has a limit of its own for memory off the heap. */
  @Nested
  class OffTheHeap {
    private static final int HEAP_BYTES_OF_A_CELL = 20;
    private static final int CHUNK_BYTES_OF_A_CELL = 10;

    private final RecordingRegion region = new RecordingRegion(TableName.valueOf("t"), 1 << 20);
    private final StoreSizes sizes = new StoreSizes(region, true);

    private void assertSizes(long dataBytes, long heapBytes, long offHeapBytes, int cells) {
      assertThat(region.getMemStoreSize())
          .isEqualTo(
              SnapshotSegment.size(
                  dataBytes, StoreSizes.EMPTY_HEAP_BYTES + heapBytes, offHeapBytes, cells));
      assertThat(sizes.current()).isEqualTo(region.getMemStoreSize());
    }

    private void write(int cells, long dataBytes) {
      sizes.written(cells, dataBytes, region);
    }

    @Test
    void ofWhatIsWrittenOnlyTheIndexIsOnTheHeap() {
      assertSizes(0, 0, 0, 0);
      write(10, 1000);
      assertSizes(1000, 10 * HEAP_BYTES_OF_A_CELL, 1000 + 10 * CHUNK_BYTES_OF_A_CELL, 10);
    }

    @Test
    void aSettlementReportsWhatIsHeld() {
      write(10, 1000);
      sizes.settle(() -> new FlushableCells(7, 700, 5000, 4 * HEAP_BYTES_OF_A_CELL));
      assertSizes(700, 4 * HEAP_BYTES_OF_A_CELL, 5000 - 4 * HEAP_BYTES_OF_A_CELL, 7);
      sizes.settle(() -> new FlushableCells(7, 700, 50, 4 * HEAP_BYTES_OF_A_CELL));
      assertSizes(700, 50, 0, 7);
    }

    @Test
    void aFlushSubtractsAllThatWasReported() {
      write(10, 1000);
      sizes.settle(() -> new FlushableCells(7, 700, 5000, 4 * HEAP_BYTES_OF_A_CELL));
      write(1, 30);
      MemStoreSize snapshot = sizes.startAnew();
      assertThat(snapshot.getOffHeapSize())
          .isEqualTo(5000 - 4 * HEAP_BYTES_OF_A_CELL + 30 + CHUNK_BYTES_OF_A_CELL);
      region.decMemStoreSize(snapshot);
      assertSizes(0, 0, 0, 0);
    }

    @Test
    void theSnapshotOfAFailedFlushStaysBesideWhatIsWrittenLater() {
      write(10, 1000);
      MemStoreSize snapshot = sizes.startAnew();
      write(2, 60);
      assertThat(region.getOffHeapSize()).isEqualTo(1060 + 12 * CHUNK_BYTES_OF_A_CELL);
      assertThat(sizes.current().getOffHeapSize()).isEqualTo(60 + 2 * CHUNK_BYTES_OF_A_CELL);
      region.decMemStoreSize(snapshot);
      assertSizes(60, 2 * HEAP_BYTES_OF_A_CELL, 60 + 2 * CHUNK_BYTES_OF_A_CELL, 2);
    }

    @Test
    void aDropLeavesNothing() {
      write(10, 1000);
      sizes.settle(() -> new FlushableCells(7, 700, 5000, 4 * HEAP_BYTES_OF_A_CELL));
      FlushableCells none = new FlushableCells(0, 0, 0, 0);
      assertThat(sizes.settle(() -> none, 0, () -> 699)).as("HBase knows less").isFalse();
      assertSizes(700, 4 * HEAP_BYTES_OF_A_CELL, 5000 - 4 * HEAP_BYTES_OF_A_CELL, 7);
      assertThat(sizes.settle(() -> none, 0, region::getDataSize)).isTrue();
      assertSizes(0, 0, 0, 0);
    }
  }
}
