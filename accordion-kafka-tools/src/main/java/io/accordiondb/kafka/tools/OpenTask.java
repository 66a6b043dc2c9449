// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.kafka.tools;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.kstream.EmitStrategy;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.internals.ProcessorStateManager;
import org.apache.kafka.streams.processor.internals.StateDirectory;
import org.apache.kafka.streams.processor.internals.metrics.StreamsMetricsImpl;
import org.apache.kafka.streams.state.DslKeyValueParams;
import org.apache.kafka.streams.state.DslStoreSuppliers;
import org.apache.kafka.streams.state.DslWindowParams;
import org.apache.kafka.streams.state.Stores;
import org.apache.kafka.streams.state.TimestampedKeyValueStore;
import org.apache.kafka.streams.state.TimestampedWindowStore;
import org.apache.kafka.streams.state.ValueAndTimestamp;
import org.jspecify.annotations.Nullable;

/**
 * A task that has a table and windows, without a broker: Kafka's own state manager and context, and
 * stores without a record cache and a changelog. Each key is written to both stores.
 */
final class OpenTask {
  /** Kafka Streams writes no checkpoint, and so does not flush, after fewer records. */
  private static final int CHECKPOINT_RECORDS_MIN = 10_000;

  private static final Duration WINDOW = Duration.ofMinutes(1);

  private final ProcessorStateManager stateManager;
  private final TimestampedKeyValueStore<Bytes, byte[]> table;
  private final TimestampedWindowStore<Bytes, byte[]> windows;
  private int unflushed;

  /**
   * Opens the stores of a task.
   *
   * @param retention for how long windows are kept
   */
  OpenTask(
      int number,
      StreamsConfig config,
      StateDirectory folder,
      StreamsMetricsImpl metrics,
      Duration retention) {
    TaskContext task = TaskContext.of(new TaskId(0, number), config, folder, metrics, Map.of());
    stateManager = task.stateManager();
    DslStoreSuppliers suppliers =
        config.getConfiguredInstance(
            StreamsConfig.DSL_STORE_SUPPLIERS_CLASS_CONFIG, DslStoreSuppliers.class);
    table = table(suppliers);
    windows = windows(suppliers, retention);
    for (StateStore store : List.of(table, windows)) {
      store.init(task.context(), store);
    }
  }

  private static TimestampedKeyValueStore<Bytes, byte[]> table(DslStoreSuppliers suppliers) {
    return Stores.timestampedKeyValueStoreBuilder(
            suppliers.keyValueStore(new DslKeyValueParams("table", true)),
            Serdes.Bytes(),
            Serdes.ByteArray())
        .withLoggingDisabled()
        .build();
  }

  private static TimestampedWindowStore<Bytes, byte[]> windows(
      DslStoreSuppliers suppliers, Duration retention) {
    DslWindowParams params =
        new DslWindowParams(
            "windows", retention, WINDOW, false, EmitStrategy.onWindowUpdate(), false, true);
    return Stores.timestampedWindowStoreBuilder(
            suppliers.windowStore(params), Serdes.Bytes(), Serdes.ByteArray())
        .withLoggingDisabled()
        .build();
  }

  void put(Bytes key, byte[] value, long time) {
    table.put(key, ValueAndTimestamp.make(value, time));
    windows.put(key, ValueAndTimestamp.make(value, time), time);
    unflushed++;
  }

  /** Returns whether both stores have the key. */
  boolean contains(Bytes key, long time) {
    return isThere(table.get(key)) && isThere(windows.fetch(key, time));
  }

  private static boolean isThere(@Nullable ValueAndTimestamp<byte[]> value) {
    return value != null;
  }

  /** Flushes the stores if Kafka Streams would do so when it commits the task. */
  void commit() {
    if (unflushed >= CHECKPOINT_RECORDS_MIN) {
      stateManager.flush();
      unflushed = 0;
    }
  }

  void close() {
    stateManager.close();
  }
}
