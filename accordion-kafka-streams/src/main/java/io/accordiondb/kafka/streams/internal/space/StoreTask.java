// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.kafka.streams.internal.space;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.errors.ProcessorStateException;
import org.apache.kafka.streams.errors.StreamsException;
import org.apache.kafka.streams.errors.TaskCorruptedException;
import org.apache.kafka.streams.errors.TaskMigratedException;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.internals.InternalProcessorContext;
import org.apache.kafka.streams.processor.internals.ProcessorContextUtils;
import org.apache.kafka.streams.processor.internals.StreamThread;
import org.apache.kafka.streams.processor.internals.Task.TaskType;
import org.apache.kafka.streams.state.internals.OffsetCheckpoint;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The task of a store: where it is, what it knows of the store, and how it is restored. */
final class StoreTask {
  private static final Logger LOG = LoggerFactory.getLogger(StoreTask.class);
  private static final String CHECKPOINT = ".checkpoint";

  private final StateStoreContext context;
  private final String store;

  StoreTask(StateStoreContext context, String store) {
    this.context = context;
    this.store = store;
  }

  TaskId id() {
    return context.taskId();
  }

  /** Returns the directory of the task. */
  Path directory() {
    return context.stateDir().toPath().toAbsolutePath();
  }

  /** Returns whether the store is a global one, which has this task in name only. */
  boolean isGlobal() {
    return id().subtopology() < 0;
  }

  /** Returns whether a changelog has what the store has. */
  boolean isLogged() {
    return !(context instanceof InternalProcessorContext<?, ?> internal)
        || internal.changelogFor(store) != null;
  }

  /** Returns whether the task only follows its changelogs. It may become active later. */
  private boolean isStandby() {
    return context instanceof InternalProcessorContext<?, ?> internal
        && internal.taskType() == TaskType.STANDBY;
  }

  /** Returns the file that says how far the task's stores have followed their changelogs. */
  File checkpoint() {
    return new File(context.stateDir(), CHECKPOINT);
  }

  /** Returns whether the checkpoint has an offset of the store's changelog. */
  boolean hasCheckpoint() {
    File checkpoint = checkpoint();
    if (!checkpoint.exists()) {
      return false;
    }
    Map<TopicPartition, Long> offsets;
    try {
      offsets = new OffsetCheckpoint(checkpoint).read();
    } catch (IOException e) {
      throw new ProcessorStateException("Cannot read " + checkpoint, e);
    }
    String changelog = ProcessorContextUtils.changelogFor(context, store, false);
    return offsets.entrySet().stream()
        .anyMatch(entry -> entry.getKey().topic().equals(changelog) && entry.getValue() >= 0);
  }

  /** Has the task's stores restored from the beginning when they are opened next. */
  void deleteCheckpoint() throws IOException {
    Files.deleteIfExists(checkpoint().toPath());
  }

  /**
   * Returns what has Kafka Streams restore the task after a loss of state or of a write, or the
   * loss itself.
   *
   * <p>A thread that processes records gets the former: any other exception goes to the
   * application's handler, which may skip the record and commit. The thread that restores would end
   * for ever with it, and nobody would replace that thread; after any other exception the stream
   * thread ends with it. Queries and global stores are not restored in this way.
   */
  StreamsException restoration(StreamsException loss) {
    if (isGlobal() || !(Thread.currentThread() instanceof StreamThread)) {
      return loss;
    }
    LOG.warn("Task {} must be restored", id(), loss);
    Object guarantee = context.appConfigs().get(StreamsConfig.PROCESSING_GUARANTEE_CONFIG);
    if (!String.valueOf(guarantee).startsWith("exactly_once") || isStandby()) {
      return new TaskCorruptedException(Set.of(id()));
    }
    // A corrupted task would be assigned again, as a new task. The new task would skip the records
    // that the old one had received and not processed. Tasks that have migrated begin where the
    // last transaction has ended, after their state was wiped.
    return new TaskMigratedException(String.valueOf(loss.getMessage()), loss);
  }
}
