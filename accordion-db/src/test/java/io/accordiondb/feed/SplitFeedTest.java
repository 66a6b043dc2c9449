// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.feed;

import static io.accordiondb.fixtures.TestData.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.ChangeFeed;
import io.accordiondb.ChangesLostException;
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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A change feed close behind writers knows the table of each change. */
@Tag("slow")
class SplitFeedTest {
  /** Regions are split while writers write and a feed follows closely. */
  @Test
  void aFeedKnowsTheNamesOfNewRegions() throws Exception {
    List<String> lost = new ArrayList<>();
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
        List<TestThread> writers = new ArrayList<>();
        for (int w = 0; w < 3; w++) {
          writers.add(
              TestThread.start(
                  "writer",
                  () -> {
                    for (int i = 0; !stop.get(); i++) {
                      store.put(bytes("k" + i % 1000), bytes("v"));
                    }
                  }));
        }
        TestThread feeder =
            TestThread.start(
                "feed",
                () -> {
                  try (ChangeFeed feed = database.changes()) {
                    while (!stop.get()) {
                      feed.next(Duration.ofMillis(1));
                    }
                  } catch (ChangesLostException e) {
                    synchronized (lost) {
                      lost.add(e.getMessage());
                    }
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
      }
    }
    assertThat(lost).isEmpty();
  }
}
