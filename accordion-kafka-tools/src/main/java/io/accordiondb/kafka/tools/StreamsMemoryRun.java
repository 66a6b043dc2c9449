// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.kafka.tools;

import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Properties;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.processor.internals.StateDirectory;
import org.apache.kafka.streams.processor.internals.metrics.StreamsMetricsImpl;

/**
 * One run in a process of its own: opens tasks, writes records with different keys to them in turn,
 * reads some, commits, and prints by how much the process has grown. Its heap has a fixed size and
 * was touched before, so growth is outside the heap.
 */
final class StreamsMemoryRun {
  /** What an application processes in Kafka's commit interval, at 10,000 records a second. */
  private static final int COMMIT_RECORDS = 300_000;

  /** One record is read for this many written. */
  private static final int WRITES_PER_READ = 4;

  private static final long START_MILLIS = 1_700_000_000_000L;
  private static final Duration SPAN = Duration.ofHours(1);
  private static final int NOISE_BYTES = 1 << 16;

  /** The longest value, which is a part of the noise. */
  static final int VALUE_BYTES_MAX = NOISE_BYTES - 1;

  private final long residentBytes = ProcessFigures.residentBytes();
  private final long heapBytes = heapBytes();
  private final StreamsEngine engine;
  private final int tasks;
  private final long records;
  private final int valueBytes;
  private final long memoryBytes;
  private final Path stateFolder;
  private final SplittableRandom random = new SplittableRandom(42);
  private final byte[] noise = new byte[NOISE_BYTES];

  private StreamsMemoryRun(String[] arguments) throws Exception {
    engine = StreamsEngine.valueOf(arguments[0]);
    tasks = Integer.parseInt(arguments[1]);
    records = Long.parseLong(arguments[2]);
    valueBytes = Integer.parseInt(arguments[3]);
    memoryBytes = Long.parseLong(arguments[4]);
    stateFolder = Path.of(arguments[5]);
    new Random(42).nextBytes(noise);
  }

  /** Returns the arguments of {@link #main}. */
  static String[] arguments(
      StreamsEngine engine,
      int tasks,
      long records,
      int valueBytes,
      long memoryBytes,
      Path stateFolder) {
    return new String[] {
      engine.name(),
      Integer.toString(tasks),
      Long.toString(records),
      Integer.toString(valueBytes),
      Long.toString(memoryBytes),
      stateFolder.toString()
    };
  }

  /** Runs, and prints a {@link MemoryGrowth}. */
  public static void main(String[] arguments) throws Exception {
    MeasuredProcess.print(new StreamsMemoryRun(arguments).run().toLine());
  }

  private MemoryGrowth run() throws Exception {
    StreamsConfig config = new StreamsConfig(properties());
    try (Metrics registry = new Metrics();
        StateDirectory folder = new StateDirectory(config, Time.SYSTEM, true, false)) {
      String process = folder.initializeProcessId().toString();
      StreamsMetricsImpl metrics = new StreamsMetricsImpl(registry, "memory", process, Time.SYSTEM);
      List<OpenTask> open =
          IntStream.range(0, tasks)
              .mapToObj(number -> new OpenTask(number, config, folder, metrics, SPAN))
              .toList();
      write(open);
      MemoryGrowth growth =
          new MemoryGrowth(
              ProcessFigures.residentBytesMax() - residentBytes,
              ProcessFigures.residentBytes() - residentBytes,
              heapBytes() - heapBytes);
      open.forEach(OpenTask::close);
      return growth;
    }
  }

  private Properties properties() {
    Properties properties = new Properties();
    properties.put(StreamsConfig.APPLICATION_ID_CONFIG, "memory");
    properties.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "localhost:1");
    properties.put(StreamsConfig.STATE_DIR_CONFIG, stateFolder.toString());
    engine.configure(properties, memoryBytes);
    return properties;
  }

  private void write(List<OpenTask> open) {
    for (long i = 0; i < records; i++) {
      task(open, i).put(key(i), value(), time(i));
      if (i % WRITES_PER_READ == 0) {
        read(open, random.nextLong(i + 1));
      }
      if ((i + 1) % COMMIT_RECORDS == 0) {
        open.forEach(OpenTask::commit);
      }
    }
  }

  private void read(List<OpenTask> open, long i) {
    if (!task(open, i).contains(key(i), time(i))) {
      throw new IllegalStateException("Record " + i + " is missing from task " + i % tasks);
    }
  }

  private OpenTask task(List<OpenTask> open, long i) {
    return open.get((int) (i % tasks));
  }

  /** Returns the key of a record: no other record has it, and their order is random. */
  private static Bytes key(long i) {
    long mixed = new SplittableRandom(i).nextLong();
    return Bytes.wrap(ByteBuffer.allocate(16).putLong(mixed).putLong(i).array());
  }

  private byte[] value() {
    int offset = random.nextInt(NOISE_BYTES - valueBytes);
    return Arrays.copyOfRange(noise, offset, offset + valueBytes);
  }

  private long time(long i) {
    return START_MILLIS + i * SPAN.toMillis() / records;
  }

  /** Returns what is live on the heap. */
  private static long heapBytes() {
    System.gc();
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }
}
