// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.accordiondb.Database;
import io.accordiondb.DatabaseOptions;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compares the dashboard with what a scrape really has. */
class GrafanaDashboardTest {
  private static final String DASHBOARD = "grafana-dashboard.json";
  private static final Pattern NAME = Pattern.compile("accordion_[a-z_]+");

  /** Meters that no panel shows, because another one says nearly the same. */
  private static final Set<String> LEFT_OUT =
      Set.of(
          "accordion_log_files",
          "accordion_log_kept_files",
          "accordion_log_kept_cells",
          "accordion_log_unflushed_cells",
          "accordion_memory_cells",
          "accordion_family_memory_cells");

  @TempDir private Path folder;
  private JsonNode dashboard;
  private Set<String> scraped;

  @BeforeEach
  void read() throws IOException {
    try (InputStream resource = AccordionMetrics.class.getResourceAsStream(DASHBOARD)) {
      dashboard = new ObjectMapper().readTree(Objects.requireNonNull(resource));
    }
    PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    try (Database database =
            Database.open(folder, DatabaseOptions.builder().memoryBytes(4 << 20).build());
        AccordionMetrics metrics = new AccordionMetrics(database)) {
      database.keyValueStore("s");
      metrics.bindTo(registry);
      scraped =
          registry
              .scrape()
              .lines()
              .filter(line -> line.startsWith("accordion_"))
              .map(line -> line.replaceAll("[{ ].*", ""))
              .collect(Collectors.toCollection(TreeSet::new));
    }
  }

  private Set<String> shown() {
    Set<String> shown = new TreeSet<>();
    for (JsonNode expression : dashboard.findValues("expr")) {
      Matcher names = NAME.matcher(expression.asText());
      while (names.find()) {
        shown.add(names.group());
      }
    }
    return shown;
  }

  @Test
  void panelsShowEachMeterOnceThatIsNotLeftOut() {
    Set<String> wanted = new TreeSet<>(scraped);
    wanted.removeAll(LEFT_OUT);
    assertThat(shown()).isEqualTo(wanted);
    assertThat(scraped).hasSizeGreaterThan(40).containsAll(LEFT_OUT);
  }

  @Test
  void variablesNameMetersThatThereAre() {
    for (JsonNode query : dashboard.findValues("definition")) {
      Matcher names = NAME.matcher(query.asText());
      assertThat(names.find()).isTrue();
      assertThat(scraped).contains(names.group());
    }
  }

  @Test
  void panelsHaveIdentitiesTitlesAndPlacesOfTheirOwn() {
    Set<Integer> identities = new HashSet<>();
    Set<String> titles = new HashSet<>();
    Set<JsonNode> places = new HashSet<>();
    for (JsonNode panel : dashboard.get("panels")) {
      assertThat(identities.add(panel.get("id").asInt())).isTrue();
      assertThat(titles.add(panel.get("title").asText())).isTrue();
      assertThat(places.add(panel.get("gridPos"))).isTrue();
      assertThat(panel.get("gridPos").get("x").asInt() + panel.get("gridPos").get("w").asInt())
          .isLessThanOrEqualTo(24);
    }
    assertThat(identities).hasSizeGreaterThan(20);
  }
}
