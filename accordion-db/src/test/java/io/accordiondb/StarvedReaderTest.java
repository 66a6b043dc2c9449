// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import static io.accordiondb.fixtures.JavaProcess.javaProcess;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A process whose direct memory is too small for memory stores and caches together. */
@Tag("slow")
class StarvedReaderTest {
  private static final int ENTRIES = 40_000;

  @TempDir Path folder;

  @Test
  @Timeout(300)
  void readsAndClosingGoOnWhenTheCacheHasTakenAllDirectMemory() throws Exception {
    Process process =
        javaProcess(
                List.of("-Xmx32m", "-XX:MaxDirectMemorySize=8m"),
                StarvedReader.class,
                folder.resolve("db"))
            .redirectErrorStream(true)
            .start();
    String output = new String(process.getInputStream().readAllBytes(), US_ASCII);
    assertThat(process.waitFor()).as(output).isZero();
    assertThat(output).doesNotContain("OutOfMemoryError");
  }

  /** Writes more than fits into memory, reads all of it, and closes the database. */
  static final class StarvedReader {
    private StarvedReader() {}

    public static void main(String[] arguments) throws IOException {
      byte[] value = new byte[1000];
      new Random(1).nextBytes(value);
      try (Database database = Database.open(Path.of(arguments[0]))) {
        KeyValueStore store = database.keyValueStore("s");
        for (int i = 0; i < ENTRIES; i++) {
          store.put(key(i), value);
        }
        for (int i = 0; i < ENTRIES; i++) {
          assertThat(store.get(key(i))).isEqualTo(value);
        }
      }
    }

    private static byte[] key(int number) {
      return ("k" + number).getBytes(US_ASCII);
    }
  }
}
