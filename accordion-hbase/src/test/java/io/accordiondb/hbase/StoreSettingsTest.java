// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.accordiondb.memstore.MemStorePolicy;
import io.accordiondb.memstore.MergeSchedule;
import io.accordiondb.memstore.Policy;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

/** What a family's configuration says about its memory store. */
class StoreSettingsTest {
  private final Configuration configuration = new Configuration(false);

  @Test
  void whatIsNotSetIsTheDefault() {
    assertThat(StoreSettings.of(configuration))
        .isEqualTo(new StoreSettings(MemStorePolicy.DEFAULT, true, 0.5));
  }

  @Test
  void allParametersCanBeSet() {
    configuration.set(StoreSettings.POLICY_KEY, "basic");
    configuration.set(StoreSettings.ACTIVE_FRACTION_KEY, "0.1");
    configuration.set(StoreSettings.PIPELINE_SEGMENTS_KEY, "3");
    configuration.set(StoreSettings.ADAPTIVE_THRESHOLD_KEY, "0.5");
    configuration.set(StoreSettings.MERGE_SCHEDULE_KEY, "all");
    configuration.set(StoreSettings.SLOWDOWN_KEY, "1");
    assertThat(StoreSettings.of(configuration))
        .isEqualTo(
            new StoreSettings(
                new MemStorePolicy(Policy.BASIC, 0.1, 3, 0.5, MergeSchedule.ALL), false, 1));
  }

  @Test
  void aWrongValueIsRefusedWithItsKeyAndWhatIsAllowed() {
    Map.of(
            StoreSettings.POLICY_KEY, "one of [NONE, BASIC, EAGER, ADAPTIVE, AUTO]",
            StoreSettings.ACTIVE_FRACTION_KEY, "a number above 0, at most 1",
            StoreSettings.PIPELINE_SEGMENTS_KEY, "a whole number from 1 to 30",
            StoreSettings.ADAPTIVE_THRESHOLD_KEY, "a number from 0 to 1",
            StoreSettings.SLOWDOWN_KEY, "a number from 0 to 1",
            StoreSettings.MERGE_SCHEDULE_KEY, "one of [ALL, TIERED]")
        .forEach(
            (key, allowed) -> {
              Configuration wrong = new Configuration(configuration);
              wrong.set(key, "many");
              assertThatIllegalArgumentException()
                  .isThrownBy(() -> StoreSettings.of(wrong))
                  .withMessage(key + " is \"many\", expected " + allowed);
            });
  }
}
