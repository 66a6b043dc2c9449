// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.metrics;

import static io.accordiondb.fixtures.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.statistics.BlockKind;
import io.accordiondb.statistics.OperationKind;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class TalliesTest {
  private static final int THREADS = 8;
  private static final int COUNTS = 50_000;

  private final Tallies tallies = new Tallies();

  private void countByThreads() throws InterruptedException {
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      Thread thread =
          new Thread(
              () -> {
                Tally tally = tallies.mine();
                for (int n = 0; n < COUNTS; n++) {
                  tally.count(OperationKind.GET_MEMORY, 1);
                  tally.countHit(BlockKind.INDEX);
                  tally.countMiss(BlockKind.COLUMN);
                  tally.countCommit(2, 3);
                }
              });
      threads.add(thread);
      thread.start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
  }

  @Test
  void whatThreadsCountAddsUpAlsoAfterTheyHaveDied() throws InterruptedException {
    for (int round = 1; round <= 3; round++) {
      countByThreads();
      long expected = (long) round * THREADS * COUNTS;
      assertThat(tallies.count(OperationKind.GET_MEMORY)).isEqualTo(expected);
      assertThat(tallies.hits(BlockKind.INDEX)).isEqualTo(expected);
      assertThat(tallies.blockHits()).isEqualTo(expected);
      assertThat(tallies.misses(BlockKind.COLUMN)).isEqualTo(expected);
      assertThat(tallies.blockMisses()).isZero();
      assertThat(tallies.batches()).isEqualTo(expected);
      assertThat(tallies.cells()).isEqualTo(2 * expected);
      assertThat(tallies.bytes()).isEqualTo(3 * expected);
    }
    await(
        "the end of the tallies of dead threads",
        () -> {
          System.gc();
          return tallies.threads();
        },
        threads -> threads == 0);
    assertThat(tallies.count(OperationKind.GET_MEMORY)).isEqualTo(3L * THREADS * COUNTS);
  }

  @Test
  void aboutOneOperationInThirtyTwoIsTimed() {
    Operations operations = new Operations(tallies, new SlowOperations("test"));
    Tally tally = tallies.mine();
    int timed = 0;
    for (int i = 0; i < COUNTS; i++) {
      if (operations.begin(tally) != Operations.NOT_TIMED) {
        timed++;
      }
    }
    assertThat(timed)
        .isBetween(COUNTS / Tally.SAMPLE_MEAN * 8 / 10, COUNTS / Tally.SAMPLE_MEAN * 12 / 10);
  }

  @Test
  void whileSlowOperationsAreLookedForAllAreTimed() {
    SlowOperations slow = new SlowOperations("test");
    Operations operations = new Operations(tallies, slow);
    slow.setThreshold(Long.MAX_VALUE / 2);
    Tally tally = tallies.mine();
    for (int i = 0; i < 100; i++) {
      operations.end(tally, OperationKind.GET_FILE, operations.begin(tally), "t", new byte[0]);
    }
    assertThat(operations.statistics().of(OperationKind.GET_FILE).count()).isEqualTo(100);
    assertThat(operations.statistics().of(OperationKind.GET_FILE).latency().count()).isEqualTo(100);
  }

  @Test
  void aGetIsOfTheKindOfTheFarthestPlaceItReached() {
    Tally tally = tallies.mine();
    long cache = tally.cacheReads();
    long file = tally.fileReads();
    tally.countMiss(BlockKind.COLUMN);
    assertThat(tally.getSince(cache, file)).isEqualTo(OperationKind.GET_MEMORY);
    tally.countHit(BlockKind.FILTER);
    assertThat(tally.getSince(cache, file)).isEqualTo(OperationKind.GET_CACHE);
    tally.countMiss(BlockKind.DATA);
    tally.countHit(BlockKind.DATA);
    assertThat(tally.getSince(cache, file)).isEqualTo(OperationKind.GET_FILE);
  }

  @Test
  void whatACompactionReadsIsNoLookup() {
    Tally tally = tallies.mine();
    tally.setCompacting(true);
    tally.countHit(BlockKind.DATA);
    tally.countMiss(BlockKind.INDEX);
    tally.setCompacting(false);
    tally.countHit(BlockKind.DATA);
    assertThat(tallies.blockHits()).isEqualTo(1);
    assertThat(tallies.blockMisses()).isZero();
    assertThat(tally.fileReads()).as("the compaction itself knows of them").isEqualTo(1);
  }

  @Test
  void threadsThatShareAPlaceHaveTalliesOfTheirOwn() throws InterruptedException {
    // More threads than places, all alive at once.
    List<Thread> threads = new ArrayList<>();
    CountDownLatch started = new CountDownLatch(200);
    for (int i = 0; i < 200; i++) {
      Thread thread =
          new Thread(
              () -> {
                started.countDown();
                while (started.getCount() > 0) {
                  Thread.yield();
                }
                for (int n = 0; n < 1000; n++) {
                  tallies.mine().count(OperationKind.GET_MEMORY, 1);
                }
              });
      threads.add(thread);
      thread.start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(tallies.count(OperationKind.GET_MEMORY)).isEqualTo(200_000);
  }
}
