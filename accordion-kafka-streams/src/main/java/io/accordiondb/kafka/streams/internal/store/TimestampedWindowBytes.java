// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.kafka.streams.internal.store;

import org.apache.kafka.streams.state.TimestampedBytesStore;

/** A window store whose values begin with a timestamp, which Kafka's builders know by its type. */
final class TimestampedWindowBytes extends WindowBytes implements TimestampedBytesStore {
  TimestampedWindowBytes(WindowSupplier supplier) {
    super(supplier);
  }
}
