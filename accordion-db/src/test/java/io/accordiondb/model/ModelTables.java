// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.model;

import io.accordiondb.BloomKind;
import io.accordiondb.CompactionStyle;
import io.accordiondb.Compression;
import io.accordiondb.FamilyDescriptor;
import io.accordiondb.KeyValueStore;
import io.accordiondb.TableDescriptor;
import io.accordiondb.durability.MetamorphicOptions;
import io.accordiondb.retention.KeepDeletedCells;
import io.accordiondb.retention.VersionRules;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;

/** The tables of a model run: a family for each kind of version rules. */
final class ModelTables {
  static final String A = "a";
  static final String B = "b";

  /** A copy of one of them, which nothing is written to. */
  static final String COPY = "copy";

  /**
   * The family that keeps more versions than there are timestamps. Single versions are deleted in
   * it alone: elsewhere an older version may or may not come to light, as documented.
   */
  static final String ALL = "all";

  /** The family of counters, which is read as keys and values, too. */
  static final String COUNTERS = KeyValueStore.FAMILY;

  static final Map<String, List<String>> FAMILIES =
      Map.of(
          A, List.of(COUNTERS, "three", ALL, "strict"),
          B, List.of("ttl", "keep", "keepMin", "keepTtl"));

  /** Families in which cells have times to live of their own. */
  static final Set<String> EXPIRING = Set.of(COUNTERS, "three", "strict", "ttl");

  private static final long TTL = 2_000;
  private static final Map<String, VersionRules> RULES =
      Map.of(
          COUNTERS,
          VersionRules.DEFAULT,
          "three",
          rules(3, 0, VersionRules.FOREVER, KeepDeletedCells.FALSE),
          ALL,
          rules(100_000, 0, VersionRules.FOREVER, KeepDeletedCells.FALSE),
          "strict",
          rules(2, 0, TTL, KeepDeletedCells.FALSE),
          "ttl",
          rules(2, 1, TTL, KeepDeletedCells.FALSE),
          "keep",
          rules(2, 0, VersionRules.FOREVER, KeepDeletedCells.TRUE),
          "keepMin",
          rules(3, 1, TTL, KeepDeletedCells.TRUE),
          "keepTtl",
          rules(3, 0, TTL, KeepDeletedCells.TTL));

  private ModelTables() {}

  private static VersionRules rules(int max, int min, long ttlMillis, KeepDeletedCells keep) {
    return new VersionRules(max, min, ttlMillis, keep);
  }

  /** Returns a table with its families in random formats. */
  static TableDescriptor table(String name, RandomGenerator random) {
    TableDescriptor.Builder table = TableDescriptor.builder(name);
    FAMILIES.get(name).forEach(family -> table.family(family(family, random)));
    return table.build();
  }

  /** Returns a family with its own rules and a random format. */
  static FamilyDescriptor family(String name, RandomGenerator random) {
    FamilyDescriptor.Builder family =
        FamilyDescriptor.builder(name)
            .versionRules(RULES.get(name))
            .compactionStyle(
                random.nextBoolean() ? CompactionStyle.LEVELED : CompactionStyle.TIERED);
    return formatted(family, random);
  }

  /** Returns a family in another format. */
  static FamilyDescriptor formatted(FamilyDescriptor.Builder family, RandomGenerator random) {
    return MetamorphicOptions.inMemory(family, random)
        .blockSizeBytes(512 << random.nextInt(3))
        .compression(Compression.values()[random.nextInt(Compression.values().length)])
        .bloomFilter(BloomKind.values()[random.nextInt(BloomKind.values().length)])
        .build();
  }

  /**
   * Returns rules that keep less than others. Never more: whether what was beyond the older rules
   * has been dropped yet is not defined.
   */
  static VersionRules tightened(VersionRules rules, RandomGenerator random) {
    int max = rules.maxVersions();
    int min = rules.minVersions();
    long ttl = rules.ttlMillis();
    KeepDeletedCells keep = rules.keepDeleted();
    switch (random.nextInt(4)) {
      case 0 -> max = Math.max(1, max - 1);
      case 1 -> min = Math.max(0, min - 1);
      case 2 -> ttl = ttl == VersionRules.FOREVER ? 50_000 : Math.max(200, ttl / 2);
      default -> keep = KeepDeletedCells.FALSE;
    }
    return new VersionRules(max, Math.min(min, max), ttl, keep);
  }
}
