// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.kafka.tools;

import io.accordiondb.kafka.streams.AccordionStoreConfig;
import io.accordiondb.kafka.streams.AccordionStoreSuppliers;
import java.util.Properties;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.state.BuiltInDslStoreSuppliers;

/** A kind of state store that can be measured. */
enum StreamsEngine {
  /** RocksDB as Kafka Streams opens it. */
  ROCKSDB,
  /** RocksDB with one cache and one budget of write buffers for all stores. */
  ROCKSDB_BOUNDED,
  /** Accordion. */
  ACCORDION,
  /** Accordion with a log. */
  ACCORDION_LOG,
  /** Kafka's own stores on the heap, which no store on disk should exceed. They have no budget. */
  IN_MEMORY;

  /** Has an application keep its state so, within a budget where the engine has one. */
  void configure(Properties properties, long memoryBytes) {
    switch (this) {
      case ROCKSDB -> {}
      case ROCKSDB_BOUNDED -> {
        properties.put(
            StreamsConfig.ROCKSDB_CONFIG_SETTER_CLASS_CONFIG, BoundedRocksDb.class.getName());
        properties.put(BoundedRocksDb.MEMORY_BYTES, memoryBytes);
      }
      case ACCORDION, ACCORDION_LOG -> {
        properties.put(
            StreamsConfig.DSL_STORE_SUPPLIERS_CLASS_CONFIG,
            AccordionStoreSuppliers.class.getName());
        properties.put(AccordionStoreConfig.MEMORY_BYTES, memoryBytes);
        properties.put(AccordionStoreConfig.LOG, this == ACCORDION_LOG);
      }
      case IN_MEMORY ->
          properties.put(
              StreamsConfig.DSL_STORE_SUPPLIERS_CLASS_CONFIG,
              BuiltInDslStoreSuppliers.InMemoryDslStoreSuppliers.class.getName());
    }
  }
}
