// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package org.apache.kafka.streams.processor.internals;

import static org.assertj.core.api.Assertions.catchThrowable;

import java.util.ArrayDeque;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.utils.LogContext;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.test.InternalMockProcessorContext;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** A thread of the class that processes records; it makes one call instead. */
public final class RunningStreamThread extends StreamThread {
  private final ThrowingCallable call;
  private Throwable failure;

  private RunningStreamThread(
      InternalMockProcessorContext<?, ?> context,
      StreamsConfig config,
      TopologyMetadata topology,
      ThrowingCallable call) {
    super(
        Time.SYSTEM,
        config,
        null,
        new MockConsumer<>("earliest"),
        null,
        null,
        null,
        new TaskManager(
            Time.SYSTEM, null, null, "", null, null, null, topology, null, null, null, null),
        null,
        context.metrics(),
        topology,
        UUID.randomUUID(),
        "stream-thread",
        new LogContext(),
        new AtomicInteger(),
        new AtomicLong(),
        new ArrayDeque<>(),
        null,
        null,
        null,
        Optional.empty(),
        null);
    this.call = call;
  }

  /** Makes a call on such a thread, and returns what it throws, or null. */
  public static Throwable failureOf(
      InternalMockProcessorContext<?, ?> context, ThrowingCallable call)
      throws InterruptedException {
    StreamsConfig config = new StreamsConfig(context.appConfigs());
    RunningStreamThread thread =
        new RunningStreamThread(
            context, config, new TopologyMetadata(new InternalTopologyBuilder(), config), call);
    thread.start();
    thread.join();
    return thread.failure;
  }

  @Override
  public void run() {
    failure = catchThrowable(call);
  }
}
