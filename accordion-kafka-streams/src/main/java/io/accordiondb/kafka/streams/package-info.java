// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/**
 * State stores of Kafka Streams in an embedded database: {@link
 * io.accordiondb.kafka.streams.AccordionStoreSuppliers} for the DSL, {@link
 * io.accordiondb.kafka.streams.AccordionStores} for the Processor API.
 *
 * <p>All stores of an application that run in one process share one database in the application's
 * state directory. Kafka's own store builders put caching, logging to changelogs and metering
 * around these stores, as they do around RocksDB's.
 */
@NullMarked
package io.accordiondb.kafka.streams;

import org.jspecify.annotations.NullMarked;
