// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.kafka.streams;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.fixtures.TestMemory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
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

  @Test
  void allTasksTogetherStayWithinOneBudget() {
    StateStoreContext context = null;
    List<KeyValueStore<Bytes, byte[]>> stores = new ArrayList<>();
    long directBytesBefore = TestMemory.directBytes();
    for (int i = 0; i < TASKS; i++) {
      context = StoreContexts.of(stateFolder.resolve("application").resolve("0_" + i));
      KeyValueStore<Bytes, byte[]> store = AccordionStores.keyValueStore("store").get();
      store.init(context, store);
      stores.add(store);
    }
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
      double usedBytes =
          metric(context, "size-all-mem-tables") + metric(context, "block-cache-usage");
      assertThat(usedBytes).isLessThanOrEqualTo(BUDGET_BYTES);
    }
    assertThat(metric(context, "total-sst-files-size")).isGreaterThan(BUDGET_BYTES);
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
