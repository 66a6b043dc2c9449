// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.fixtures.TestThread;
import java.io.IOException;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * The process that {@link StarvedReaderTest} starts with too little direct memory. In each of its
 * databases it writes more than fits into memory. Then threads read all of that, key by key and in
 * order, while one of them compacts the files. At last other code may take the rest of direct
 * memory, and a new thread reads, and another one writes everything again.
 */
final class StarvedReader {
  private static final String STORE = "s";

  /** A few hundred entries, so that the log needs memory for new files again and again. */
  private static final int LOG_FILE_BYTES = 256 << 10;

  private StarvedReader() {}

  /**
   * Arguments: folder, bytes of memory, bytes of the cache, databases, threads of each, entries,
   * and whether other code takes the rest.
   */
  public static void main(String[] arguments) throws Exception {
    boolean othersTakeTheRest = Boolean.parseBoolean(arguments[6]);
    DatabaseOptions.Builder options =
        DatabaseOptions.builder()
            .memoryBytes(Long.parseLong(arguments[1]))
            .blockCacheBytes(Long.parseLong(arguments[2]))
            .logFileBytes(LOG_FILE_BYTES);
    int entries = Integer.parseInt(arguments[5]);
    List<Database> databases = new ArrayList<>();
    for (int i = 0; i < Integer.parseInt(arguments[3]); i++) {
      databases.add(Database.open(Path.of(arguments[0], "db" + i), options.build()));
    }
    for (Database database : databases) {
      KeyValueStore store = database.keyValueStore(STORE);
      write(store, entries);
    }
    List<TestThread> threads = new ArrayList<>();
    for (Database database : databases) {
      threads.add(TestThread.start("compaction", () -> database.majorCompact(STORE)));
      for (int i = 0; i < Integer.parseInt(arguments[4]); i++) {
        int first = i;
        threads.add(TestThread.start("reader " + i, () -> read(database, first, entries)));
      }
    }
    for (TestThread thread : threads) {
      thread.join();
    }
    List<ByteBuffer> taken = new ArrayList<>();
    if (othersTakeTheRest) {
      for (int bytes = 1 << 20; bytes >= 1 << 12; bytes >>= 4) {
        take(bytes, taken);
      }
    }
    for (Database database : databases) {
      KeyValueStore store = database.keyValueStore(STORE);
      TestThread.start("late writer", () -> write(store, entries)).join();
      TestThread.start("late reader", () -> read(database, 0, entries)).join();
      database.close();
    }
    Reference.reachabilityFence(taken);
  }

  private static void write(KeyValueStore store, int entries) throws IOException {
    for (int i = 0; i < entries; i++) {
      store.put(key(i), value(i));
    }
  }

  /** Takes all direct memory that is left, in pieces. */
  private static void take(int bytes, List<ByteBuffer> taken) {
    try {
      while (true) {
        taken.add(ByteBuffer.allocateDirect(bytes));
      }
    } catch (OutOfMemoryError e) {
      // The rest is smaller than a piece.
    }
  }

  private static void read(Database database, int first, int entries) throws IOException {
    KeyValueStore store = database.keyValueStore(STORE);
    for (int i = 0; i < entries; i++) {
      int number = (first * 1000 + i) % entries;
      assertThat(store.get(key(number))).as("entry %d", number).isEqualTo(value(number));
      if (i % 100 == 0) {
        store.put(key(number), value(number));
      }
    }
    int found = 0;
    try (KeyValueIterator all = store.range(null, null)) {
      for (; all.hasNext(); found++) {
        all.next();
      }
    }
    assertThat(found).isEqualTo(entries);
  }

  private static byte[] key(int number) {
    return ("k" + number).getBytes(US_ASCII);
  }

  private static byte[] value(int number) {
    byte[] value = new byte[1000];
    new Random(number).nextBytes(value);
    return value;
  }
}
