// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.accordiondb.memstore.layout.CellMemory;
import io.accordiondb.memstore.layout.IndexKind;
import io.accordiondb.memstore.layout.SegmentLayout;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The process that {@link StarvedProcessTest} starts with too little memory. Each thread writes
 * rows of its own, and says on standard output which were acknowledged; the last line says how the
 * database ended.
 */
final class StarvedWriter {
  static final byte[] FAMILY = "f".getBytes(US_ASCII);
  static final byte[] QUALIFIER = "q".getBytes(US_ASCII);
  static final String TABLE = "t";

  private static final int THREADS = 3;
  private static final int PIECE_BYTES = 32 << 10;
  private static final long HANG_SECONDS = 150;

  private StarvedWriter() {}

  static byte[] row(int thread, int number) {
    return String.format("%d/%07d", thread, number).getBytes(US_ASCII);
  }

  /** Returns the value of a row, which says whose it is in all its bytes. */
  static byte[] value(int thread, int number, int valueBytesMax) {
    int seed = thread * 31 + number;
    byte[] value = new byte[8 + new SplittableRandom(seed).nextInt(valueBytesMax)];
    Arrays.fill(value, (byte) seed);
    ByteBuffer.wrap(value).putInt(0, thread).putInt(4, number);
    return value;
  }

  /**
   * Arguments: the folder, mebibytes of memory, where cells lie, bytes of the longest value, number
   * of the first write, milliseconds to write for, mebibytes of direct memory that others have
   * taken, and whether another thread eats up the heap.
   */
  public static void main(String[] arguments) throws Exception {
    DatabaseOptions options =
        DatabaseOptions.builder()
            .memoryBytes(Long.parseLong(arguments[1]) << 20)
            .blockCacheBytes(1 << 20)
            .experiment(
                e ->
                    e.withSegmentLayout(
                        SegmentLayout.of(CellMemory.valueOf(arguments[2]), IndexKind.CHUNK)))
            .build();
    int valueBytesMax = Integer.parseInt(arguments[3]);
    int first = Integer.parseInt(arguments[4]);
    long nanos = TimeUnit.MILLISECONDS.toNanos(Long.parseLong(arguments[5]));
    startDaemon(StarvedWriter::haltWhenHanging);
    ByteBuffer taken = ByteBuffer.allocateDirect(Integer.parseInt(arguments[6]) << 20);
    PrintStream out = System.out;
    try (Database database = Database.open(Path.of(arguments[0]), options)) {
      if (!database.exists(TABLE)) {
        database.createTable(TableDescriptor.of(TABLE, "f"));
      }
      if (Boolean.parseBoolean(arguments[7])) {
        startDaemon(StarvedWriter::eat);
      }
      long end = System.nanoTime() + nanos;
      List<Thread> threads = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        int thread = i;
        threads.add(new Thread(() -> write(database, thread, first, end, valueBytesMax, out)));
      }
      threads.forEach(Thread::start);
      for (Thread thread : threads) {
        thread.join();
      }
      stopEating = true;
    } catch (IOException | OutOfMemoryError | LinkageError | IllegalArgumentException e) {
      // The JVM says LinkageError where it has no memory to link a lambda.
      stopEating = true;
      out.println("\nended " + e);
      Runtime.getRuntime().halt(0);
    }
    out.println("\nclosed");
    Reference.reachabilityFence(taken);
    // Without waiting for threads that have died for lack of memory.
    Runtime.getRuntime().halt(0);
  }

  private static volatile boolean stopEating;

  private static void startDaemon(Runnable work) {
    Thread thread = new Thread(work);
    thread.setDaemon(true);
    thread.start();
  }

  private static void write(
      Database database, int thread, int first, long end, int valueBytesMax, PrintStream out) {
    for (int number = first; System.nanoTime() < end; number++) {
      try {
        Durability durability = number % 4 == 0 ? Durability.FSYNC : Durability.SYNC;
        byte[] value = value(thread, number, valueBytesMax);
        database
            .table(TABLE)
            .put(
                new Put(row(thread, number))
                    .addColumn(FAMILY, QUALIFIER, value)
                    .setDurability(durability));
        synchronized (out) {
          // A line of its own even if the one before was cut short.
          out.println("\n" + thread + " " + number);
        }
      } catch (WriteStalledException | OutOfMemoryError | LinkageError e) {
        // Perhaps there is memory for the next.
      } catch (IOException e) {
        return;
      }
    }
  }

  /** Takes all the heap that there is, lets it go, and takes it again. */
  private static void eat() {
    while (!stopEating) {
      @Nullable Piece pieces = null;
      try {
        while (!stopEating) {
          pieces = new Piece(new byte[PIECE_BYTES], pieces);
        }
      } catch (OutOfMemoryError e) {
        pieces = null;
        Thread.yield();
      }
    }
  }

  private record Piece(byte[] bytes, @Nullable Piece next) {}

  private static void haltWhenHanging() {
    try {
      Thread.sleep(TimeUnit.SECONDS.toMillis(HANG_SECONDS));
    } catch (InterruptedException e) {
      return;
    }
    Thread.getAllStackTraces()
        .forEach((thread, frames) -> System.err.println(thread + " " + Arrays.toString(frames)));
    Runtime.getRuntime().halt(3);
  }
}
