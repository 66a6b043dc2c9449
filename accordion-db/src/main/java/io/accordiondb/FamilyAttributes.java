// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import io.accordiondb.memstore.MemStorePolicy;
import io.accordiondb.memstore.MergeSchedule;
import io.accordiondb.memstore.Policy;
import io.accordiondb.memstore.layout.CellMemory;
import io.accordiondb.memstore.layout.IndexKind;
import io.accordiondb.memstore.layout.SegmentLayout;
import io.accordiondb.retention.KeepDeletedCells;
import io.accordiondb.retention.VersionRules;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A family descriptor as text, as the manifest keeps it. Names never change their meaning. */
final class FamilyAttributes {
  private static final String MAX_VERSIONS = "max-versions";
  private static final String MIN_VERSIONS = "min-versions";
  private static final String TTL_MILLIS = "ttl-millis";
  private static final String KEEP_DELETED = "keep-deleted";
  private static final String COMPRESSION = "compression";
  private static final String BLOCK_BYTES = "block-bytes";
  private static final String BLOOM_FILTER = "bloom-filter";
  private static final String COMPACTION_STYLE = "compaction-style";
  private static final String MERGE_OPERATOR = "merge-operator";
  private static final String COMPACTION_FILTER = "compaction-filter";
  private static final String FILTERS_READS = "filters-reads";
  private static final String POLICY = "memstore-policy";
  private static final String ACTIVE_FRACTION = "memstore-active-fraction";
  private static final String PIPELINE_SEGMENTS = "memstore-pipeline-segments";
  private static final String REDUNDANCY_THRESHOLD = "memstore-redundancy-threshold";
  private static final String MERGE_SCHEDULE = "memstore-merge-schedule";
  private static final String CELL_MEMORY = "memstore-cells";
  private static final String INDEX_KIND = "memstore-index";
  private static final String FILTERED = "memstore-filtered";

  private static final Set<String> KNOWN =
      Set.of(
          MAX_VERSIONS,
          MIN_VERSIONS,
          TTL_MILLIS,
          KEEP_DELETED,
          COMPRESSION,
          BLOCK_BYTES,
          BLOOM_FILTER,
          COMPACTION_STYLE,
          MERGE_OPERATOR,
          COMPACTION_FILTER,
          FILTERS_READS,
          POLICY,
          ACTIVE_FRACTION,
          PIPELINE_SEGMENTS,
          REDUNDANCY_THRESHOLD,
          MERGE_SCHEDULE,
          CELL_MEMORY,
          INDEX_KIND,
          FILTERED);

  private final Map<String, String> attributes;

  private FamilyAttributes(Map<String, String> attributes) {
    this.attributes = attributes;
  }

  static Map<String, String> format(FamilyDescriptor family) {
    Map<String, String> attributes = new TreeMap<>();
    VersionRules rules = family.versionRules();
    attributes.put(MAX_VERSIONS, Integer.toString(rules.maxVersions()));
    attributes.put(MIN_VERSIONS, Integer.toString(rules.minVersions()));
    attributes.put(TTL_MILLIS, Long.toString(rules.ttlMillis()));
    attributes.put(KEEP_DELETED, rules.keepDeleted().name());
    attributes.put(COMPRESSION, family.compression().name());
    attributes.put(BLOCK_BYTES, Integer.toString(family.blockSizeBytes()));
    attributes.put(BLOOM_FILTER, family.bloomFilter().name());
    attributes.put(COMPACTION_STYLE, family.compactionStyle().name());
    String mergeOperator = family.mergeOperator();
    if (mergeOperator != null) {
      attributes.put(MERGE_OPERATOR, mergeOperator);
    }
    String compactionFilter = family.compactionFilter();
    if (compactionFilter != null) {
      attributes.put(COMPACTION_FILTER, compactionFilter);
      attributes.put(FILTERS_READS, Boolean.toString(family.filtersReads()));
    }
    MemStorePolicy policy = family.memStorePolicy();
    if (policy != null) {
      attributes.put(POLICY, policy.kind().name());
      attributes.put(ACTIVE_FRACTION, Double.toString(policy.activeFraction()));
      attributes.put(PIPELINE_SEGMENTS, Integer.toString(policy.pipelineSegmentsMax()));
      attributes.put(REDUNDANCY_THRESHOLD, Double.toString(policy.redundancyThreshold()));
      attributes.put(MERGE_SCHEDULE, policy.mergeSchedule().name());
    }
    SegmentLayout layout = family.segmentLayout();
    if (layout != null) {
      attributes.put(CELL_MEMORY, layout.cells().name());
      attributes.put(INDEX_KIND, layout.index().name());
      attributes.put(FILTERED, Boolean.toString(layout.filtered()));
    }
    return attributes;
  }

  static FamilyDescriptor parse(String name, Map<String, String> attributes) {
    for (String attribute : attributes.keySet()) {
      if (!KNOWN.contains(attribute)) {
        throw new IllegalArgumentException("families have no attribute " + attribute);
      }
    }
    FamilyAttributes parser = new FamilyAttributes(attributes);
    FamilyDescriptor.Builder builder = FamilyDescriptor.builder(name);
    VersionRules rules = VersionRules.DEFAULT;
    builder.versionRules(
        new VersionRules(
            parser.integer(MAX_VERSIONS, rules.maxVersions()),
            parser.integer(MIN_VERSIONS, rules.minVersions()),
            parser.number(TTL_MILLIS, rules.ttlMillis()),
            parser.choice(KEEP_DELETED, KeepDeletedCells.class, rules.keepDeleted())));
    FamilyDescriptor defaults = FamilyDescriptor.of(name);
    builder.compression(parser.choice(COMPRESSION, Compression.class, defaults.compression()));
    builder.blockSizeBytes(parser.integer(BLOCK_BYTES, defaults.blockSizeBytes()));
    builder.bloomFilter(parser.choice(BLOOM_FILTER, BloomKind.class, defaults.bloomFilter()));
    builder.compactionStyle(
        parser.choice(COMPACTION_STYLE, CompactionStyle.class, defaults.compactionStyle()));
    builder.mergeOperator(attributes.get(MERGE_OPERATOR));
    builder.compactionFilter(attributes.get(COMPACTION_FILTER));
    builder.filtersReads(Boolean.parseBoolean(attributes.get(FILTERS_READS)));
    if (attributes.containsKey(POLICY)) {
      MemStorePolicy policy = MemStorePolicy.DEFAULT;
      builder.memStorePolicy(
          new MemStorePolicy(
              parser.choice(POLICY, Policy.class, policy.kind()),
              parser.fraction(ACTIVE_FRACTION, policy.activeFraction()),
              parser.integer(PIPELINE_SEGMENTS, policy.pipelineSegmentsMax()),
              parser.fraction(REDUNDANCY_THRESHOLD, policy.redundancyThreshold()),
              parser.choice(MERGE_SCHEDULE, MergeSchedule.class, policy.mergeSchedule())));
    }
    if (attributes.containsKey(CELL_MEMORY)) {
      SegmentLayout layout = SegmentLayout.DEFAULT;
      builder.segmentLayout(
          new SegmentLayout(
              parser.choice(CELL_MEMORY, CellMemory.class, layout.cells()),
              parser.choice(INDEX_KIND, IndexKind.class, layout.index()),
              Boolean.parseBoolean(attributes.get(FILTERED))));
    }
    return builder.build();
  }

  private int integer(String name, int absent) {
    long number = number(name, absent);
    if (number != (int) number) {
      throw new IllegalArgumentException(
          "family attribute " + name + " is " + number + ", expected a number of 32 bits");
    }
    return (int) number;
  }

  private long number(String name, long absent) {
    String text = attributes.get(name);
    try {
      return text == null ? absent : Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw malformed(name, text, "a whole number", e);
    }
  }

  private double fraction(String name, double absent) {
    String text = attributes.get(name);
    try {
      return text == null ? absent : Double.parseDouble(text);
    } catch (NumberFormatException e) {
      throw malformed(name, text, "a number", e);
    }
  }

  private <E extends Enum<E>> E choice(String name, Class<E> type, E absent) {
    String text = attributes.get(name);
    try {
      return text == null ? absent : Enum.valueOf(type, text);
    } catch (IllegalArgumentException e) {
      throw malformed(name, text, "one of " + Arrays.toString(type.getEnumConstants()), e);
    }
  }

  private static IllegalArgumentException malformed(
      String name, @Nullable String text, String expected, Exception e) {
    return new IllegalArgumentException(
        "family attribute " + name + " is \"" + text + "\", expected " + expected, e);
  }
}
