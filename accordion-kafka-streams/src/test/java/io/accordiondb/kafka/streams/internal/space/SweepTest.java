// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.kafka.streams.internal.space;

import static io.accordiondb.fixtures.TestFiles.deleteFolder;
import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.fixtures.TestThread;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sweeps while writes wait, which they do for up to a day. */
class SweepTest {
  /** The smaller ones take what memory is left for them when the larger ones wait. */
  private static final int[] VALUE_BYTES = {10_000, 1_000, 100, 0};

  /** More than one, because merges in memory may give back as much as a sweep needs. */
  private static final int ATTEMPTS = 5;

  private static final byte[] KEY = {1};

  private final AtomicBoolean enough = new AtomicBoolean();

  @TempDir Path stateFolder;

  @Test
  void othersAreOpenedAndClosedWhileASweepWaits() throws Exception {
    Path home = stateFolder.resolve("application");
    TaskStore writing = TestStores.open(home.resolve("0_0"));
    TestStores.open(home.resolve("0_1")).close();
    for (int i = 0; i < ATTEMPTS; i++) {
      openEmpty(home.resolve("1_" + i));
    }
    SharedDatabase shared = SharedDatabases.process().acquire(home, SpaceOptions.of(Map.of()));
    // No sorted table can be created, so memory becomes full.
    Path tables = home.resolve("accordion/sst");
    Path away = home.resolve("away");
    Files.move(tables, away);
    List<TestThread> threads = new ArrayList<>();
    try {
      for (int bytes : VALUE_BYTES) {
        TestThread writer = TestThread.start("writer", () -> fill(writing, bytes));
        threads.add(writer);
        writer.awaitBlockedIn("awaitRelief");
      }
      boolean othersEndFirst = false;
      for (int i = 0; i < ATTEMPTS && !othersEndFirst; i++) {
        Path deleted = home.resolve("1_" + i);
        deleteFolder(deleted);
        TestThread sweeper = TestThread.start("sweeper", shared::sweep);
        threads.add(sweeper);
        sweeper.endsBeforeItIsBlockedIn("sweep");
        TestThread.start("other", () -> TestStores.open(home.resolve("0_1")).close()).join();
        othersEndFirst = sweeper.isRunning();
        // Who takes the place of a store that is being dropped waits, so what it writes stays.
        TestThread again = TestThread.start("again", () -> openEmpty(deleted));
        threads.add(again);
        again.endsBeforeItIsBlockedIn("enter");
      }
      assertThat(othersEndFirst).isTrue();
    } finally {
      enough.set(true);
      Files.move(away, tables);
    }
    for (TestThread thread : threads) {
      thread.join();
    }
    for (int i = 0; i < ATTEMPTS; i++) {
      TaskStore store = TestStores.open(home.resolve("1_" + i));
      assertThat(store.get(store.main(), KEY)).isNotNull();
      store.close();
    }
    SharedDatabases.process().release(shared);
    writing.close();
  }

  private void fill(TaskStore store, int valueBytes) {
    for (int i = 0; !enough.get(); i++) {
      byte[] key = ByteBuffer.allocate(2 * Integer.BYTES).putInt(valueBytes).putInt(i).array();
      store.put(store.main(), key, new byte[valueBytes]);
    }
  }

  private static void openEmpty(Path task) {
    TaskStore store = TestStores.open(task);
    assertThat(store.get(store.main(), KEY)).isNull();
    store.put(store.main(), KEY, KEY);
    store.close();
  }
}
