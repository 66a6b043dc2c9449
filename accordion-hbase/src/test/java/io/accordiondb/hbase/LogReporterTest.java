// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase;

import static io.accordiondb.fixtures.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.fixtures.TestThread;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A log that takes long to be synced before it is told what it no longer needs. */
class LogReporterTest extends RegionFixture {
  private final AtomicReference<CrashingLog> log = new AtomicReference<>();
  private final CountDownLatch stall = new CountDownLatch(1);

  @AfterEach
  void endStall() {
    stall.countDown();
  }

  /** Opens a region, and returns when the sync of its first report stalls. */
  private HRegion openStalled(String name) throws Exception {
    HRegion region = open(withOurs(table(name, family())), log);
    log.get().stallNextSync(stall);
    await(
        "a sync",
        () -> {
          write(region);
          return log.get().hasStalled();
        });
    return region;
  }

  private static void write(HRegion region) throws IOException {
    for (int i = 0; i < 100; i++) {
      region.put(put(i % 10, i, "value").setDurability(Durability.ASYNC_WAL));
    }
  }

  /** A flush that had to wait would keep all writers of the region waiting behind it. */
  @Test
  void aFlushBeginsWhileTheLogIsSynced() throws Exception {
    HRegion region = openStalled("stalled");
    long earliest = earliestInLog(region);
    TestThread.start(
            "flush",
            () -> {
              region.blockUpdates();
              region.unblockUpdates();
            })
        .join();
    stall.countDown();
    await(
        "what the log is told",
        () -> {
          write(region);
          settle(memStoreOf(region));
          return earliestInLog(region) > earliest;
        });
  }

  @Test
  void segmentsOfOtherRegionsAreCompactedWhileTheLogIsSynced() throws Exception {
    openStalled("stalled-merge");
    HRegion other = open(withOurs(table("beside-it", family())));
    overwrite(other);
    await("a compaction", () -> memStoreOf(other).figures().cellsEliminated() > 0);
  }

  /** Told after the flush has begun, the log would keep the number until the next flush. */
  @Test
  void aNumberIsForgottenIfAFlushHasBegunWhileTheLogWasSynced() throws Exception {
    HRegion region = openStalled("flushed");
    region.flush(true);
    region.put(put(0, 1000, "after"));
    long earliest = earliestInLog(region);
    stall.countDown();
    awaitReports();
    // What has been found since the flush may be told.
    assertThat(log.get().told()).allMatch(number -> number >= earliest);
    assertThat(earliestInLog(region)).isBetween(earliest, region.getMVCC().getReadPoint());
    assertThat(read(region, new Scan())).hasSize(10).contains("row0:q@1000=after");
  }
}
