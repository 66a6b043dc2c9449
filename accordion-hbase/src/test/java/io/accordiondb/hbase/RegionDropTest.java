// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase;

import static io.accordiondb.fixtures.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.accordiondb.fixtures.TestThread;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadPoolExecutor;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.MemStoreSize;
import org.apache.hadoop.hbase.regionserver.SnapshotDrop;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Memory that HBase drops without flushing it, and stores that it drops without closing them. */
class RegionDropTest extends RegionFixture {
  /** What HBase does to the memory of a region's copy when the region itself has flushed. */
  @Test
  void aSnapshotThatIsDroppedWithoutAFileTakesItsCellsAlong() throws IOException {
    HRegion region = open(withOurs(table("dropped", family())));
    HStore store = storeOf(region);
    for (int i = 0; i < 500; i++) {
      region.put(put(i, 1, "gone"));
    }
    assertThat(region.getMemStoreDataSize()).isPositive();
    SnapshotDrop.drop(region, store, () -> region.put(put(7, 2, "kept")));

    assertThat(store.getStorefilesCount()).isZero();
    assertThat(store.getSnapshotSize().getCellsCount()).isZero();
    assertThat(read(region, new Scan())).containsExactly("row7:q@2=kept");
    assertThat(region.getMemStoreDataSize()).isEqualTo(store.getMemStoreSize().getDataSize());
    region.flush(true);
    assertThat(region.getMemStoreDataSize()).isZero();
    assertThat(read(region, new Scan())).containsExactly("row7:q@2=kept");
  }

  /** What HBase does with what it has replayed into a region that then cannot be opened. */
  @ParameterizedTest
  @ValueSource(ints = {1, 100, 3333, 10_000})
  void aDropLeavesNothingInTheSizesOfTheRegion(int cells) throws Exception {
    HRegion region = open(withOurs(table("sizes" + cells, family())));
    for (int round = 0; round < 3; round++) {
      for (int i = 0; i < cells; i++) {
        region.put(put(i % 10, i, "value" + i));
      }
      SnapshotDrop.dropAll(region);
      assertThat(region.getMemStoreDataSize()).isZero();
      assertThat(region.getMemStoreHeapSize()).isEqualTo(StoreSizes.EMPTY_HEAP_BYTES);
      assertThat(region.getMemStoreOffHeapSize()).isZero();
      assertThat(read(region, new Scan())).isEmpty();
    }
  }

  /** A flush begins when all cells have expired in memory and the sizes do not say so yet. */
  @Test
  void aFlushThatFindsNoCellLeavesWhatIsWrittenLaterToTheNext() throws Exception {
    HRegion region = open(withOurs(table("expired", family().setTimeToLive(1000))));
    HStore store = storeOf(region);
    region.blockUpdates();
    try {
      region.put(expired(0));
      region.put(expired(1));
      await("a compaction", () -> memStoreOf(region).figures().cells(), cells -> cells == 0);
      assertThat(store.getMemStoreSize().getCellsCount()).isEqualTo(2 * WIDE_ROW_CELLS);
      region.flush(true);
    } finally {
      region.unblockUpdates();
    }
    assertThat(region.getMemStoreDataSize()).isZero();
    assertThat(store.getFlushableSize().getDataSize()).isZero();
    assertThat(store.getSnapshotSize().getCellsCount()).isZero();

    long now = System.currentTimeMillis();
    region.put(put(7, now, "later"));
    region.flush(true);
    assertThat(store.getStorefilesCount()).isEqualTo(1);
    assertThat(region.getMemStoreDataSize()).isZero();
    assertThat(region.getMemStoreHeapSize()).isEqualTo(StoreSizes.EMPTY_HEAP_BYTES);
    assertThat(read(region, new Scan())).containsExactly("row7:q@" + now + "=later");
  }

  @Test
  void aDropOfCellsThatHaveExpiredInMemorySubtractsThemOnce() throws Exception {
    HRegion region = open(withOurs(table("expired-drop", family().setTimeToLive(1000))));
    region.blockUpdates();
    try {
      region.put(expired(0));
      region.put(expired(1));
      await("a compaction", () -> memStoreOf(region).figures().cells(), cells -> cells == 0);
      assertThat(memStoreOf(region).size().getCellsCount()).isEqualTo(2 * WIDE_ROW_CELLS);
      SnapshotDrop.dropAll(region);
    } finally {
      region.unblockUpdates();
    }
    assertThat(region.getMemStoreDataSize()).isZero();
    assertThat(region.getMemStoreHeapSize()).isEqualTo(StoreSizes.EMPTY_HEAP_BYTES);
  }

  /** HBase subtracts what it was told, and only then takes the snapshot that it drops. */
  @Test
  void aDropBesideWhichTheLastCellsExpireSubtractsThemOnce() throws Exception {
    HRegion region = open(withOurs(table("expired-beside", family().setTimeToLive(1000))));
    ArenaMemStore memStore = memStoreOf(region);
    ThreadPoolExecutor threads =
        (ThreadPoolExecutor) ServerMemory.of(FILES.getConfiguration()).executor();
    CountDownLatch compacts = new CountDownLatch(1);
    for (int i = 0; i < threads.getCorePoolSize(); i++) {
      threads.execute(() -> awaitOpening(compacts));
    }
    region.blockUpdates();
    try {
      region.put(expired(0));
      region.put(expired(1));
      MemStoreSize told = memStore.getFlushableSize();
      assertThat(told.getCellsCount()).isEqualTo(2 * WIDE_ROW_CELLS);
      compacts.countDown();
      await("a compaction", () -> memStore.figures().cells(), cells -> cells == 0);
      SnapshotDrop.drop(region, storeOf(region), told);
    } finally {
      compacts.countDown();
      region.unblockUpdates();
    }
    assertThat(region.getMemStoreDataSize()).isZero();
    assertThat(region.getMemStoreHeapSize()).isEqualTo(StoreSizes.EMPTY_HEAP_BYTES);
    assertThat(memStore.getSnapshotSize().getCellsCount()).isZero();
    assertThat(read(region, new Scan())).isEmpty();
  }

  /** HBase counts the cells of a batch when it has added all of them, and logs a size below 0. */
  @Test
  void cellsThatExpireBesideTheirBatchAreNotSubtractedBeforeHBaseCountsThem() throws Exception {
    HRegion region = open(withOurs(table("expired-batch", family().setTimeToLive(1000))));
    ArenaMemStore memStore = memStoreOf(region);
    List<Long> sizes = new ArrayList<>();
    long now = System.currentTimeMillis();
    KeyValue last =
        new KeyValue(Bytes.toBytes("row7"), FAMILY, FAMILY, now, FAMILY) {
          @Override
          public byte[] getBuffer() {
            if (memStore.size().getCellsCount() > 0) {
              await("a compaction", () -> memStore.figures().cells(), cells -> cells == 0);
              memStore.settle();
              sizes.add(region.getMemStoreDataSize());
            }
            return super.getBuffer();
          }
        };
    region.batchMutate(
        new Mutation[] {
          expired(0).setDurability(Durability.SKIP_WAL),
          expired(1).setDurability(Durability.SKIP_WAL),
          new Put(Bytes.toBytes("row7")).add(last).setDurability(Durability.SKIP_WAL)
        });
    assertThat(sizes).isNotEmpty().allMatch(size -> size >= 0);
    await("right sizes", () -> memStore.size().getCellsCount(), cells -> cells == 1);
    assertThat(region.getMemStoreDataSize()).isEqualTo(memStore.size().getDataSize());
    region.flush(true);
    assertThat(region.getMemStoreDataSize()).isZero();
    assertThat(region.getMemStoreHeapSize()).isEqualTo(StoreSizes.EMPTY_HEAP_BYTES);
  }

  private static void awaitOpening(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** HBase was not told of the cells that such a batch has left. */
  @Test
  void aDropAfterABatchThatHasFailedLeavesNothingInTheSizes() throws Exception {
    HRegion region = open(withOurs(table("failed-drop", family())));
    KeyValue added = new KeyValue(FAMILY, FAMILY, FAMILY, 1, FAMILY);
    assertThatThrownBy(() -> memStoreOf(region).add(List.of(added, brokenCell()), null))
        .isInstanceOf(OutOfMemoryError.class);
    SnapshotDrop.dropAll(region);
    assertThat(region.getMemStoreDataSize()).isZero();
    assertThat(region.getMemStoreHeapSize()).isEqualTo(StoreSizes.EMPTY_HEAP_BYTES);
  }

  /** The flush may be one of other families, after which nothing changes in this one. */
  @Test
  void sizesAreSettledAfterAFlushHasPreventedIt() throws Exception {
    HRegion region = open(withOurs(table("prevented", family().setTimeToLive(1000))));
    ArenaMemStore memStore = memStoreOf(region);
    region.blockUpdates();
    try {
      region.put(expired(0));
      region.put(expired(1));
      await("a compaction", () -> memStore.figures().cells(), cells -> cells == 0);
      ThreadPoolExecutor threads =
          (ThreadPoolExecutor) ServerMemory.of(FILES.getConfiguration()).executor();
      await(
          "the end of all requests",
          () -> threads.getActiveCount() == 0 && threads.getQueue().isEmpty());
      TestThread.start("settling", memStore::settle).join();
      assertThat(memStore.size().getCellsCount()).isEqualTo(2 * WIDE_ROW_CELLS);
    } finally {
      region.unblockUpdates();
    }
    await("right sizes", () -> memStore.size().getCellsCount(), cells -> cells == 0);
    assertThat(region.getMemStoreHeapSize()).isEqualTo(StoreSizes.EMPTY_HEAP_BYTES);
  }

  @Test
  void storesOfARegionThatCannotBeOpenedAreClosed() throws Exception {
    failToOpen(
        open(
            withOurs(table("broken", family()))
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of("g"))
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of("h"))));
    // HBase before 2.5.9 does not close the stores of the region that was open, either.
    close();
    await("the end of its stores", () -> openStores("broken"), stores -> stores == 0);
  }

  /** Breaks a region's file, and tries to open the region again. */
  private static void failToOpen(HRegion region) throws IOException {
    overwrite(region);
    region.flush(true);
    Path file = storeOf(region).getStorefiles().iterator().next().getPath();
    region.close();
    try (FSDataOutputStream broken = FILES.getTestFileSystem().create(file, true)) {
      broken.writeBytes("no store file");
    }
    for (int attempt = 0; attempt < 3; attempt++) {
      assertThatThrownBy(() -> HRegion.openHRegion(region, null)).isInstanceOf(IOException.class);
    }
  }

  private static long openStores(String table) {
    System.gc();
    StoreFigures figures = OpenStores.figuresByTable().get(table);
    return figures == null ? 0 : figures.stores();
  }

  /** HBase before 2.5.9 closes no memory store: only the collector can tell that it is done. */
  @Test
  void aStoreKeepsNoRegionFromBeingCollected() throws Exception {
    HRegion region = open(withOurs(table("forgotten", family())));
    overwrite(region);
    ArenaMemStore store = memStoreOf(region);
    WeakReference<HRegion> reference = new WeakReference<>(region);
    close();
    region = null;
    await(
        "the collection of the region",
        () -> {
          System.gc();
          return reference.get() == null;
        });
    assertThat(store.figures().cells()).isZero();
  }
}
