// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.feed;

import static io.accordiondb.fixtures.TestData.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.Change;
import io.accordiondb.ChangeFeed;
import io.accordiondb.ChangedCell;
import io.accordiondb.Database;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.Durability;
import io.accordiondb.KeyValueStore;
import io.accordiondb.fixtures.TestThread;
import io.accordiondb.internal.engine.DatabaseEngine;
import io.accordiondb.internal.storage.MemoryStorage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A change feed close behind writers knows the table of each change. */
@Tag("slow")
class SplitFeedTest {
  /** Regions are split while writers write and a feed follows closely. */
  @Test
  void aFeedKnowsTheNamesOfNewRegions() throws Exception {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(3);
    while (System.nanoTime() < end) {
      DatabaseOptions options =
          DatabaseOptions.builder()
              .memoryBytes(4 << 20)
              .durability(Durability.SYNC)
              .logRetention(Duration.ofDays(1))
              .build();
      try (Database database = DatabaseEngine.open(new MemoryStorage(), options)) {
        KeyValueStore store = database.keyValueStore("s");
        AtomicBoolean stop = new AtomicBoolean();
        AtomicLong written = new AtomicLong();
        AtomicLong delivered = new AtomicLong();
        ChangeFeed feed = database.changes();
        List<TestThread> writers = new ArrayList<>();
        for (int w = 0; w < 3; w++) {
          writers.add(
              TestThread.start(
                  "writer",
                  () -> {
                    for (int i = 0; !stop.get(); i++) {
                      store.put(bytes("k" + i % 1000), bytes("v"));
                      written.incrementAndGet();
                    }
                  }));
        }
        TestThread feeder =
            TestThread.start(
                "feed",
                () -> {
                  while (!stop.get()) {
                    delivered.addAndGet(cellsOf(feed.next(Duration.ofMillis(1))));
                  }
                });
        for (int i = 0; i < 60; i++) {
          database.splitRegion("s", bytes("k" + (100 + i * 13)));
        }
        stop.set(true);
        for (TestThread writer : writers) {
          writer.join();
        }
        feeder.join();
        try (feed) {
          for (Change rest = feed.next(Duration.ZERO);
              rest != null;
              rest = feed.next(Duration.ZERO)) {
            delivered.addAndGet(cellsOf(rest));
          }
        }
        assertThat(delivered).hasValue(written.get());
      }
    }
  }

  /** Returns the number of cells of a change, all of which are of the store. */
  private static int cellsOf(@Nullable Change change) {
    if (change == null) {
      return 0;
    }
    assertThat(change.cells()).extracting(ChangedCell::table).containsOnly("s");
    return change.cells().size();
  }
}
