// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.durability;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.accordiondb.BloomKind;
import io.accordiondb.CompactionStyle;
import io.accordiondb.Compression;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.FamilyDescriptor;
import io.accordiondb.TableDescriptor;
import io.accordiondb.memstore.MemStorePolicy;
import io.accordiondb.memstore.Policy;
import io.accordiondb.memstore.layout.CellMemory;
import io.accordiondb.memstore.layout.IndexKind;
import io.accordiondb.memstore.layout.SegmentLayout;
import io.accordiondb.retention.KeepDeletedCells;
import io.accordiondb.retention.VersionRules;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Random options of a database and of a table, none of which may be seen in an answer. */
final class MetamorphicOptions {
  private MetamorphicOptions() {}

  /** Returns random options, from a builder that has what all sets have in common. */
  static DatabaseOptions some(DatabaseOptions.Builder builder, RandomGenerator choice) {
    Policy policy = Policy.values()[choice.nextInt(Policy.values().length)];
    return builder
        .memoryBytes((long) (1 + choice.nextInt(8)) << 20)
        .storeFlushBytes(choice.nextBoolean() ? 0 : 1 << (10 + choice.nextInt(6)))
        .blockCacheBytes(choice.nextInt(3) == 0 ? 0 : 1 << (14 + choice.nextInt(6)))
        .memStorePolicy(
            new MemStorePolicy(
                policy,
                0.01 + 0.5 * choice.nextDouble(),
                1 + choice.nextInt(6),
                choice.nextDouble()))
        .segmentLayout(layout(choice))
        .chunkBytes(1 << (14 + choice.nextInt(4)))
        .logFileBytes(4 << (10 + choice.nextInt(6)))
        .logBytesMax(64 << (10 + choice.nextInt(4)))
        .asyncLogDelay(Duration.ofMillis(1 + choice.nextInt(50)))
        .flushThreads(1 + choice.nextInt(2))
        .compactionThreads(1 + choice.nextInt(2))
        .seed(choice.nextLong())
        .levelFileBytes(4 << (10 + choice.nextInt(3)))
        .regionSplitBytes(choice.nextInt(3) == 0 ? 64 << 10 : 1 << 30)
        .regionMergeBytes(choice.nextInt(3) == 0 ? 8 << 10 : 0)
        .build();
  }

  /**
   * Returns the table.
   *
   * @param choice of its format; null for the default
   */
  static TableDescriptor table(String name, @Nullable RandomGenerator choice) {
    return TableDescriptor.builder(name)
        .family(formatted(FamilyDescriptor.builder("all").maxVersions(100_000), choice))
        .family(formatted(FamilyDescriptor.builder("one"), choice))
        .family(formatted(FamilyDescriptor.builder("three").maxVersions(3), choice))
        .family(
            formatted(
                FamilyDescriptor.builder("ttl")
                    .versionRules(new VersionRules(2, 1, 1_000, KeepDeletedCells.FALSE)),
                choice))
        .build();
  }

  private static FamilyDescriptor formatted(
      FamilyDescriptor.Builder family, @Nullable RandomGenerator choice) {
    if (choice != null) {
      family
          .blockSizeBytes(512 << choice.nextInt(5))
          .compression(Compression.values()[choice.nextInt(Compression.values().length)])
          .compactionStyle(choice.nextBoolean() ? CompactionStyle.LEVELED : CompactionStyle.TIERED)
          .bloomFilter(BloomKind.values()[choice.nextInt(BloomKind.values().length)]);
    }
    return family.build();
  }

  /** Returns rows at which regions begin. */
  static byte[][] splits(int count, int rows, RandomGenerator choice) {
    Set<String> starts = new TreeSet<>();
    for (int i = 0; i < count; i++) {
      starts.add(String.format("r%02d", choice.nextInt(rows)));
    }
    return starts.stream().map(row -> row.getBytes(US_ASCII)).toArray(byte[][]::new);
  }

  private static SegmentLayout layout(RandomGenerator choice) {
    CellMemory cells = CellMemory.values()[choice.nextInt(CellMemory.values().length)];
    boolean array = cells == CellMemory.OBJECTS || choice.nextBoolean();
    return SegmentLayout.of(cells, array ? IndexKind.ARRAY : IndexKind.CHUNK);
  }
}
