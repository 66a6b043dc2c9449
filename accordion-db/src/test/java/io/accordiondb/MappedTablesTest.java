// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tables that are read by mappings, while most of them are closed again after each read. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class MappedTablesTest {
  private static final int KEYS = 200;
  private static final int VALUE_BYTES = 2_000;

  @TempDir private Path folder;

  private static byte[] key(int number) {
    return String.format("key %03d", number).getBytes(US_ASCII);
  }

  private static byte[] value(int number) {
    byte[] value = new byte[VALUE_BYTES];
    new Random(number).nextBytes(value);
    return value;
  }

  private static void write(Database database, KeyValueStore store) throws IOException {
    for (int i = 0; i < KEYS; i++) {
      store.put(key(i), value(i));
    }
    database.flush();
  }

  /** Returns how many tables below the folder are mapped; -1 where that cannot be known. */
  private long mappedTables() throws IOException {
    Path maps = Path.of("/proc/self/maps");
    if (!Files.isReadable(maps)) {
      return -1;
    }
    String tables = folder.toRealPath() + "/sst/";
    try (Stream<String> lines = Files.lines(maps)) {
      return lines.filter(line -> line.contains(tables)).count();
    }
  }

  @Test
  void readersAndCompactionsShareMappedFiles() throws Exception {
    DatabaseOptions options =
        DatabaseOptions.builder()
            .memoryBytes(4 << 20)
            .blockCacheBytes(0)
            .openFilesMax(2)
            .fileReading(FileReading.MAPPED)
            .build();
    ExecutorService threads = Executors.newSingleThreadExecutor();
    try (Database database = Database.open(folder, options)) {
      KeyValueStore store = database.keyValueStore("kv");
      write(database, store);
      Future<?> reader =
          threads.submit(
              () -> {
                for (int i = 0; i < 4_000; i++) {
                  assertThat(store.get(key(i % KEYS))).isEqualTo(value(i % KEYS));
                }
                return null;
              });
      for (int round = 0; round < 6; round++) {
        write(database, store);
        Compactions.compact(database, "kv", round % 2 == 0);
      }
      reader.get(1, TimeUnit.MINUTES);
      assertThat(store.get(key(7))).isEqualTo(value(7));
      assumeThat(mappedTables()).isNotNegative();
      assertThat(mappedTables()).isBetween(1L, 2L);
    } finally {
      threads.shutdownNow();
    }
    assertThat(mappedTables()).isZero();
  }
}
