// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase;

import static io.accordiondb.fixtures.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyLong;

import io.accordiondb.fixtures.TestThread;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Field;
import java.util.HashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.regionserver.FlushLifeCycleTracker;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.RegionServicesForStores;
import org.apache.hadoop.hbase.regionserver.RowProcessor;
import org.apache.hadoop.hbase.regionserver.SnapshotDrop;
import org.apache.hadoop.hbase.regionserver.wal.AbstractFSWAL;
import org.apache.hadoop.hbase.regionserver.wal.WALActionsListener;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.wal.WAL;
import org.apache.hadoop.hbase.wal.WALEdit;
import org.apache.hadoop.hbase.wal.WALKey;
import org.junit.jupiter.api.Test;
import org.mockito.Mockito;

/** What the plug-in reports to the log of a region as no longer needed. */
class RegionLogTest extends RegionFixture {
  /** A family beside the one that is looked at. */
  private static final byte[] OTHER = Bytes.toBytes("g");

  /** Of 2000, which are ten rows. */
  private static final int CELLS_AFTER_COMPACTIONS = 500;

  /** Enough for several segments. */
  private static final int ASYNCHRONOUS_WRITES = 300;

  private HRegion openWithOther(String name) throws IOException {
    return open(
        withOurs(table(name, family())).setColumnFamily(ColumnFamilyDescriptorBuilder.of(OTHER)));
  }

  private static void awaitCompactions(ArenaMemStore memStore) throws Exception {
    await(
        "compactions in memory",
        () -> memStore.figures().cells(),
        cells -> cells < CELLS_AFTER_COMPACTIONS);
  }

  /** What was overwritten in memory is no longer needed from the log; what was not still is. */
  @Test
  void theLogIsToldOfTheOldestCellThatIsLeft() throws Exception {
    HRegion region = open(withOurs(table("logged", family())));
    region.put(put(0, 0, "first"));
    long first = earliestInLog(region);
    assertThat(first).isPositive();
    FILES.waitFor(
        180_000,
        () -> {
          overwrite(region);
          return earliestInLog(region) > first;
        });
    Put kept = put(1000, 1, "stays alone in its row");
    region.put(kept);
    long keptNumber = region.getMVCC().getReadPoint();
    FILES.waitFor(
        180_000,
        () -> {
          overwrite(region);
          return earliestInLog(region) == keptNumber;
        });
    overwrite(region);
    settle(region);
    assertThat(earliestInLog(region)).isEqualTo(keptNumber);
  }

  /** Another version of HBase may keep its account elsewhere. Its log then stays as it is. */
  @Test
  void aLogWhoseAccountCannotBeReachedIsToldNothing() {
    assertThat(UnflushedNumbers.of(Mockito.mock(AbstractFSWAL.class))).isNull();
  }

  /** Told of the cells of a flush that has begun, the log would keep their number after it. */
  @Test
  void whileAFlushIsOnItsWayTheLogIsToldNothing() throws Exception {
    HRegion region = open(withOurs(table("flushed", family())));
    region.put(put(0, 0, "value"));
    byte[] name = region.getRegionInfo().getEncodedNameAsBytes();
    region.getWAL().startCacheFlush(name, Set.of(FAMILY));
    SnapshotDrop.drop(region, storeOf(region), () -> settle(memStoreOf(region)));
    region.getWAL().completeCacheFlush(name, region.getMVCC().getReadPoint());
    assertThat(earliestInLog(region)).isEqualTo(HConstants.NO_SEQNUM);
  }

  @Test
  void aWriteDuringTheSearchForTheOldestCellIsNotPassedOver() throws Exception {
    HRegion region = open(withOurs(table("searched", family())));
    region.put(put(0, 0, "first"));
    long first = region.getMVCC().getReadPoint();
    RegionAccess access = new RegionAccess(region.getRegionServicesForStores());
    // A writer that was overtaken adds its cell when the oldest one is known already.
    assertThat(access.lowestSequence(false, () -> writing(region, put(1, 0, "late"), first + 9)))
        .isEqualTo(first + 1);
    // A cell that the log lacks may have displaced the oldest one.
    Put unlogged = put(0, 0, "unlogged").setDurability(Durability.SKIP_WAL);
    assertThat(access.lowestSequence(false, () -> writing(region, unlogged, first))).isEqualTo(-1);
  }

  private static long writing(HRegion region, Put put, long oldest) {
    try {
      region.put(put);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return oldest;
  }

  /** A crash takes what the log lacks; the log must still have what that displaced. */
  @Test
  void theLogKeepsWhatCellsThatItLacksHaveDisplaced() throws Exception {
    HRegion region = open(withOurs(table("unlogged", family())));
    region.put(put(0, 0, "logged"));
    long logged = earliestInLog(region);
    for (int i = 0; i < 2000; i++) {
      region.put(put(i % 10, i, "value" + i).setDurability(Durability.SKIP_WAL));
    }
    FILES.waitFor(180_000, () -> memStoreOf(region).figures().cellsEliminated() > 0);
    settle(region);
    settle(memStoreOf(region));
    assertThat(earliestInLog(region)).isEqualTo(logged);

    region.flush(true);
    assertThat(earliestInLog(region)).isEqualTo(HConstants.NO_SEQNUM);
    region.put(put(0, 0, "first"));
    long first = earliestInLog(region);
    FILES.waitFor(
        180_000,
        () -> {
          overwrite(region);
          return earliestInLog(region) > first;
        });
  }

  /** HBase does not count the mutations of a processor that leaves out the log. */
  @Test
  void theLogKeepsWhatARowProcessorHasDisplaced() throws Exception {
    HRegion region = open(withOurs(table("processed", family())));
    region.put(put(0, 0, "logged"));
    long logged = earliestInLog(region);
    for (int i = 0; i < 2000; i++) {
      region.processRowsWithLocks(unloggedWriter(put(i % 10, i, "value" + i)));
    }
    assertThat(region.getNumMutationsWithoutWAL()).isZero();
    ArenaMemStore memStore = memStoreOf(region);
    awaitCompactions(memStore);
    settle(memStore);
    assertThat(earliestInLog(region)).isEqualTo(logged);
  }

  private static RowProcessor<?, ?> unloggedWriter(Put put) throws IOException {
    RowProcessor<?, ?> processor = Mockito.mock(RowProcessor.class);
    Mockito.when(processor.getRowsToLock()).thenReturn(List.of(put.getRow()));
    Mockito.doAnswer(
            call -> {
              List<Mutation> mutations = call.getArgument(2);
              mutations.add(put);
              return null;
            })
        .when(processor)
        .process(anyLong(), any(), any(), any());
    return processor;
  }

  /** Each flush, even one of other families, makes HBase count again what its log lacks. */
  @Test
  void aFlushOfAnotherFamilyLeavesWhatTheLogMustKeep() throws Exception {
    HRegion region = openWithOther("families");
    region.put(put(0, 0, "logged"));
    long logged = earliestInLog(region);
    for (int i = 0; i < 2000; i++) {
      region.put(put(i % 10, i, "value" + i).setDurability(Durability.SKIP_WAL));
    }
    ArenaMemStore memStore = memStoreOf(region);
    awaitCompactions(memStore);
    region.put(new Put(Bytes.toBytes("row0")).addColumn(OTHER, null, Bytes.toBytes("value")));
    region.flushcache(List.of(OTHER), false, FlushLifeCycleTracker.DUMMY);
    settle(memStore);
    assertThat(earliestInLog(region)).isEqualTo(logged);
  }

  /** HBase counts again when a flush is requested, though such a cell may not be in memory yet. */
  @Test
  void aFlushRequestedDuringAWriteLeavesWhatTheLogMustKeep() throws Exception {
    HRegion region = openWithOther("requested");
    region.put(put(0, 0, "logged"));
    long logged = earliestInLog(region);
    AtomicReference<TestThread> flush = new AtomicReference<>();
    region
        .getWAL()
        .registerWALActionsListener(
            new WALActionsListener() {
              @Override
              public void postAppend(long bytes, long millis, WALKey key, WALEdit edit) {
                if (flush.get() == null) {
                  flush.set(
                      TestThread.start(
                          "flush",
                          () ->
                              region.flushcache(
                                  List.of(OTHER), false, FlushLifeCycleTracker.DUMMY)));
                  await(
                      "the request of the flush",
                      region::getNumMutationsWithoutWAL,
                      count -> count == 0);
                }
              }
            });
    region.batchMutate(
        new Mutation[] {
          put(0, 1, "unlogged").setDurability(Durability.SKIP_WAL),
          new Put(Bytes.toBytes("row0")).addColumn(OTHER, null, Bytes.toBytes("logged"))
        });
    flush.get().join();
    assertThat(region.getNumMutationsWithoutWAL()).isZero();
    ArenaMemStore memStore = memStoreOf(region);
    for (int i = 0; i < 2000; i++) {
      region.put(put(10 + i % 10, i, "value" + i));
    }
    awaitCompactions(memStore);
    settle(memStore);
    assertThat(earliestInLog(region)).isEqualTo(logged);
  }

  /** HBase flushes no region whose size is 0, and without a flush the log keeps all its files. */
  @Test
  void aFlushReleasesTheLogOfCellsThatHaveAllExpiredInMemory() throws Exception {
    HRegion region = open(withOurs(table("idle", family().setTimeToLive(1000))));
    ArenaMemStore memStore = memStoreOf(region);
    region.put(expired(0));
    region.put(expired(1));
    await("a compaction", () -> memStore.figures().cells(), cells -> cells == 0);
    settle(memStore);
    assertThat(memStore.size().getCellsCount()).isZero();
    assertThat(earliestInLog(region)).isPositive();
    region.flush(true);
    assertThat(earliestInLog(region)).isEqualTo(HConstants.NO_SEQNUM);
    assertThat(memStore.timeOfOldestEdit()).isEqualTo(Long.MAX_VALUE);
    assertThat(region.getMemStoreDataSize()).isZero();
    assertThat(region.getMemStoreHeapSize()).isEqualTo(StoreSizes.EMPTY_HEAP_BYTES);
    assertThat(storeOf(region).getStorefilesCount()).isZero();
  }

  /** The flush, and all writers behind it, would wait until the log is synced. */
  @Test
  void aFlushThatWaitsForWritersIsNotOvertaken() throws Exception {
    HRegion region =
        open(
            table("waiting", family())
                .setValue(HStore.MEMSTORE_CLASS_NAME, AccordionMemStore.class.getName()));
    region.put(put(0, 0, "value"));
    RegionAccess access = new RegionAccess(new RegionServicesForStores(region, null));
    AtomicReference<TestThread> flush = new AtomicReference<>();
    AtomicReference<Boolean> overtakes = new AtomicReference<>();
    access.unlessAFlushBegins(
        () -> {
          flush.set(TestThread.start("flush", () -> region.flush(true)));
          flush.get().awaitBlockedIn("internalPrepareFlushCache");
          TestThread.start("settling", () -> overtakes.set(access.unlessAFlushBegins(() -> true)));
          await("the attempt to settle", () -> overtakes.get() != null);
          return true;
        });
    flush.get().join();
    assertThat(overtakes).hasValue(false);
    assertThat(access.unlessAFlushBegins(() -> true)).isTrue();
  }

  /**
   * The thread that writes the log counts the highest number of each region in the present file,
   * without a lock. A lower count lets HBase delete the file too early.
   */
  @Test
  void aReportLeavesAloneTheHighestNumbersInTheFilesOfTheLog() throws Exception {
    HRegion region = open(withOurs(table("highest", family())));
    region.put(put(0, 0, "first"));
    long first = earliestInLog(region);
    ArenaMemStore memStore = memStoreOf(region);
    HighestNumbers highest = new HighestNumbers(() -> region.put(put(1000, 1, "beside it")));
    region.blockUpdates();
    try {
      overwrite(region);
      awaitCompactions(memStore);
      region.getWAL().rollWriter(true);
      highest.putInto(region.getWAL());
    } finally {
      region.unblockUpdates();
    }
    await(
        "what the log is told",
        () -> {
          settle(memStore);
          return earliestInLog(region);
        },
        earliest -> earliest > first);
    long last = region.getMVCC().getReadPoint();
    byte[] name = region.getRegionInfo().getEncodedNameAsBytes();
    assertThat(highest.getOrDefault(name, last)).isEqualTo(last);
  }

  /** HBase's count, beside which something is written when it is first read. */
  private static final class HighestNumbers extends HashMap<byte[], Long> {
    private static final long serialVersionUID = 1;
    private final transient TestThread.Call write;
    private final AtomicBoolean written = new AtomicBoolean();

    HighestNumbers(TestThread.Call write) {
      this.write = write;
    }

    void putInto(WAL log) throws ReflectiveOperationException {
      Object accounting = field(AbstractFSWAL.class, "sequenceIdAccounting").get(log);
      field(accounting.getClass(), "highestSequenceIds").set(accounting, this);
    }

    private static Field field(Class<?> type, String name) throws NoSuchFieldException {
      Field field = type.getDeclaredField(name);
      field.setAccessible(true);
      return field;
    }

    @Override
    public Long get(Object region) {
      Long found = super.get(region);
      if (!written.getAndSet(true)) {
        try {
          TestThread.start("write", write).join();
        } catch (Exception e) {
          throw new AssertionError(e);
        }
      }
      return found;
    }
  }

  /** A crash takes what the log has not synced; the log must still have what that displaced. */
  @Test
  void theLogIsSyncedBeforeItIsToldWhatItNoLongerNeeds() throws Exception {
    HRegion region = open(withOurs(table("asynchronous", family())));
    AtomicInteger syncs = new AtomicInteger();
    region
        .getWAL()
        .registerWALActionsListener(
            new WALActionsListener() {
              @Override
              public void postSync(long nanos, int handlers) {
                syncs.incrementAndGet();
              }
            });
    region.put(put(0, 0, "synced"));
    await("the sync of the first write", () -> syncs.getAndSet(0), count -> count > 0);
    ArenaMemStore memStore = memStoreOf(region);
    long told = earliestInLog(region);
    // Less than HBase writes at once without being asked to sync.
    for (int i = 0; i < ASYNCHRONOUS_WRITES; i++) {
      region.put(put(i % 2, i, "value").setDurability(Durability.ASYNC_WAL));
    }
    await(
        "what the log is told",
        () -> {
          settle(memStore);
          return earliestInLog(region);
        },
        earliest -> earliest > told);
    assertThat(syncs).hasValueGreaterThan(0);
  }
}
