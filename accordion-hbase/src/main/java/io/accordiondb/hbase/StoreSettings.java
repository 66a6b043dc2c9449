// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase;

import io.accordiondb.memstore.MemStoreOptions;
import io.accordiondb.memstore.MemStorePolicy;
import io.accordiondb.memstore.MergeSchedule;
import io.accordiondb.memstore.Policy;
import io.accordiondb.memstore.layout.SegmentLayout;
import io.accordiondb.retention.VersionRules;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import org.apache.hadoop.conf.Configuration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the configuration of site, table and family says about one family's memory store. Immutable.
 *
 * @param policy policy and parameters; the kind NONE selects HBase's own memory store
 * @param slowdownFrom the share, 0 to 1, of the size at which HBase refuses writes; above it
 *     writers are delayed. 1 for never
 */
record StoreSettings(MemStorePolicy policy, double slowdownFrom) {
  private static final Logger LOG = LoggerFactory.getLogger(StoreSettings.class);

  /** What the log says already: each family of each region has a store. */
  private static final Set<String> REPORTED = ConcurrentHashMap.newKeySet();

  /**
   * An active segment takes cells for this many chunks at least, unless A is not the default. A
   * sealed segment holds whole chunks, one of them for its index, so small ones leave most of their
   * memory empty. With their sequence numbers, cells of 70 bytes or more take four chunks.
   */
  private static final double ACTIVE_CHUNKS_MIN = 3.5;

  /** The policy's name. */
  static final String POLICY_KEY = "accordion.memstore.policy";

  /** A, the share of the family's flush size at which the active segment is sealed. */
  static final String ACTIVE_FRACTION_KEY = "accordion.memstore.active.fraction";

  /** S, the number of segments that may be in the pipeline. */
  static final String PIPELINE_SEGMENTS_KEY = "accordion.memstore.pipeline.segments";

  /** R, the share of redundant cells above which ADAPTIVE compacts. */
  static final String ADAPTIVE_THRESHOLD_KEY = "accordion.memstore.adaptive.threshold";

  /** The share, of the size at which HBase refuses writes, above which writers are delayed. */
  static final String SLOWDOWN_KEY = "accordion.memstore.slowdown.from";

  private static final double SLOWDOWN_DEFAULT = 0.5;

  /** Which segments are merged when nothing is dropped. */
  static final String MERGE_SCHEDULE_KEY = "accordion.memstore.merge.schedule";

  /**
   * Reads the keys. A key with a wrong value counts as one without a value, and the log says so: a
   * region that does not open would take its table offline.
   *
   * @param configuration the keys of site, table and family
   * @param table the name of the table, for the log
   */
  static StoreSettings of(Configuration configuration, String table) {
    MemStorePolicy policy =
        MemStorePolicy.of(
            read(
                table,
                MemStorePolicy.DEFAULT.kind(),
                standard ->
                    SettingReader.choice(configuration, POLICY_KEY, Policy.class, standard)));
    policy =
        policy.withActiveFraction(
            read(
                table,
                policy.activeFraction(),
                standard ->
                    SettingReader.fraction(configuration, ACTIVE_FRACTION_KEY, standard, false)));
    policy =
        policy.withPipelineSegmentsMax(
            read(
                table,
                policy.pipelineSegmentsMax(),
                standard ->
                    SettingReader.integer(configuration, PIPELINE_SEGMENTS_KEY, standard, 1, 30)));
    policy =
        policy.withRedundancyThreshold(
            read(
                table,
                policy.redundancyThreshold(),
                standard ->
                    SettingReader.fraction(configuration, ADAPTIVE_THRESHOLD_KEY, standard, true)));
    policy =
        policy.withMergeSchedule(
            read(
                table,
                policy.mergeSchedule(),
                standard ->
                    SettingReader.choice(
                        configuration, MERGE_SCHEDULE_KEY, MergeSchedule.class, standard)));
    return new StoreSettings(
        policy,
        read(
            table,
            SLOWDOWN_DEFAULT,
            standard -> SettingReader.fraction(configuration, SLOWDOWN_KEY, standard, true)));
  }

  /** Returns what a reader returns, or the standard if it throws. */
  private static <T> T read(String table, T standard, UnaryOperator<T> reader) {
    try {
      return reader.apply(standard);
    } catch (IllegalArgumentException e) {
      String wrong = "table " + table + ": " + e.getMessage();
      if (REPORTED.add(wrong)) {
        LOG.error("{}; {} is used instead", wrong, standard);
      }
      return standard;
    }
  }

  /**
   * Returns the options of a memory store.
   *
   * @param flushBytes the family's share of the region's flush size
   */
  MemStoreOptions options(long flushBytes, int chunkBytes, SegmentLayout layout) {
    boolean fitsChunks = policy.activeFraction() == MemStorePolicy.DEFAULT.activeFraction();
    double bytesMin = fitsChunks ? ACTIVE_CHUNKS_MIN * chunkBytes / policy.activeFraction() : 1;
    return new MemStoreOptions(
        policy, VersionRules.DEFAULT, Math.max(flushBytes, (long) bytesMin), layout);
  }

  boolean usesHBasesOwn() {
    return policy.kind() == Policy.NONE;
  }
}
