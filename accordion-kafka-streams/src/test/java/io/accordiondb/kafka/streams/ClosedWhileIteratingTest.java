// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.kafka.streams;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.fixtures.TestThread;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.errors.InvalidStateStoreException;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Iterators of a store that another thread closes. */
class ClosedWhileIteratingTest {
  @TempDir Path folder;

  private void open(StateStore store, String task) {
    store.init(StoreContexts.of(folder.resolve("application").resolve(task)), store);
  }

  private static Bytes key(String prefix, int i) {
    return Bytes.wrap(String.format("%s%06d", prefix, i).getBytes(UTF_8));
  }

  private static byte[] value(String prefix, int i) {
    return (prefix + i + "-").repeat(20).getBytes(UTF_8);
  }

  /** A query iterates while the store's thread closes the store, as in a rebalance. */
  @Test
  void aStoreIsClosedWhileAQueryIterates() throws Exception {
    KeyValueStore<Bytes, byte[]> other = AccordionStores.keyValueStore("other").get();
    open(other, "0_1");
    Map<String, Long> outcomes = new TreeMap<>();
    AtomicBoolean stop = new AtomicBoolean();
    // Reuses memory that is freed.
    TestThread writer =
        TestThread.start(
            "writer",
            () -> {
              for (int i = 0; !stop.get(); i++) {
                other.put(key("o", i % 20_000), value("other", i));
              }
            });
    long end = System.nanoTime() + 3_000_000_000L;
    for (int round = 0; System.nanoTime() < end; round++) {
      KeyValueStore<Bytes, byte[]> store = AccordionStores.keyValueStore("store").get();
      open(store, "0_0");
      for (int i = 0; i < 2000; i++) {
        store.put(key("k", i), value("mine", i));
      }
      if (round % 2 == 0) {
        store.flush();
      }
      boolean forward = round % 3 != 0;
      AtomicBoolean begun = new AtomicBoolean();
      String[] outcome = new String[1];
      TestThread query =
          TestThread.start(
              "query",
              () -> {
                int at = -1;
                try (KeyValueIterator<Bytes, byte[]> all =
                    forward ? store.all() : store.reverseAll()) {
                  while (all.hasNext()) {
                    KeyValue<Bytes, byte[]> next = all.next();
                    at++;
                    int expected = forward ? at : 1999 - at;
                    if (!next.key.equals(key("k", expected))
                        || !Arrays.equals(next.value, value("mine", expected))) {
                      outcome[0] =
                          "WRONG at "
                              + expected
                              + ": "
                              + next.key
                              + " "
                              + new String(next.value, UTF_8);
                      return;
                    }
                    begun.set(at > 100);
                  }
                  outcome[0] = at == 1999 ? "all" : "WRONG END at " + at;
                } catch (InvalidStateStoreException e) {
                  outcome[0] = "closed";
                } catch (RuntimeException e) {
                  outcome[0] = e.toString();
                } finally {
                  begun.set(true);
                }
              });
      while (!begun.get()) {
        Thread.onSpinWait();
      }
      store.close();
      query.join();
      outcomes.merge(String.valueOf(outcome[0]), 1L, Long::sum);
    }
    stop.set(true);
    writer.join();
    other.close();
    assertThat(outcomes.keySet()).isSubsetOf("all", "closed");
  }
}
