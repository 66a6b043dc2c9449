// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.kafka.tools;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.utils.LogContext;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.internals.ChangelogRegister;
import org.apache.kafka.streams.processor.internals.ProcessorContextImpl;
import org.apache.kafka.streams.processor.internals.ProcessorStateManager;
import org.apache.kafka.streams.processor.internals.StateDirectory;
import org.apache.kafka.streams.processor.internals.Task.TaskType;
import org.apache.kafka.streams.processor.internals.metrics.StreamsMetricsImpl;
import org.apache.kafka.streams.state.internals.ThreadCache;

/**
 * What Kafka Streams gives the stores of a task, without a broker: nothing is restored.
 *
 * @param stateManager flushes and closes the stores
 * @param context what a store is initialized with
 */
record TaskContext(ProcessorStateManager stateManager, ProcessorContextImpl context) {
  /**
   * Creates the context of a task whose stores have no record cache.
   *
   * @param changelogs topics by the names of the stores that have one
   */
  static TaskContext of(
      TaskId id,
      StreamsConfig config,
      StateDirectory folder,
      StreamsMetricsImpl metrics,
      Map<String, String> changelogs) {
    ProcessorStateManager stateManager =
        new ProcessorStateManager(
            id,
            TaskType.ACTIVE,
            false,
            new LogContext(),
            folder,
            new NothingRestored(),
            changelogs,
            List.of(),
            false);
    return new TaskContext(
        stateManager,
        new ProcessorContextImpl(
            id, config, stateManager, metrics, new ThreadCache(new LogContext(), 0, metrics)));
  }

  private static final class NothingRestored implements ChangelogRegister {
    @Override
    public void register(TopicPartition partition, ProcessorStateManager stateManager) {}

    @Override
    public void register(Set<TopicPartition> partitions, ProcessorStateManager stateManager) {}

    @Override
    public void unregister(Collection<TopicPartition> partitions) {}
  }
}
