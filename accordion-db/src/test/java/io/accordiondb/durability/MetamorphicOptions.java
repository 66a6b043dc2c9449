// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.durability;

import io.accordiondb.Compression;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.FamilyDescriptor;
import io.accordiondb.FileReading;
import io.accordiondb.LogWriting;
import io.accordiondb.TestKeys;
import io.accordiondb.memstore.MemStorePolicy;
import io.accordiondb.memstore.Policy;
import io.accordiondb.memstore.layout.CellMemory;
import io.accordiondb.memstore.layout.IndexKind;
import io.accordiondb.memstore.layout.SegmentLayout;
import java.time.Duration;
import java.util.random.RandomGenerator;

/** Random options of a database, none of which may be seen in an answer. */
public final class MetamorphicOptions {
  /** Room for a range delete with the longest rows for bounds, in every family and region. */
  private static final long LONGEST_ROWS_BYTES = 3 << 20;

  private MetamorphicOptions() {}

  /** Raises the memory to what operations with the longest rows need. */
  static DatabaseOptions.Builder withRoom(DatabaseOptions options) {
    return options.toBuilder().memoryBytes(Math.max(LONGEST_ROWS_BYTES, options.memoryBytes()));
  }

  /** Gives a family a policy and a form of segments of its own, or those of the database. */
  public static FamilyDescriptor.Builder inMemory(
      FamilyDescriptor.Builder family, RandomGenerator choice) {
    return family
        .memStorePolicy(choice.nextInt(4) == 0 ? policy(choice) : null)
        .segmentLayout(choice.nextInt(4) == 0 ? layout(choice) : null);
  }

  /** Returns random options, from a builder that has what all sets have in common. */
  static DatabaseOptions some(DatabaseOptions.Builder builder, RandomGenerator choice) {
    if (choice.nextInt(6) == 0) {
      builder.encryption(TestKeys.changing(choice.nextLong()));
    }
    return changed(builder, choice)
        .experiment(e -> e.withSegmentLayout(layout(choice)))
        .experiment(e -> e.withChunkBytes(1 << (14 + choice.nextInt(4))))
        .logFileBytes(4 << (10 + choice.nextInt(6)))
        .logWriting(choice.nextBoolean() ? LogWriting.MAPPED : LogWriting.PLAIN)
        .asyncLogDelay(Duration.ofMillis(1 + choice.nextInt(50)))
        .fileReading(choice.nextBoolean() ? FileReading.MAPPED : FileReading.PLAIN)
        .openFilesMax(choice.nextInt(3) == 0 ? 1 + choice.nextInt(6) : 0)
        .experiment(e -> e.withSeed(choice.nextLong()))
        .build();
  }

  /** Changes the options that can change while a database is open. */
  public static DatabaseOptions.Builder changed(
      DatabaseOptions.Builder builder, RandomGenerator choice) {
    return builder
        .memoryBytes((long) (1 + choice.nextInt(8)) << 20)
        .storeFlushBytes(choice.nextBoolean() ? 0 : 1 << (10 + choice.nextInt(6)))
        // From 512 KiB on there is a cache of columns, too.
        .blockCacheBytes(choice.nextInt(3) == 0 ? 0 : 1 << (14 + choice.nextInt(8)))
        .memStorePolicy(policy(choice))
        .logRetention(Duration.ofHours(choice.nextInt(2)))
        .logRetentionBytesMax(choice.nextBoolean() ? Long.MAX_VALUE : choice.nextInt(64 << 10))
        .logBytesMax(64 << (10 + choice.nextInt(4)))
        .logCompression(choice.nextBoolean() ? Compression.NONE : Compression.LZ4)
        .flushThreads(1 + choice.nextInt(2))
        .compactionThreads(1 + choice.nextInt(2))
        .compactWhenIdle(choice.nextBoolean())
        .levelFileBytes(4 << (10 + choice.nextInt(3)))
        .regionSplitBytes(choice.nextInt(3) == 0 ? 64 << 10 : 1 << 30)
        .regionMergeBytes(choice.nextInt(3) == 0 ? 8 << 10 : 0);
  }

  private static MemStorePolicy policy(RandomGenerator choice) {
    Policy policy = Policy.values()[choice.nextInt(Policy.values().length)];
    return new MemStorePolicy(
        policy, 0.01 + 0.5 * choice.nextDouble(), 1 + choice.nextInt(6), choice.nextDouble());
  }

  private static SegmentLayout layout(RandomGenerator choice) {
    CellMemory cells = CellMemory.values()[choice.nextInt(CellMemory.values().length)];
    boolean array = cells == CellMemory.OBJECTS || choice.nextBoolean();
    return SegmentLayout.of(cells, array ? IndexKind.ARRAY : IndexKind.CHUNK);
  }
}
