// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.memstore.MemStorePolicy;
import io.accordiondb.memstore.MergeSchedule;
import io.accordiondb.memstore.Policy;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a family's configuration says about its memory store. */
class StoreSettingsTest {
  private final Configuration configuration = new Configuration(false);

  @Test
  void whatIsNotSetIsTheDefault() {
    assertThat(StoreSettings.of(configuration, "orders"))
        .isEqualTo(new StoreSettings(MemStorePolicy.DEFAULT, 0.5));
  }

  @Test
  void allParametersCanBeSet() {
    configuration.set(StoreSettings.POLICY_KEY, "basic");
    configuration.set(StoreSettings.ACTIVE_FRACTION_KEY, "0.1");
    configuration.set(StoreSettings.PIPELINE_SEGMENTS_KEY, "3");
    configuration.set(StoreSettings.ADAPTIVE_THRESHOLD_KEY, "0.5");
    configuration.set(StoreSettings.MERGE_SCHEDULE_KEY, "all");
    configuration.set(StoreSettings.SLOWDOWN_KEY, "1");
    assertThat(StoreSettings.of(configuration, "orders"))
        .isEqualTo(
            new StoreSettings(new MemStorePolicy(Policy.BASIC, 0.1, 3, 0.5, MergeSchedule.ALL), 1));
  }

  /** A region that does not open takes its table offline. */
  @ParameterizedTest
  @CsvSource({
    "accordion.memstore.policy, ADAPTIV, 'one of [NONE, BASIC, EAGER, ADAPTIVE, AUTO]', ADAPTIVE",
    "accordion.memstore.active.fraction, 0, 'a number above 0, at most 1', 0.02",
    "accordion.memstore.active.fraction, much, 'a number above 0, at most 1', 0.02",
    "accordion.memstore.pipeline.segments, 0, a whole number from 1 to 30, 5",
    "accordion.memstore.adaptive.threshold, 1.5, a number from 0 to 1, 0.2",
    "accordion.memstore.slowdown.from, never, a number from 0 to 1, 0.5",
    "accordion.memstore.merge.schedule, SOME, 'one of [ALL, TIERED]', TIERED"
  })
  void insteadOfAWrongValueTheDefaultIsUsedAndTheLogSaysSo(
      String key, String value, String allowed, String used) {
    configuration.set(key, value);
    PrintStream before = System.err;
    ByteArrayOutputStream logged = new ByteArrayOutputStream();
    System.setErr(new PrintStream(logged, true, UTF_8));
    try {
      StoreSettings settings = StoreSettings.of(configuration, "orders");
      assertThat(settings.policy()).isEqualTo(MemStorePolicy.DEFAULT);
      assertThat(settings.slowdownFrom()).isEqualTo(0.5);
      // Once, though each family of each region has a store.
      assertThat(StoreSettings.of(configuration, "orders")).isEqualTo(settings);
    } finally {
      System.setErr(before);
    }
    assertThat(logged.toString(UTF_8))
        .containsOnlyOnce("ERROR")
        .contains("table orders: ")
        .contains(
            key + " is \"" + value + "\", expected " + allowed + "; " + used + " is used instead");
  }
}
