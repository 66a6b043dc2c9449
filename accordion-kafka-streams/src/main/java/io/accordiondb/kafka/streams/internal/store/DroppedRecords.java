// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.kafka.streams.internal.store;

import org.apache.kafka.common.metrics.Sensor;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.apache.kafka.streams.processor.internals.metrics.StreamsMetricsImpl;
import org.apache.kafka.streams.processor.internals.metrics.TaskMetrics;

/**
 * Kafka's count of records that a task dropped, among them those that came too late for a store.
 */
final class DroppedRecords {
  private DroppedRecords() {}

  static Sensor sensor(StateStoreContext context) {
    return TaskMetrics.droppedRecordsSensor(
        Thread.currentThread().getName(),
        context.taskId().toString(),
        (StreamsMetricsImpl) context.metrics());
  }
}
