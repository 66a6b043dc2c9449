// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase;

import static io.accordiondb.fixtures.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import org.apache.hadoop.hbase.ArrayBackedTag;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.MetaCellComparator;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.Tag;
import org.apache.hadoop.hbase.exceptions.UnexpectedStateException;
import org.apache.hadoop.hbase.regionserver.DefaultMemStore;
import org.apache.hadoop.hbase.regionserver.KeyValueHeap;
import org.apache.hadoop.hbase.regionserver.KeyValueScanner;
import org.apache.hadoop.hbase.regionserver.MemStoreSize;
import org.apache.hadoop.hbase.regionserver.MemStoreSnapshot;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AccordionMemStoreTest extends MemStoreFixture {
  private static List<String> read(List<KeyValueScanner> scanners) throws IOException {
    List<String> cells = new ArrayList<>();
    if (scanners.isEmpty()) {
      return cells;
    }
    try (KeyValueHeap heap = new KeyValueHeap(scanners, ORDER)) {
      for (Cell cell = heap.next(); cell != null; cell = heap.next()) {
        cells.add(text(cell));
      }
    }
    return cells;
  }

  /** Corrects what was reported beside writers, whose last batch may be counted twice. */
  private static void settle(AccordionMemStore store) {
    ((ArenaMemStore) store.delegate()).settle();
  }

  @Test
  void readersSeeCellsUpToTheirReadPoint() throws IOException {
    AccordionMemStore store = open();
    store.add(List.of(cell("a", "q", 1, 5, "x"), cell("b", "q", 1, 5, "y")), null);
    store.add(cell("a", "q", 2, 6, "z"), null);
    assertThat(read(store.getScanners(4))).isEmpty();
    assertThat(read(store.getScanners(5))).containsExactly("a:q=x@5", "b:q=y@5");
    assertThat(read(store.getScanners(6))).containsExactly("a:q=z@6", "a:q=x@5", "b:q=y@5");
  }

  @ParameterizedTest
  @ValueSource(strings = {"BASIC", "EAGER", "ADAPTIVE"})
  void whatIsReportedEqualsTheSnapshotInAllCounters(String policy) throws Exception {
    configuration.set(StoreSettings.POLICY_KEY, policy);
    AccordionMemStore store = open();
    assertThat(region.getMemStoreSize())
        .isEqualTo(SnapshotSegment.size(0, StoreSizes.EMPTY_HEAP_BYTES, 0, 0));
    Random random = new Random(7);
    for (int flush = 0; flush < 5; flush++) {
      long dataBytes = 0;
      int count = 1000 + random.nextInt(3000);
      for (int i = 0; i < count; i++) {
        KeyValue cell =
            cell(
                "row" + random.nextInt(500),
                "q",
                i,
                flush * 10_000L + i,
                "v".repeat(random.nextInt(100)));
        dataBytes += cell.getSerializedSize();
        store.add(cell, region);
      }
      settle(store);
      MemStoreSnapshot snapshot = store.snapshot();
      assertThat(snapshot.getCellsCount()).isEqualTo(count);
      assertThat(snapshot.getDataSize()).isEqualTo(dataBytes);
      assertThat(store.getFlushableSize()).isEqualTo(snapshot.getMemStoreSize());
      assertThat(store.getSnapshotSize()).isEqualTo(snapshot.getMemStoreSize());
      assertThat(read(snapshot.getScanners())).hasSize(count);
      MemStoreSize flushed = snapshot.getMemStoreSize();
      region.decMemStoreSize(flushed);
      assertThat(region.getMemStoreSize())
          .isEqualTo(SnapshotSegment.size(0, StoreSizes.EMPTY_HEAP_BYTES, 0, 0));
      assertThat(store.size()).isEqualTo(region.getMemStoreSize());
      store.clearSnapshot(snapshot.getId());
      assertThat(store.getSnapshotSize().isEmpty()).isTrue();
      assertThat(store.getFlushableSize().getDataSize()).isZero();
    }
  }

  @Test
  void aFailedFlushGetsTheSameSnapshotAgain() throws Exception {
    AccordionMemStore store = open();
    store.add(cell("a", "q", 1, 1, "x"), region);
    MemStoreSnapshot first = store.snapshot();
    store.add(cell("b", "q", 1, 2, "y"), region);
    MemStoreSnapshot again = store.snapshot();
    assertThat(again.getId()).isEqualTo(first.getId()).isPositive();
    assertThat(again.getMemStoreSize()).isEqualTo(first.getMemStoreSize());
    assertThat(read(again.getScanners())).containsExactly("a:q=x@1");
    assertThat(read(store.getScanners(9))).containsExactly("a:q=x@1", "b:q=y@2");
    assertThatThrownBy(() -> store.clearSnapshot(first.getId() + 1))
        .isInstanceOf(UnexpectedStateException.class);
    store.clearSnapshot(first.getId());
    assertThat(read(store.getScanners(9))).containsExactly("b:q=y@2");
    assertThat(read(store.snapshot().getScanners())).containsExactly("b:q=y@2");
  }

  /** Its memory may hold other cells. */
  @Test
  void aSnapshotThatIsGoneHasNoScanners() throws Exception {
    AccordionMemStore store = open();
    store.add(cell("a", "q", 1, 1, "x"), region);
    MemStoreSnapshot cleared = store.snapshot();
    List<KeyValueScanner> early = cleared.getScanners();
    store.clearSnapshot(cleared.getId());
    assertThat(read(early)).containsExactly("a:q=x@1");
    assertThatThrownBy(() -> read(cleared.getScanners())).isInstanceOf(IllegalStateException.class);

    store.add(cell("b", "q", 1, 2, "y"), region);
    MemStoreSnapshot closed = store.snapshot();
    store.close();
    assertThatThrownBy(() -> read(closed.getScanners())).isInstanceOf(IllegalStateException.class);
  }

  /** HBase would delete the log of cells that were written between the two calls. */
  @Test
  void aSnapshotThatHasFailedHalfWayIsNotTakenForOneOfAllCells() throws IOException {
    AccordionMemStore store = open();
    store.add(cell("a", "q", 1, 1, "x"), region);
    region.failOnce();
    assertThatThrownBy(store::snapshot).isInstanceOf(OutOfMemoryError.class);
    store.add(cell("b", "q", 1, 2, "y"), region);
    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(store::snapshot).isInstanceOf(IllegalStateException.class);
    }
    assertThat(read(store.getScanners(9))).containsExactly("a:q=x@1", "b:q=y@2");
  }

  @Test
  void anEmptySnapshotThatIsNeverClearedDoesNotBlockTheNext() throws IOException {
    AccordionMemStore store = open();
    assertThat(store.snapshot().getCellsCount()).isZero();
    store.add(cell("a", "q", 1, 1, "x"), region);
    assertThat(read(store.snapshot().getScanners())).containsExactly("a:q=x@1");
  }

  @Test
  void clearingWithoutASnapshotIsIgnored() throws Exception {
    open().clearSnapshot(17);
  }

  @Test
  void theOldestEditIsThatSinceTheLastSnapshot() {
    AccordionMemStore store = open();
    assertThat(store.timeOfOldestEdit()).isEqualTo(Long.MAX_VALUE);
    long before = System.currentTimeMillis();
    store.add(cell("a", "q", 1, 1, "x"), region);
    assertThat(store.timeOfOldestEdit()).isBetween(before, System.currentTimeMillis());
    store.snapshot();
    assertThat(store.timeOfOldestEdit()).isEqualTo(Long.MAX_VALUE);
    assertThat(store.preFlushSeqIDEstimation()).isEqualTo(HConstants.NO_SEQNUM);
    assertThat(store.isSloppy()).isFalse();
  }

  /** With a time, HBase would request flushes of the empty store for ever. */
  @Test
  void aBatchWithoutCellsIsNoEdit() {
    AccordionMemStore store = open();
    store.add(List.of(), region);
    store.upsert(List.of(), 1, region);
    assertThat(store.timeOfOldestEdit()).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void cellsStayValidUntilTheScannerIsClosedAlthoughTheirSegmentIsGone() throws Exception {
    configuration.set(StoreSettings.POLICY_KEY, "BASIC");
    AccordionMemStore store = open();
    store.add(cell("a", "q", 1, 1, "kept"), region);
    List<KeyValueScanner> scanners = store.getScanners(9);
    Cell held = scanners.get(0).next();
    MemStoreSnapshot snapshot = store.snapshot();
    store.clearSnapshot(snapshot.getId());
    for (int i = 0; i < 20_000; i++) {
      store.add(cell("other" + i, "q", 1, 2, "something else"), region);
    }
    assertThat(text(held)).isEqualTo("a:q=kept@1");
    scanners.forEach(KeyValueScanner::close);
  }

  @Test
  void tagsAreKeptAndTheSnapshotSaysThatThereAreSome() throws IOException {
    AccordionMemStore store = open();
    Tag tag = new ArrayBackedTag((byte) 70, "secret");
    KeyValue tagged =
        new KeyValue(
            Bytes.toBytes("a"), FAMILY, Bytes.toBytes("q"), 1, Bytes.toBytes("v"), new Tag[] {tag});
    tagged.setSequenceId(1);
    store.add(List.of(cell("b", "q", 1, 1, "w"), tagged), region);
    assertThat(region.getDataSize())
        .isEqualTo(tagged.getSerializedSize() + cell("b", "q", 1, 1, "w").getSerializedSize());
    MemStoreSnapshot snapshot = store.snapshot();
    assertThat(snapshot.isTagsPresent()).isTrue();
    try (KeyValueHeap heap = new KeyValueHeap(snapshot.getScanners(), ORDER)) {
      Tag read = PrivateCellUtil.getTag(heap.peek(), (byte) 70).orElseThrow();
      assertThat(Tag.getValueAsString(read)).isEqualTo("secret");
      heap.next();
      assertThat(heap.peek().getTagsLength()).isZero();
    }
  }

  @Test
  void cellsLargerThanAChunkAndThanTheInMemoryFlushSizeAreTaken() throws Exception {
    AccordionMemStore store = open();
    String large = "x".repeat(3 << 20);
    for (int i = 0; i < 4; i++) {
      store.add(cell("row" + i, "q", 1, i, large), region);
      store.add(cell("row" + i, "r", 1, i, "small"), region);
    }
    assertThat(read(store.getScanners(9))).hasSize(8).contains("row3:q=" + large + "@3");
    MemStoreSnapshot snapshot = store.snapshot();
    region.decMemStoreSize(snapshot.getMemStoreSize());
    store.clearSnapshot(snapshot.getId());
    assertThat(region.getDataSize()).isZero();
  }

  @Test
  void anUpsertLeavesWhatOlderReadersSee() throws IOException {
    AccordionMemStore store = open();
    for (int i = 1; i <= 3; i++) {
      store.upsert(List.of(cell("a", "q", 10, i, "count" + i)), 1, region);
    }
    assertThat(read(store.getScanners(1))).containsExactly("a:q=count1@1");
    assertThat(read(store.getScanners(3)).get(0)).isEqualTo("a:q=count3@3");
    assertThat(region.getCellsCount()).isEqualTo(3);
  }

  @Test
  void theTablesOfHBaseAndThePolicyNoneGetHBasesOwnStore() {
    assertThat(
            new AccordionMemStore(configuration, MetaCellComparator.META_COMPARATOR, region)
                .delegate())
        .isInstanceOf(DefaultMemStore.class);
    RecordingRegion system = new RecordingRegion(TableName.valueOf("hbase:acl"), 1 << 20);
    assertThat(new AccordionMemStore(configuration, ORDER, system).delegate())
        .isInstanceOf(DefaultMemStore.class);
    RecordingRegion master = new RecordingRegion(TableName.valueOf("master:store"), 1 << 20);
    assertThat(new AccordionMemStore(configuration, ORDER, master).delegate())
        .isInstanceOf(DefaultMemStore.class);
    configuration.set(StoreSettings.POLICY_KEY, "none");
    assertThat(new AccordionMemStore(configuration, ORDER, region).delegate())
        .isInstanceOf(DefaultMemStore.class);
    configuration.set(StoreSettings.POLICY_KEY, "basic");
    assertThat(open().delegate()).isInstanceOf(ArenaMemStore.class);
  }

  @Test
  void writersMayBeMany() throws Exception {
    AccordionMemStore store = open();
    List<Thread> writers = new ArrayList<>();
    for (int w = 0; w < 4; w++) {
      int writer = w;
      Thread thread =
          new Thread(
              () -> {
                for (int i = 0; i < 5000; i++) {
                  store.add(
                      Arrays.asList(
                          cell("r" + writer + "-" + i, "a", 1, i, "v"),
                          cell("r" + writer + "-" + i, "b", 1, i, "v")),
                      region);
                }
              });
      thread.start();
      writers.add(thread);
    }
    for (Thread writer : writers) {
      writer.join();
    }
    settle(store);
    MemStoreSnapshot snapshot = store.snapshot();
    assertThat(snapshot.getCellsCount()).isEqualTo(40_000);
    assertThat(read(snapshot.getScanners())).hasSize(40_000);
    region.decMemStoreSize(snapshot.getMemStoreSize());
    assertThat(region.getMemStoreSize())
        .isEqualTo(SnapshotSegment.size(0, StoreSizes.EMPTY_HEAP_BYTES, 0, 0));
    store.clearSnapshot(snapshot.getId());
  }

  /** The server could not start a thread for the first in-memory flush, but can later. */
  @Test
  void sizesAreSettledAfterThereWasNoThreadOnce() throws Exception {
    AccordionMemStore store = open();
    ThreadPoolExecutor threads = (ThreadPoolExecutor) ServerMemory.of(configuration).executor();
    ThreadFactory factory = threads.getThreadFactory();
    int count = threads.getMaximumPoolSize();
    threads.setThreadFactory(
        task -> {
          throw new OutOfMemoryError("injected");
        });
    threads.setMaximumPoolSize(count + 1);
    threads.setCorePoolSize(count + 1);
    try {
      assertThatCode(() -> write(store, 0)).doesNotThrowAnyException();
    } finally {
      threads.setThreadFactory(factory);
      threads.setCorePoolSize(count);
      threads.setMaximumPoolSize(count);
    }
    int reports = region.reports();
    write(store, 1);
    await("a report of the sizes", () -> region.reports() > reports);
  }

  /** Writes enough for an in-memory flush. */
  private void write(AccordionMemStore store, int sequence) {
    for (int i = 0; i < 1000; i++) {
      store.add(cell("r" + i, "q", 1, sequence, "value"), region);
    }
  }
}
