// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import static io.accordiondb.fixtures.TestData.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Virtual threads that read and write, on Java 21 or later: none pins its carrier. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class VirtualThreadsTest {
  private static final int THREADS = 10_000;
  private static final int VALUE_BYTES = 500;
  private static final String PINNED = "jdk.VirtualThreadPinned";
  private static final Pattern OURS =
      Pattern.compile("^io\\.accordiondb\\.(internal|memstore|chunk)");

  @TempDir Path folder;

  private KeyValueStore store;

  @BeforeAll
  static void requireVirtualThreads() {
    assumeTrue(Runtime.version().feature() >= 21, "virtual threads");
  }

  private static ExecutorService executor() throws ReflectiveOperationException {
    return (ExecutorService)
        Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
  }

  @Test
  void tenThousandThreadsReadAndWriteAndNoneIsPinned() throws Exception {
    DatabaseOptions options =
        DatabaseOptions.builder()
            .memoryBytes(16 << 20)
            .storeFlushBytes(1 << 20)
            .blockCacheBytes(0)
            .openFilesMax(2)
            .build();
    try (Database database = Database.open(folder.resolve("db"), options);
        Recording recording = new Recording()) {
      store = database.keyValueStore("s");
      // What classes need to be loaded for is loaded before.
      run(database, 100);
      recording.enable(PINNED).withThreshold(Duration.ZERO).withStackTrace();
      recording.start();
      run(database, THREADS);
      recording.stop();
      Path events = folder.resolve("events.jfr");
      recording.dump(events);
      assertThat(RecordingFile.readAllEvents(events))
          .filteredOn(VirtualThreadsTest::isPinnedByTheDatabase)
          .isEmpty();
      assertThat(store.get(bytes("a9999"))).hasSize(VALUE_BYTES);
    }
  }

  private void run(Database database, int threads) throws Exception {
    ExecutorService executor = executor();
    List<Future<?>> running = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      int number = i;
      running.add(
          executor.submit(
              () -> {
                work(database, number);
                return null;
              }));
    }
    for (Future<?> each : running) {
      each.get();
    }
    executor.shutdown();
  }

  private void work(Database database, int number) throws IOException {
    byte[] value = new byte[VALUE_BYTES];
    Arrays.fill(value, (byte) number);
    store.put(bytes("p" + number), value);
    assertThat(store.get(bytes("p" + number))).isEqualTo(value);
    Stages.await(
        database.writeAsync(
            new WriteBatch().put(store, bytes("a" + number), value),
            number % 4 == 0 ? Durability.FSYNC : Durability.SYNC));
    assertThat(store.get(bytes("a" + number))).isEqualTo(value);
  }

  /** Returns whether the database, not the loading of a class elsewhere, has pinned a carrier. */
  private static boolean isPinnedByTheDatabase(RecordedEvent event) {
    return event.getEventType().getName().equals(PINNED)
        && (event.getStackTrace() == null
            || event.getStackTrace().getFrames().stream()
                .map(frame -> frame.getMethod().getType().getName())
                .anyMatch(type -> OURS.matcher(type).find()));
  }
}
