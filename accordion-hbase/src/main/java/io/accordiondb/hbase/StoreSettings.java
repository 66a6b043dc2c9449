// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase;

import io.accordiondb.memstore.MemStorePolicy;
import io.accordiondb.memstore.Policy;
import java.util.Arrays;
import java.util.Locale;
import org.apache.hadoop.conf.Configuration;

/**
 * What the configuration of site, table and family says about one family's memory store. Immutable.
 *
 * @param policy policy and parameters; of the kind NONE for HBase's own memory store
 */
record StoreSettings(MemStorePolicy policy) {
  /** The policy's name. */
  static final String POLICY_KEY = "accordion.memstore.policy";

  /** A, the share of the family's flush size at which the active segment is sealed. */
  static final String ACTIVE_FRACTION_KEY = "accordion.memstore.active.fraction";

  /** S, the segments that may stand in the pipeline. */
  static final String PIPELINE_SEGMENTS_KEY = "accordion.memstore.pipeline.segments";

  /** R, the share of redundant cells above which ADAPTIVE compacts. */
  static final String ADAPTIVE_THRESHOLD_KEY = "accordion.memstore.adaptive.threshold";

  /**
   * Reads the keys.
   *
   * @throws IllegalArgumentException if one has a wrong value; the message names the key and what
   *     is allowed
   */
  static StoreSettings of(Configuration configuration) {
    MemStorePolicy policy = MemStorePolicy.of(policy(configuration));
    policy =
        policy.withActiveFraction(
            SettingReader.fraction(
                configuration, ACTIVE_FRACTION_KEY, policy.activeFraction(), false));
    policy =
        policy.withPipelineSegmentsMax(
            SettingReader.integer(
                configuration, PIPELINE_SEGMENTS_KEY, policy.pipelineSegmentsMax(), 1, 30));
    policy =
        policy.withRedundancyThreshold(
            SettingReader.fraction(
                configuration, ADAPTIVE_THRESHOLD_KEY, policy.redundancyThreshold(), true));
    return new StoreSettings(policy);
  }

  private static Policy policy(Configuration configuration) {
    String name = configuration.getTrimmed(POLICY_KEY, MemStorePolicy.DEFAULT.kind().name());
    for (Policy policy : Policy.values()) {
      if (policy.name().equals(name.toUpperCase(Locale.ROOT))) {
        return policy;
      }
    }
    throw SettingReader.wrong(POLICY_KEY, name, "one of " + Arrays.toString(Policy.values()));
  }

  boolean usesHBasesOwn() {
    return policy.kind() == Policy.NONE;
  }
}
