// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.kafka.streams;

import static io.accordiondb.fixtures.Await.await;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.fixtures.TestMemory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.apache.kafka.streams.state.KeyValueStore;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The memory of a process with many tasks. */
@Tag("slow")
class StoreMemoryTest {
  private static final int TASKS = 200;
  private static final long BUDGET_BYTES = 16 << 20;
  private static final int VALUE_BYTES = 2_000;

  @TempDir Path stateFolder;

  /** A metric may be a second old. */
  @Test
  void allTasksTogetherStayWithinOneBudget() {
    Path application = stateFolder.resolve("application");
    List<? extends StateStoreContext> contexts =
        IntStream.range(0, TASKS)
            .mapToObj(task -> StoreContexts.of(application.resolve("0_" + task)))
            .toList();
    List<KeyValueStore<Bytes, byte[]>> stores = new ArrayList<>();
    long directBytesBefore = TestMemory.directBytes();
    for (StateStoreContext context : contexts) {
      KeyValueStore<Bytes, byte[]> store = AccordionStores.keyValueStore("store").get();
      store.init(context, store);
      stores.add(store);
    }
    StateStoreContext first = contexts.get(0);
    byte[] value = new byte[VALUE_BYTES];
    Random random = new Random(1);
    // Twice the budget, so that there are files to read.
    for (int key = 0; key < 2 * BUDGET_BYTES / VALUE_BYTES / TASKS; key++) {
      for (KeyValueStore<Bytes, byte[]> store : stores) {
        random.nextBytes(value);
        store.put(Bytes.wrap(("key" + key).getBytes(UTF_8)), value);
        assertThat(store.get(Bytes.wrap(("key" + key / 2).getBytes(UTF_8)))).isNotNull();
      }
      assertThat(TestMemory.directBytes() - directBytesBefore).isLessThanOrEqualTo(BUDGET_BYTES);
      double usedBytes = metric(first, "size-all-mem-tables") + metric(first, "block-cache-usage");
      assertThat(usedBytes).isLessThanOrEqualTo(BUDGET_BYTES);
    }
    await("files", () -> metric(first, "total-sst-files-size") > BUDGET_BYTES);
    stores.forEach(KeyValueStore::close);
  }

  private static double metric(StateStoreContext context, String name) {
    return context.metrics().metrics().entrySet().stream()
        .filter(metric -> metric.getKey().name().equals(name))
        .mapToDouble(metric -> (double) metric.getValue().metricValue())
        .findFirst()
        .orElseThrow();
  }
}
