// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.kafka.streams;

import java.nio.file.Path;
import java.util.Properties;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.state.DslStoreSuppliers;
import org.apache.kafka.test.InternalMockProcessorContext;

/** Makes what stores are opened with, by themselves or in a topology, without a broker. */
public final class StoreContexts {
  private StoreContexts() {}

  /** Returns the context of a task; the folder above the task's has the application's name. */
  public static InternalMockProcessorContext<Object, Object> of(Path taskDirectory) {
    taskDirectory.toFile().mkdirs();
    Properties properties = new Properties();
    properties.put(
        StreamsConfig.APPLICATION_ID_CONFIG, taskDirectory.getParent().getFileName().toString());
    properties.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "localhost:1");
    properties.put(AccordionStoreConfig.MEMORY_BYTES, 16 << 20);
    return new InternalMockProcessorContext<>(
        taskDirectory.toFile(), Serdes.String(), Serdes.String(), new StreamsConfig(properties));
  }

  /** Returns the configuration of a topology of texts, whose state is in a folder of its stores. */
  static Properties ofTopology(Path folder, Class<? extends DslStoreSuppliers> suppliers) {
    Properties properties = new Properties();
    properties.put(StreamsConfig.APPLICATION_ID_CONFIG, "test");
    properties.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "localhost:1");
    properties.put(
        StreamsConfig.STATE_DIR_CONFIG, folder.resolve(suppliers.getSimpleName()).toString());
    properties.put(StreamsConfig.DEFAULT_KEY_SERDE_CLASS_CONFIG, Serdes.StringSerde.class);
    properties.put(StreamsConfig.DEFAULT_VALUE_SERDE_CLASS_CONFIG, Serdes.StringSerde.class);
    properties.put(StreamsConfig.DSL_STORE_SUPPLIERS_CLASS_CONFIG, suppliers.getName());
    return properties;
  }
}
