// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.micrometer;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.Database;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.FamilyDescriptor;
import io.accordiondb.KeyValueStore;
import io.accordiondb.Put;
import io.accordiondb.Snapshot;
import io.accordiondb.TableDescriptor;
import io.accordiondb.fixtures.Await;
import io.micrometer.core.instrument.Tags;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
class AccordionMetricsTest {
  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);

  @TempDir private Path folder;
  private Database database;
  private KeyValueStore store;

  @BeforeEach
  void open() throws IOException {
    database = open("one");
    store = database.keyValueStore("s");
  }

  private Database open(String name) throws IOException {
    return Database.open(
        folder.resolve(name), DatabaseOptions.builder().memoryBytes(16 << 20).build());
  }

  @AfterEach
  void close() throws IOException {
    database.close();
    registry.close();
  }

  /** Waits until the sample of a name with labels is as wanted. */
  private void await(String sample, Predicate<Double> wanted) {
    Await.await(
        sample,
        registry::scrape,
        scrape ->
            scrape
                .lines()
                .filter(line -> line.startsWith(sample + " "))
                .map(line -> Double.valueOf(line.substring(sample.length() + 1)))
                .findFirst()
                .filter(wanted)
                .isPresent());
  }

  private static byte[] key(int number) {
    return ("key" + number).getBytes(US_ASCII);
  }

  @Test
  void aScrapeShowsWhatTheStatisticsDo() throws IOException {
    for (int i = 0; i < 100; i++) {
      store.put(key(i), new byte[10]);
    }
    store.get(key(1));
    try (AccordionMetrics metrics = new AccordionMetrics(database)) {
      metrics.bindTo(registry);
      await(
          "accordion_operations_total{database=\"one\",kind=\"write_sync\"}",
          value -> value == 100);
      await("accordion_operations_total{database=\"one\",kind=\"get_memory\"}", v -> v == 1);
      await("accordion_cells_committed_total{database=\"one\"}", value -> value == 100);
      await("accordion_memory_budget_bytes{database=\"one\"}", value -> value == 16 << 20);
      await(
          "accordion_operation_latency_seconds"
              + "{database=\"one\",kind=\"write_sync\",quantile=\"0.5\"}",
          value -> value >= 0 && value < 1);
      await(
          "accordion_family_memory_cells{database=\"one\",family=\"v\",table=\"s\"}"
              .replace("\"v\"", "\"" + KeyValueStore.FAMILY + "\""),
          value -> value == 100);
      store.put(key(100), new byte[10]);
      await("accordion_cells_committed_total{database=\"one\"}", value -> value == 101);
    }
  }

  @Test
  void theAgeOfAReaderDoesNotDependOnTheClock() throws IOException {
    DatabaseOptions options =
        DatabaseOptions.builder().memoryBytes(16 << 20).clock(() -> Instant.EPOCH).build();
    try (Database other = Database.open(folder.resolve("other"), options);
        AccordionMetrics metrics = new AccordionMetrics(other);
        Snapshot snapshot = other.snapshot()) {
      metrics.bindTo(registry);
      assertThat(snapshot.sequenceNumber()).isNotNegative();
      await("accordion_read_point_age_seconds{database=\"other\"}", age -> age > 0 && age < 60);
    }
  }

  @Test
  void failuresOfFiltersAreCounted() throws IOException {
    DatabaseOptions options =
        DatabaseOptions.builder()
            .memoryBytes(16 << 20)
            .compactionFilter(
                "failing",
                cell -> {
                  throw new IllegalStateException("on purpose");
                })
            .build();
    try (Database other = Database.open(folder.resolve("other"), options);
        AccordionMetrics metrics = new AccordionMetrics(other)) {
      metrics.bindTo(registry);
      other.createTable(
          TableDescriptor.builder("t")
              .family(FamilyDescriptor.builder("key2").compactionFilter("failing").build())
              .build());
      other.table("t").put(new Put(key(1)).addColumn(key(2), key(3), key(4)));
      other.flush();
      other.majorCompact("t");
      await("accordion_filter_failures_total{database=\"other\"}", value -> value > 0);
    }
  }

  @Test
  void familiesComeAndGo() throws IOException {
    String ofLater = "accordion_family_files{database=\"one\",family=\"%s\",table=\"later\"}";
    String sample = String.format(ofLater, KeyValueStore.FAMILY);
    try (AccordionMetrics metrics = new AccordionMetrics(database)) {
      metrics.bindTo(registry);
      assertThat(registry.scrape()).doesNotContain("later");
      database.keyValueStore("later").put(key(1), key(1));
      await(sample, value -> value == 0);
      database.flush();
      await(sample, value -> value == 1);
      database.dropTable("later");
      Await.await(
          "a scrape without the table", registry::scrape, scrape -> !scrape.contains("later"));
    }
  }

  /** Who reads a counter takes a smaller value for a restart, and adds all of it. */
  @Test
  void countersOfAFamilyDoNotFallWhenARegionIsSplit() throws IOException {
    String labels = "{database=\"one\",family=\"" + KeyValueStore.FAMILY + "\",table=\"s\"}";
    String flushes = "accordion_family_in_memory_flushes_total" + labels;
    String cells = "accordion_family_memory_cells" + labels;
    try (AccordionMetrics metrics = new AccordionMetrics(database)) {
      metrics.bindTo(registry);
      store.put(key(1), new byte[10]);
      database.flushInMemory("s");
      await(flushes, value -> value == 1);
      assertThat(database.splitRegion("s", key(1))).isTrue();
      store.put(key(2), new byte[10]);
      store.put(key(3), new byte[10]);
      await(cells, value -> value == 2);
      await(flushes, value -> value == 1);
      database.flushInMemory("s");
      await(flushes, value -> value == 2);
    }
  }

  @Test
  void closingRemovesAllMetersFromAllRegistries() {
    PrometheusMeterRegistry other = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    AccordionMetrics metrics = new AccordionMetrics(database);
    metrics.bindTo(registry);
    metrics.bindTo(other);
    assertThat(registry.getMeters()).hasSizeGreaterThan(100).hasSameSizeAs(other.getMeters());
    metrics.close();
    metrics.close();
    assertThat(registry.getMeters()).isEmpty();
    assertThat(other.getMeters()).isEmpty();
    assertThat(registry.scrape()).isBlank();
  }

  @Test
  void severalDatabasesShareARegistry() throws IOException {
    try (Database second = open("two");
        AccordionMetrics ofFirst = new AccordionMetrics(database);
        AccordionMetrics ofSecond =
            new AccordionMetrics(second, Tags.of("database", "second", "zone", "b"))) {
      ofFirst.bindTo(registry);
      List<String> names = registry.getMeters().stream().map(m -> m.getId().getName()).toList();
      assertThat(names).allMatch(name -> name.startsWith("accordion."));
      second.keyValueStore("s").put(key(1), new byte[1]);
      PrometheusMeterRegistry both = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
      ofSecond.bindTo(both);
      assertThat(both.scrape())
          .contains("accordion_cells_committed_total{database=\"second\",zone=\"b\"} 1.0");
    }
  }

  @Test
  void aDatabaseDoesNotRemoveTheMetersOfAnotherOfItsName() throws IOException {
    String committed = "accordion_cells_committed_total{database=\"one\"}";
    try (Database second = open("elsewhere/one");
        AccordionMetrics ofFirst = new AccordionMetrics(database)) {
      second.keyValueStore("s");
      ofFirst.bindTo(registry);
      int meters = registry.getMeters().size();
      PrintStream standardError = System.err;
      ByteArrayOutputStream logged = new ByteArrayOutputStream();
      System.setErr(new PrintStream(logged, true, UTF_8));
      try (AccordionMetrics ofSecond = new AccordionMetrics(second)) {
        ofSecond.bindTo(registry);
      } finally {
        System.setErr(standardError);
      }
      assertThat(logged.toString(UTF_8)).contains("the figures of another database");
      assertThat(registry.getMeters()).hasSize(meters);
      store.put(key(1), new byte[1]);
      await(committed, value -> value == 1);
    }
    assertThat(registry.getMeters()).isEmpty();
  }

  /** A refresh opens the stores again, and they count from 0. */
  @Test
  void countersOfAFamilyDoNotFallWhenAReaderIsRefreshed() throws IOException {
    String flushes =
        "accordion_family_in_memory_flushes_total{database=\"one\",family=\""
            + KeyValueStore.FAMILY
            + "\",table=\"s\"}";
    store.put(key(1), new byte[10]);
    DatabaseOptions options =
        DatabaseOptions.builder().memoryBytes(16 << 20).readOnly(true).build();
    try (Database reader = Database.open(folder.resolve("one"), options);
        AccordionMetrics metrics = new AccordionMetrics(reader)) {
      reader.flushInMemory("s");
      metrics.bindTo(registry);
      await(flushes, value -> value == 1);
      store.put(key(2), new byte[10]);
      assertThat(reader.refresh()).isTrue();
      String cells = flushes.replace("in_memory_flushes_total", "memory_cells");
      await(cells, value -> value == 2);
      await(flushes, value -> value == 1);
    }
  }

  @Test
  void afterTheDatabaseIsClosedValuesAreNaN() throws IOException {
    try (AccordionMetrics metrics = new AccordionMetrics(database)) {
      metrics.bindTo(registry);
      database.close();
      await("accordion_memory_used_bytes{database=\"one\"}", value -> value.isNaN());
    }
  }
}
