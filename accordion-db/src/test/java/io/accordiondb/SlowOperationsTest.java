// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SlowOperationsTest {
  @TempDir private Path folder;

  /** Takes its time with each row. */
  private static final Filter SLOW =
      new Filter() {
        @Override
        public boolean mayKeepRow(byte[] row) {
          long end = System.nanoTime() + Duration.ofMillis(30).toNanos();
          while (System.nanoTime() < end) {
            Thread.onSpinWait();
          }
          return true;
        }

        @Override
        public List<Cell> keep(List<Cell> cells) {
          return cells;
        }
      };

  @Test
  void anOperationAboveTheThresholdIsLoggedWithWhatItWaitedFor() throws IOException {
    try (LoggedText log = new LoggedText();
        Database database =
            Database.open(
                folder,
                DatabaseOptions.builder()
                    .memoryBytes(4 << 20)
                    .slowOperation(Duration.ofMillis(20))
                    .build())) {
      KeyValueStore store = database.keyValueStore("s");
      store.put("key\u0000".getBytes(US_ASCII), new byte[1]);
      database.flush();
      Table table = database.table("s");
      Get slow = new Get("key\u0000".getBytes(US_ASCII)).setFilter(SLOW);
      // The log gets one line a second: it may be that of a later get, which finds all in the
      // cache.
      String logged = log.await("slow operation: get, from ", () -> get(table, slow));
      assertThat(logged)
          .containsPattern(
              "get, from (files|cache) of table s, row key\\\\x00 took \\d+ us; \\d+ b")
          .containsPattern("\\d+ blocks (read from files|from the cache)");
      database.reconfigure(options -> options.slowOperation(Duration.ZERO));
      String before = log.toString();
      get(table, slow);
      assertThat(log.toString().substring(before.length())).doesNotContain("slow operation");
    }
  }

  private static void get(Table table, Get get) {
    try {
      assertThat(table.get(get).isEmpty()).isFalse();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aThresholdBelowZeroIsRefused() {
    for (Duration limit : List.of(Duration.ofMillis(-1), Duration.ofNanos(-1))) {
      assertThatThrownBy(() -> DatabaseOptions.builder().slowOperation(limit))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("slowOperation");
    }
  }
}
