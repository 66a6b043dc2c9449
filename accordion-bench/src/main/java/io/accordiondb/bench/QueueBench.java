// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.bench;

import io.accordiondb.Database;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.KeyValue;
import io.accordiondb.KeyValueStore;
import io.accordiondb.bench.BenchResult.Latency;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Measures a queue: it appends values at one end, and reads and deletes the first value at the
 * other end, so that the deleted values precede the remaining ones. A store whose reads pass over
 * deleted values would become slower with each operation.
 */
public final class QueueBench {
  /** How entries are deleted after they have been read. */
  public enum Deletion {
    /** By its key, one by one. */
    KEY,
    /** By a range from the beginning, one by one. */
    RANGE
  }

  /**
   * What one part of all operations has taken.
   *
   * @param operations appended, read and deleted up to its end
   * @param ratePerSecond of them, in this part
   * @param firstMicros mean time to find the first entry, in microseconds
   * @param latencyMicros how long an operation took, which appends, reads and deletes an entry
   */
  public record Part(
      long operations, double ratePerSecond, double firstMicros, Latency latencyMicros) {}

  /**
   * What to measure.
   *
   * @param operations values to append, read and delete
   * @param length entries that wait in the queue
   * @param parts into which the operations are cut
   * @param valueBytes bytes of a value
   * @param memoryBytes memory for writes
   * @param flushed whether the entries that wait at the beginning are in a file, as after a restart
   */
  public record Options(
      long operations, int length, int parts, int valueBytes, long memoryBytes, boolean flushed) {}

  private static final int KEY_BYTES = Long.BYTES;

  private final Options options;
  private final Progress progress;

  /** Creates a measurement; progress receives the number of entries that have passed the queue. */
  public QueueBench(Options options, Progress progress) {
    this.options = options;
    this.progress = progress;
  }

  /** Measures, in a folder that is empty and stays. */
  public List<Part> run(Path folder, Deletion deletion) throws IOException {
    DatabaseOptions opened = DatabaseOptions.builder().memoryBytes(options.memoryBytes()).build();
    try (Database database = Database.open(folder, opened)) {
      KeyValueStore queue = database.keyValueStore("queue");
      byte[] value = new byte[options.valueBytes()];
      long appended = 0;
      while (appended < options.length()) {
        queue.put(key(appended++), value);
      }
      if (options.flushed()) {
        database.flush();
      }
      List<Part> parts = new ArrayList<>();
      long taken = 0;
      for (int part = 1; part <= options.parts(); part++) {
        long end = options.operations() * part / options.parts();
        long begun = System.nanoTime();
        long first = taken;
        long finding = 0;
        Latencies latencies = new Latencies();
        while (taken < end) {
          long began = System.nanoTime();
          queue.put(key(appended++), value);
          long asked = System.nanoTime();
          KeyValue entry = queue.first();
          finding += System.nanoTime() - asked;
          take(queue, entry, taken, deletion);
          latencies.recordSince(began);
          taken++;
          progress.add(1);
        }
        long operations = taken - first;
        parts.add(
            new Part(
                taken,
                operations / ((System.nanoTime() - begun) / 1e9),
                finding / 1e3 / operations,
                latencies.percentiles()));
      }
      return parts;
    }
  }

  private static void take(
      KeyValueStore queue, @Nullable KeyValue entry, long number, Deletion deletion)
      throws IOException {
    if (entry == null || ByteBuffer.wrap(entry.key()).getLong() != number) {
      throw new IOException("the queue lost entry " + number + "; its first one is " + entry);
    }
    if (deletion == Deletion.KEY) {
      queue.delete(entry.key());
    } else {
      queue.deleteRange(null, key(number + 1));
    }
  }

  private static byte[] key(long number) {
    return ByteBuffer.allocate(KEY_BYTES).putLong(number).array();
  }
}
