// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.kafka.tools;

import io.accordiondb.bench.BenchResult.Latency;
import io.accordiondb.bench.Latencies;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.processor.StateRestoreListener;

/**
 * One run of a workload on an engine, in a process of its own: it processes all records, then
 * deletes the state and restores it from the changelogs, and prints a line with what it has
 * measured.
 */
final class StreamsRun {
  private static final Duration RUN_MAX = Duration.ofMinutes(5);

  private final StreamsWorkload workload;
  private final StreamsEngine engine;
  private final String broker;
  private final Path stateFolder;
  private final long records;
  private final long memoryBytes;
  private final long cacheBytes;
  private final int threads;

  private final AtomicLong processed = new AtomicLong();
  private final AtomicLong restored = new AtomicLong();
  private final List<Latencies> latencies = new CopyOnWriteArrayList<>();
  private final ThreadLocal<ThreadTimes> threadTimes =
      ThreadLocal.withInitial(this::newThreadTimes);

  private volatile long firstRecordNanos;
  private volatile long halfNanos;
  private volatile long restoreStartNanos;
  private volatile long restoreEndNanos;

  private StreamsRun(String[] arguments) {
    workload = StreamsWorkload.valueOf(arguments[0]);
    engine = StreamsEngine.valueOf(arguments[1]);
    broker = arguments[2];
    stateFolder = Path.of(arguments[3]);
    records = Long.parseLong(arguments[4]);
    memoryBytes = Long.parseLong(arguments[5]);
    cacheBytes = Long.parseLong(arguments[6]);
    threads = Integer.parseInt(arguments[7]);
  }

  /** Returns the arguments of {@link #main}. */
  static String[] arguments(
      StreamsWorkload workload,
      StreamsEngine engine,
      String broker,
      Path stateFolder,
      long records,
      long memoryBytes,
      long cacheBytes,
      int threads) {
    return new String[] {
      workload.name(),
      engine.name(),
      broker,
      stateFolder.toString(),
      Long.toString(records),
      Long.toString(memoryBytes),
      Long.toString(cacheBytes),
      Integer.toString(threads)
    };
  }

  /** Runs, and prints the fields of a {@link StreamsResult}. */
  public static void main(String[] arguments) throws Exception {
    MeasuredProcess.print(new StreamsRun(arguments).run().json());
  }

  private StreamsResult run() throws Exception {
    double rate;
    double warmRate;
    try (KafkaStreams streams = start()) {
      await(() -> processed.get() >= records);
      long now = System.nanoTime();
      rate = records * 1e9 / (now - firstRecordNanos);
      warmRate = (records - records / 2) * 1e9 / (now - halfNanos);
    }
    // Their threads have ended.
    Latency latencyMicros = Latencies.sum(latencies).percentiles();
    long written = ProcessFigures.writtenBytes();
    long memory = ProcessFigures.residentBytesMax();
    WorkFolder.delete(stateFolder);
    restored.set(0);
    restoreStartNanos = 0;
    try (KafkaStreams streams = start()) {
      await(() -> streams.state() == KafkaStreams.State.RUNNING);
      return new StreamsResult(
          StreamsBench.name(workload),
          StreamsBench.name(engine),
          rate,
          warmRate,
          latencyMicros,
          restored.get() * 1e9 / Math.max(1, restoreEndNanos - restoreStartNanos),
          memory,
          written);
    }
  }

  private KafkaStreams start() {
    StreamsBuilder builder = new StreamsBuilder();
    workload.build(builder, this::onRecord);
    KafkaStreams streams = new KafkaStreams(builder.build(), properties());
    streams.setGlobalStateRestoreListener(new RestoredRecords());
    streams.start();
    return streams;
  }

  private Properties properties() {
    Properties properties = new Properties();
    properties.put(StreamsConfig.APPLICATION_ID_CONFIG, stateFolder.getFileName().toString());
    properties.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, broker);
    properties.put(StreamsConfig.STATE_DIR_CONFIG, stateFolder.toString());
    properties.put(StreamsConfig.NUM_STREAM_THREADS_CONFIG, threads);
    properties.put(StreamsConfig.STATESTORE_CACHE_MAX_BYTES_CONFIG, cacheBytes);
    properties.put(StreamsConfig.DEFAULT_KEY_SERDE_CLASS_CONFIG, Serdes.StringSerde.class);
    properties.put(StreamsConfig.DEFAULT_VALUE_SERDE_CLASS_CONFIG, Serdes.StringSerde.class);
    properties.put(
        StreamsConfig.consumerPrefix(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG), "earliest");
    // Else the second instance waits until the broker has forgotten the first one.
    properties.put(StreamsConfig.consumerPrefix(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG), 3000);
    properties.put(StreamsConfig.consumerPrefix(ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG), 500);
    engine.configure(properties, memoryBytes);
    return properties;
  }

  /** Notes a record, and the time since the thread's last one: what that took to be processed. */
  private void onRecord() {
    long now = System.nanoTime();
    if (firstRecordNanos == 0) {
      firstRecordNanos = now;
    }
    ThreadTimes times = threadTimes.get();
    if (times.lastRecordNanos != 0) {
      times.latencies.recordSince(times.lastRecordNanos);
    }
    times.lastRecordNanos = now;
    if (processed.incrementAndGet() == records / 2) {
      halfNanos = now;
    }
  }

  private ThreadTimes newThreadTimes() {
    ThreadTimes times = new ThreadTimes();
    latencies.add(times.latencies);
    return times;
  }

  /** What one thread has measured. */
  private static final class ThreadTimes {
    final Latencies latencies = new Latencies();

    /** When its last record was processed; 0 before that. */
    long lastRecordNanos;
  }

  private interface Condition {
    boolean holds();
  }

  private static void await(Condition condition) throws InterruptedException, IOException {
    long deadline = System.nanoTime() + RUN_MAX.toNanos();
    while (!condition.holds()) {
      if (System.nanoTime() > deadline) {
        throw new IOException("not done within " + RUN_MAX);
      }
      TimeUnit.MILLISECONDS.sleep(5);
    }
  }

  /** Counts what is restored. */
  private final class RestoredRecords implements StateRestoreListener {
    @Override
    public void onRestoreStart(
        TopicPartition partition, String store, long startingOffset, long endingOffset) {
      if (restoreStartNanos == 0) {
        restoreStartNanos = System.nanoTime();
      }
    }

    @Override
    public void onBatchRestored(
        TopicPartition partition, String store, long batchEndOffset, long numRestored) {
      restored.addAndGet(numRestored);
    }

    @Override
    public void onRestoreEnd(TopicPartition partition, String store, long totalRestored) {
      restoreEndNanos = System.nanoTime();
    }
  }
}
