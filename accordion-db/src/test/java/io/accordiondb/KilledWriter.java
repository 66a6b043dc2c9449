// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The process that {@link KillTest} kills: each thread writes its own rows, counting up, and says
 * on standard output what has been acknowledged.
 *
 * <p>Write number n of a thread is a batch over both tables: it puts n into the row {@code
 * thread/(n mod ROWS)} of table "a" and into the row {@code thread} of table "b". So afterwards, b
 * says how far the thread came, and a must agree with it row by row.
 */
final class KilledWriter {
  static final int THREADS = 3;
  static final int ROWS = 500;
  static final byte[] FAMILY = "f".getBytes(US_ASCII);
  static final byte[] QUALIFIER = "q".getBytes(US_ASCII);

  private KilledWriter() {}

  static DatabaseOptions options() {
    return DatabaseOptions.builder()
        .memoryBytes(2 << 20)
        .experiment(e -> e.withChunkBytes(16 << 10))
        .logFileBytes(1 << 20)
        .fileReading(FileReading.MAPPED)
        .build();
  }

  static byte[] row(int thread, long number) {
    return String.format("%d/%04d", thread, number % ROWS).getBytes(US_ASCII);
  }

  static byte[] lastRow(int thread) {
    return Integer.toString(thread).getBytes(US_ASCII);
  }

  static long numberOf(Result result) {
    byte[] value = result.value(FAMILY, QUALIFIER);
    return value == null ? 0 : ByteBuffer.wrap(value).getLong();
  }

  /** Arguments: the folder, then for each thread the number of its next write. */
  public static void main(String[] arguments) throws Exception {
    Database database = Database.open(Path.of(arguments[0]), options());
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      int thread = i;
      long first = Long.parseLong(arguments[1 + i]);
      threads.add(new Thread(() -> write(database, thread, first, System.out)));
    }
    threads.forEach(Thread::start);
    for (Thread thread : threads) {
      thread.join();
    }
  }

  private static void write(Database database, int thread, long first, PrintStream out) {
    try {
      for (long number = first; ; number++) {
        byte[] value = ByteBuffer.allocate(100).putLong(number).array();
        WriteBatch batch = new WriteBatch();
        batch.put("a", new Put(row(thread, number)).addColumn(FAMILY, QUALIFIER, value));
        batch.put("b", new Put(lastRow(thread)).addColumn(FAMILY, QUALIFIER, value));
        Durability durability =
            switch ((int) (number % 8)) {
              case 0 -> Durability.FSYNC;
              case 1, 2 -> Durability.ASYNC;
              default -> Durability.SYNC;
            };
        database.write(batch, durability);
        if (durability != Durability.ASYNC) {
          synchronized (out) {
            out.println(thread + " " + number);
            out.flush();
          }
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
