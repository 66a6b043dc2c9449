// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli.top;

import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.Database;
import io.accordiondb.DatabaseOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TopTextTest {
  private static final long SECOND = 1_000_000_000L;

  private static Reading reading(long nanos, long cells) {
    Map<String, Object> values = new LinkedHashMap<>();
    values.put("operations.WRITE_SYNC.count", cells);
    values.put("operations.WRITE_SYNC.p50Micros", 12.0);
    values.put("operations.WRITE_SYNC.p99Micros", 3400.0);
    values.put("operations.WRITE_SYNC.maxMicros", 5_600_000.0);
    values.put("operations.GET_FILE.count", 0L);
    values.put("writes.cells", cells);
    values.put("memory.usedBytes", 30_000_000L);
    values.put("memory.budgetBytes", 60_000_000L);
    values.put("stalls.MEMORY.count", 2L);
    values.put("stalls.MEMORY.waiting", 1L);
    values.put("stalls.lastReason", "memory is full");
    Map<String, Object> store = new LinkedHashMap<>();
    store.put("table", "t");
    store.put("family", "f");
    store.put("region", 1L);
    store.put("memoryBytes", 30_000_000L);
    store.put("policy", "ADAPTIVE");
    store.put("uniqueness", Double.NaN);
    store.put("throttle", 0.5);
    store.put("lastDecision", "merge of 5: estimated yield 12% < 20%");
    return new Reading("/data", "/data", nanos, values, List.of(store));
  }

  private final TopText text = new TopText(reading(0, 1000), reading(2 * SECOND, 5000));

  @Test
  void ratesAreThoseBetweenTwoReadings() {
    assertThat(text.line()).startsWith("/data: 2,000 cells/s written, 0 gets/s, memory 30.0 MB of");
  }

  @Test
  void theFirstReadingHasNoRates() {
    Reading only = reading(5, 1000);
    assertThat(new TopText(only, only).line()).contains(" 0 cells/s written");
  }

  @Test
  void showsBarsLatenciesStallsAndDecisions() {
    List<String> lines = text.screen(120, 40);
    assertThat(lines).anyMatch(line -> line.contains("[" + "|".repeat(20) + " ".repeat(20) + "]"));
    assertThat(lines)
        .anyMatch(line -> line.matches("WRITE_SYNC +5,000 +12.0 us +3.4 ms +5.6 s"))
        .noneMatch(line -> line.startsWith("GET_FILE"));
    assertThat(lines).anyMatch(line -> line.contains("2, 1 waiting now; the last: memory is full"));
    assertThat(lines)
        .anyMatch(
            line ->
                line.contains("t/f/1")
                    && line.contains(" - ")
                    && line.endsWith("merge of 5: estimated yield 12% < 20%"));
  }

  @Test
  void saysThatWritesAreRefusedAndWhatHasFailed() {
    Reading now = reading(SECOND, 1000);
    assertThat(new TopText(now, now).line()).doesNotContain("FAILED");
    now.values().put("health.writes", "FAILED");
    now.values().put("health.reason", "Input/output error");
    now.values().put("health.backgroundErrors", 3L);
    now.values().put("health.lastBackgroundError", "flush of t failed");
    TopText refused = new TopText(now, now);
    assertThat(refused.line()).endsWith(", writes FAILED: Input/output error");
    assertThat(refused.screen(120, 40))
        .contains("writes FAILED: Input/output error")
        .contains("failures 3 of background work, 0 damaged places; the last: flush of t failed");
  }

  /** A name that the bean does not have would read as 0, or as no text. */
  @Test
  void readsOnlyWhatADatabasePublishes(@TempDir Path folder) throws IOException {
    try (Database database =
            Database.open(
                folder, DatabaseOptions.builder().memoryBytes(4 << 20).jmx(true).build());
        LiveProcess process = LiveProcess.connect(ProcessHandle.current().pid())) {
      database.keyValueStore("s").put(new byte[] {1}, new byte[10]);
      Reading published =
          process.read().stream()
              .filter(reading -> reading.database().equals(folder.toString()))
              .findFirst()
              .orElseThrow();
      Set<String> asked = new TreeSet<>();
      Map<String, Object> values =
          new LinkedHashMap<>(published.values()) {
            private static final long serialVersionUID = 1L;

            @Override
            public Object get(Object name) {
              asked.add((String) name);
              return super.get(name);
            }
          };
      Reading observed = new Reading("db", "db", SECOND, values, published.stores());
      TopText ofDatabase = new TopText(observed, observed);
      assertThat(ofDatabase.line()).isNotEmpty();
      assertThat(ofDatabase.screen(120, 40)).anyMatch(line -> line.startsWith("log      ["));
      assertThat(asked).hasSizeGreaterThan(20).isSubsetOf(published.values().keySet());
      for (String column : List.of("table", "family", "region", "policy", "pipelineSegments")) {
        assertThat(published.stores().get(0)).containsKey(column);
      }
    }
  }

  @Test
  void fitsTheTerminal() {
    List<String> lines = text.screen(TopText.COLUMNS_MIN, TopText.LINES_MIN);
    assertThat(lines)
        .hasSizeLessThanOrEqualTo(TopText.LINES_MIN)
        .allMatch(line -> line.length() <= TopText.COLUMNS_MIN);
  }
}
