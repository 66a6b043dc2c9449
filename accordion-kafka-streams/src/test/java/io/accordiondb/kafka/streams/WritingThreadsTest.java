// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.kafka.streams;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.fixtures.TestThread;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.WindowStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Threads that write to a store although only the thread of its task should: nothing is lost. */
class WritingThreadsTest {
  private static final int THREADS = 4;
  private static final int WRITES = 500;

  @TempDir Path folder;

  @Test
  void eachKeyIsPutOnceIfItIsAbsent() throws Exception {
    KeyValueStore<Bytes, byte[]> store = AccordionStores.keyValueStore("store").get();
    open(store);
    AtomicInteger winners = new AtomicInteger();
    run(
        thread -> {
          for (int i = 0; i < WRITES; i++) {
            if (store.putIfAbsent(bytes("shared" + i), new byte[] {(byte) thread}) == null) {
              winners.incrementAndGet();
            }
            store.put(bytes("own" + thread + "-" + i), new byte[] {(byte) i});
            if (i % 2 == 1) {
              store.delete(bytes("own" + thread + "-" + (i - 1)));
            }
          }
        });
    assertThat(winners).hasValue(WRITES);
    assertThat(count(store.all())).isEqualTo(WRITES + THREADS * WRITES / 2);
    assertThat(store.approximateNumEntries()).isEqualTo(WRITES + THREADS * WRITES / 2);
    store.close();
  }

  @Test
  void noDuplicateOfAWindowIsLost() throws Exception {
    WindowStore<Bytes, byte[]> store =
        AccordionStores.windowStore("store", Duration.ofHours(2), Duration.ofMinutes(1), true)
            .get();
    open(store);
    run(
        thread -> {
          for (int i = 0; i < WRITES; i++) {
            // All threads come to the same new segments at about the same time.
            store.put(bytes("key"), new byte[] {(byte) i}, i * 10_000L);
          }
        });
    assertThat(count(store.fetchAll(0, WRITES * 10_000L))).isEqualTo(THREADS * WRITES);
    store.close();
  }

  private interface Writer {
    void write(int thread);
  }

  private static void run(Writer writer) throws Exception {
    List<TestThread> threads = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      int thread = i;
      threads.add(TestThread.start("writer " + i, () -> writer.write(thread)));
    }
    for (TestThread thread : threads) {
      thread.join();
    }
  }

  private void open(StateStore store) {
    store.init(StoreContexts.of(folder.resolve("application").resolve("0_0")), store);
  }

  private static int count(KeyValueIterator<?, ?> iterator) {
    int count = 0;
    try (iterator) {
      for (; iterator.hasNext(); iterator.next()) {
        count++;
      }
    }
    return count;
  }

  private static Bytes bytes(String text) {
    return Bytes.wrap(text.getBytes(UTF_8));
  }
}
