// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.kafka.streams.internal.store;

import org.apache.kafka.streams.state.TimestampedBytesStore;

/**
 * A key-value store whose values begin with a timestamp, which Kafka's builders know by its type.
 */
final class TimestampedKeyValueBytes extends KeyValueBytes implements TimestampedBytesStore {
  TimestampedKeyValueBytes(String name) {
    super(name, true);
  }
}
