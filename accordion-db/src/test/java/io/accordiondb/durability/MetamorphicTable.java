// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.durability;

import io.accordiondb.BloomKind;
import io.accordiondb.CompactionFilter;
import io.accordiondb.CompactionStyle;
import io.accordiondb.Compression;
import io.accordiondb.FamilyDescriptor;
import io.accordiondb.TableDescriptor;
import io.accordiondb.fixtures.TestData;
import io.accordiondb.retention.KeepDeletedCells;
import io.accordiondb.retention.VersionRules;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The table of a metamorphic run: a family for each kind of version rules, which are the same in
 * every run, in a format that is not, and one more family that comes and goes.
 */
final class MetamorphicTable {
  static final String NAME = "t";

  /**
   * The family that keeps more versions than are written. Single versions are deleted in it alone:
   * elsewhere an older one may or may not come to light, as {@link io.accordiondb.Delete} says.
   * That holds where deleted cells are kept, too, if the number of versions is limited.
   */
  static final String ALL = "all";

  static final String ONE = "one";
  static final String THREE = "three";
  static final String TTL = "ttl";

  /** A family whose compaction filter readers ask, too. */
  static final String FILTERED = "filtered";

  /** Families in which cells have times to live of their own. */
  static final Set<String> EXPIRING = Set.of(ONE, THREE, TTL, FILTERED);

  /** The name of {@link #FILTER}. */
  static final String FILTER_NAME = "short-values";

  /** Families that keep what is deleted, for readers of a time range that ends before. */
  static final String KEPT = "kept";

  static final String KEPT_UNTIL_TTL = "keptTtl";

  /** A family of counters that are merged into, and never put. */
  static final String COUNTED = "counted";

  /** The family that operations create, alter and drop. */
  static final String TEMPORARY = "temporary";

  /** The families that the table always has. */
  static final List<String> FAMILIES =
      List.of(ALL, FILTERED, KEPT, KEPT_UNTIL_TTL, ONE, THREE, TTL);

  private static final long TTL_MILLIS = 1_000;
  private static final int SHORT_VALUE_BYTES = 40;

  /** Drops values of some lengths after a while. */
  static final CompactionFilter FILTER =
      cell ->
          cell.value().remaining() < SHORT_VALUE_BYTES
                  && cell.timestamp() < cell.nowMillis() - TTL_MILLIS / 4
              ? CompactionFilter.Decision.DROP
              : CompactionFilter.Decision.KEEP;

  private static final List<VersionRules> TEMPORARY_RULES =
      List.of(
          new VersionRules(4, 0, VersionRules.FOREVER, KeepDeletedCells.FALSE),
          new VersionRules(4, 2, TTL_MILLIS, KeepDeletedCells.TRUE),
          new VersionRules(4, 0, 2 * TTL_MILLIS, KeepDeletedCells.TTL));

  private MetamorphicTable() {}

  /**
   * Returns the table, without the family that comes and goes.
   *
   * @param choice of its format; null for the default
   */
  static TableDescriptor create(@Nullable RandomGenerator choice) {
    TableDescriptor.Builder table = TableDescriptor.builder(NAME);
    for (String name : FAMILIES) {
      FamilyDescriptor.Builder family = FamilyDescriptor.builder(name).versionRules(rules(name));
      if (name.equals(FILTERED)) {
        family.compactionFilter(FILTER_NAME).filtersReads(true);
      }
      table.family(choice == null ? family.build() : formatted(family, choice));
    }
    FamilyDescriptor.Builder counted = FamilyDescriptor.builder(COUNTED).mergeOperator("counter");
    table.family(choice == null ? counted.build() : formatted(counted, choice));
    return table.build();
  }

  private static VersionRules rules(String family) {
    return switch (family) {
      case ALL -> new VersionRules(100_000, 0, VersionRules.FOREVER, KeepDeletedCells.FALSE);
      case KEPT -> new VersionRules(3, 0, VersionRules.FOREVER, KeepDeletedCells.TRUE);
      case KEPT_UNTIL_TTL -> new VersionRules(3, 0, TTL_MILLIS, KeepDeletedCells.TTL);
      case FILTERED -> new VersionRules(2, 0, VersionRules.FOREVER, KeepDeletedCells.FALSE);
      case THREE -> new VersionRules(3, 0, VersionRules.FOREVER, KeepDeletedCells.FALSE);
      case TTL -> new VersionRules(2, 1, TTL_MILLIS, KeepDeletedCells.FALSE);
      default -> VersionRules.DEFAULT;
    };
  }

  private static FamilyDescriptor formatted(
      FamilyDescriptor.Builder family, RandomGenerator choice) {
    return MetamorphicOptions.inMemory(family, choice)
        .blockSizeBytes(512 << choice.nextInt(5))
        .compression(Compression.values()[choice.nextInt(Compression.values().length)])
        .compactionStyle(CompactionStyle.values()[choice.nextInt(CompactionStyle.values().length)])
        .bloomFilter(BloomKind.values()[choice.nextInt(BloomKind.values().length)])
        .build();
  }

  /** Returns the same table with about half of its families in another format. */
  static TableDescriptor reformatted(TableDescriptor table, RandomGenerator choice) {
    TableDescriptor.Builder changed = table.toBuilder();
    for (FamilyDescriptor family : table.families()) {
      if (choice.nextBoolean()) {
        changed.family(formatted(family.toBuilder(), choice));
      }
    }
    return changed.build();
  }

  /** Returns a table with the family that comes and goes, with random rules. */
  static TableDescriptor withTemporary(TableDescriptor table, MetamorphicDraw draw) {
    return table.toBuilder()
        .family(
            FamilyDescriptor.builder(TEMPORARY).versionRules(draw.pick(TEMPORARY_RULES)).build())
        .build();
  }

  /** Returns a table without the family that comes and goes. */
  static TableDescriptor withoutTemporary(TableDescriptor table) {
    return table.toBuilder().removeFamily(TEMPORARY).build();
  }

  /**
   * Returns a table whose family that comes and goes keeps less than before. Never more: whether
   * what was beyond the older rules has been dropped yet is not defined. It gets looser rules again
   * only after it was dropped.
   */
  static TableDescriptor tightened(
      TableDescriptor table, FamilyDescriptor temporary, MetamorphicDraw draw) {
    VersionRules rules = temporary.versionRules();
    int max = rules.maxVersions();
    int min = rules.minVersions();
    long ttl = rules.ttlMillis();
    KeepDeletedCells keep = rules.keepDeleted();
    switch (draw.number(4)) {
      case 0 -> max = Math.max(1, max - 1);
      case 1 -> min = Math.max(0, min - 1);
      case 2 -> ttl = ttl == VersionRules.FOREVER ? 2 * TTL_MILLIS : Math.max(200, ttl / 2);
      default -> keep = KeepDeletedCells.FALSE;
    }
    VersionRules tightened = new VersionRules(max, Math.min(min, max), ttl, keep);
    return table.toBuilder().family(temporary.toBuilder().versionRules(tightened).build()).build();
  }

  /** Returns rows at which regions begin. */
  static byte[][] splits(int count, RandomGenerator choice) {
    Set<String> starts = new TreeSet<>();
    for (int i = 0; i < count; i++) {
      starts.add(String.format("r%02d", choice.nextInt(MetamorphicDraw.ROWS)));
    }
    return starts.stream().map(TestData::bytes).toArray(byte[][]::new);
  }
}
