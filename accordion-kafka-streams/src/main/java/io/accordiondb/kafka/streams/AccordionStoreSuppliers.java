// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.kafka.streams;

import org.apache.kafka.streams.state.DslKeyValueParams;
import org.apache.kafka.streams.state.DslSessionParams;
import org.apache.kafka.streams.state.DslStoreSuppliers;
import org.apache.kafka.streams.state.DslWindowParams;
import org.apache.kafka.streams.state.KeyValueBytesStoreSupplier;
import org.apache.kafka.streams.state.SessionBytesStoreSupplier;
import org.apache.kafka.streams.state.WindowBytesStoreSupplier;

/**
 * Makes the DSL of Kafka Streams keep its state in Accordion:
 *
 * <pre>{@code
 * properties.put(
 *     StreamsConfig.DSL_STORE_SUPPLIERS_CLASS_CONFIG, AccordionStoreSuppliers.class.getName());
 * }</pre>
 *
 * <p>{@link AccordionStoreConfig} lists the properties. Thread-safe.
 */
public final class AccordionStoreSuppliers implements DslStoreSuppliers {
  /** Creates the suppliers. Kafka Streams calls this constructor. */
  public AccordionStoreSuppliers() {}

  @Override
  public KeyValueBytesStoreSupplier keyValueStore(DslKeyValueParams params) {
    return params.isTimestamped()
        ? AccordionStores.timestampedKeyValueStore(params.name())
        : AccordionStores.keyValueStore(params.name());
  }

  @Override
  public WindowBytesStoreSupplier windowStore(DslWindowParams params) {
    return AccordionStores.windowStore(params);
  }

  @Override
  public SessionBytesStoreSupplier sessionStore(DslSessionParams params) {
    return AccordionStores.sessionStore(params);
  }
}
