// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.kafka.streams;

import java.nio.file.Path;
import java.util.Properties;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.test.InternalMockProcessorContext;

/** Makes what a store is opened with, without a broker. */
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
}
