// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/**
 * Kafka's own tests, against our stores.
 *
 * <p>The classes that are named as Kafka's own are found before those, so that each test of Kafka's
 * test jar that asks for a persistent store, or for RocksDB's versioned one, gets ours.
 */
package org.apache.kafka.streams.state.internals;
