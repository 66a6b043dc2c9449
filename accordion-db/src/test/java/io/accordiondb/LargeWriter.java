// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The process that {@link StarvedProcessTest} starts with a heap that would not hold a large value
 * for each of its threads. It prints how many writes have failed.
 */
final class LargeWriter {
  private static final int THREADS = 32;
  private static final int VALUE_BYTES = 4 << 20;
  private static final int WRITES = 8;

  private LargeWriter() {}

  /** Argument: the folder. */
  public static void main(String[] arguments) throws Exception {
    DatabaseOptions options = DatabaseOptions.builder().stallMax(Duration.ofSeconds(30)).build();
    byte[] value = new byte[VALUE_BYTES];
    AtomicInteger failed = new AtomicInteger();
    try (Database database = Database.open(Path.of(arguments[0]), options)) {
      KeyValueStore store = database.keyValueStore("s");
      List<Thread> threads = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        byte[] key = {(byte) i};
        boolean isConditional = i % 2 == 0;
        threads.add(
            new Thread(
                () -> {
                  for (int write = 0; write < WRITES; write++) {
                    try {
                      if (isConditional) {
                        store.delete(key);
                        store.putIfAbsent(key, value);
                      } else {
                        store.put(key, value);
                      }
                    } catch (IOException | OutOfMemoryError e) {
                      failed.incrementAndGet();
                    }
                  }
                }));
      }
      threads.forEach(Thread::start);
      for (Thread thread : threads) {
        thread.join();
      }
    }
    System.out.println(failed);
  }
}
