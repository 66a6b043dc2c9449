// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.client.catalog;

import io.accordiondb.BloomKind;
import io.accordiondb.Compression;
import io.accordiondb.FamilyDescriptor;
import io.accordiondb.memstore.MemStorePolicy;
import io.accordiondb.memstore.Policy;
import io.accordiondb.retention.KeepDeletedCells;
import io.accordiondb.retention.VersionRules;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.MemoryCompactionPolicy;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.io.compress.Compression.Algorithm;
import org.apache.hadoop.hbase.regionserver.BloomType;
import org.jspecify.annotations.Nullable;

/**
 * Maps the attributes of a family that both HBase and the database have. Where the database has
 * fewer choices it takes the nearest one. Both directions begin with a descriptor of the target's
 * kind, keep what the other side does not know, and change an attribute only if the two differ.
 */
final class FamilyMapping {
  private static final long MILLIS_PER_SECOND = 1000;

  private FamilyMapping() {}

  /**
   * Returns the database's form of a family.
   *
   * @param present how the database has the family, or a descriptor with all defaults
   * @throws IllegalArgumentException if the database cannot have such a family
   */
  static FamilyDescriptor toEngine(ColumnFamilyDescriptor family, FamilyDescriptor present) {
    VersionRules rules =
        new VersionRules(
            family.getMaxVersions(),
            family.getMinVersions(),
            ttlMillis(family, present.versionRules()),
            KeepDeletedCells.valueOf(family.getKeepDeletedCells().name()));
    return present.toBuilder()
        .versionRules(rules)
        .compression(compression(family.getCompressionType()))
        .blockSizeBytes(blockBytes(family))
        .bloomFilter(bloom(family.getBloomFilterType()))
        .memStorePolicy(policy(family.getInMemoryCompaction(), present.memStorePolicy()))
        .build();
  }

  /**
   * Returns HBase's form of a family.
   *
   * @param stored how HBase's client has described the family, or a descriptor with all defaults
   */
  static ColumnFamilyDescriptor toHBase(FamilyDescriptor family, ColumnFamilyDescriptor stored) {
    ColumnFamilyDescriptorBuilder builder = ColumnFamilyDescriptorBuilder.newBuilder(stored);
    VersionRules rules = family.versionRules();
    if (rules.minVersions() != stored.getMinVersions()) {
      // Comes first: the builder refuses fewer versions than it has as the least.
      builder.setMinVersions(rules.minVersions());
    }
    if (rules.maxVersions() != stored.getMaxVersions()) {
      builder.setMaxVersions(rules.maxVersions());
    }
    if (rules.ttlMillis() != ttlMillis(stored, rules)) {
      builder.setTimeToLive(ttlSeconds(rules));
    }
    if (!rules.keepDeleted().name().equals(stored.getKeepDeletedCells().name())) {
      builder.setKeepDeletedCells(
          org.apache.hadoop.hbase.KeepDeletedCells.valueOf(rules.keepDeleted().name()));
    }
    if (family.compression() != compression(stored.getCompressionType())) {
      builder.setCompressionType(Algorithm.valueOf(family.compression().name()));
    }
    if (family.blockSizeBytes() != blockBytes(stored)) {
      builder.setBlocksize(family.blockSizeBytes());
    }
    if (family.bloomFilter() != bloom(stored.getBloomFilterType())) {
      builder.setBloomFilterType(BloomType.valueOf(family.bloomFilter().name()));
    }
    MemoryCompactionPolicy wanted = policyName(family.memStorePolicy());
    if (wanted != stored.getInMemoryCompaction()) {
      if (wanted == null) {
        builder.setValue(ColumnFamilyDescriptorBuilder.IN_MEMORY_COMPACTION, null);
      } else {
        builder.setInMemoryCompaction(wanted);
      }
    }
    return builder.build();
  }

  private static long ttlMillis(ColumnFamilyDescriptor family, VersionRules present) {
    int seconds = family.getTimeToLive();
    if (seconds == ttlSeconds(present)) {
      // The database counts in milliseconds; what it has is exact.
      return present.ttlMillis();
    }
    return seconds == HConstants.FOREVER ? VersionRules.FOREVER : seconds * MILLIS_PER_SECOND;
  }

  private static int ttlSeconds(VersionRules rules) {
    long seconds = (rules.ttlMillis() - 1) / MILLIS_PER_SECOND + 1;
    return (int) Math.min(seconds, HConstants.FOREVER);
  }

  private static Compression compression(Algorithm algorithm) {
    return switch (algorithm) {
      case NONE -> Compression.NONE;
      case LZ4, LZO, SNAPPY -> Compression.LZ4;
      default -> Compression.ZSTD;
    };
  }

  private static int blockBytes(ColumnFamilyDescriptor family) {
    return Math.max(
        FamilyDescriptor.BLOCK_BYTES_MIN,
        Math.min(family.getBlocksize(), FamilyDescriptor.BLOCK_BYTES_MAX));
  }

  private static BloomKind bloom(BloomType type) {
    return switch (type) {
      case NONE -> BloomKind.NONE;
      case ROWCOL -> BloomKind.ROWCOL;
      default -> BloomKind.ROW;
    };
  }

  /** Returns what HBase calls a policy; null for the default, and for one that it does not have. */
  private static @Nullable MemoryCompactionPolicy policyName(@Nullable MemStorePolicy policy) {
    return policy == null || policy.kind() == Policy.AUTO
        ? null
        : MemoryCompactionPolicy.valueOf(policy.kind().name());
  }

  private static @Nullable MemStorePolicy policy(
      @Nullable MemoryCompactionPolicy wanted, @Nullable MemStorePolicy present) {
    Policy presentKind = present == null ? null : present.kind();
    if (wanted == null) {
      // HBase has no name for this one.
      return presentKind == Policy.AUTO ? present : null;
    }
    Policy kind = Policy.valueOf(wanted.name());
    return kind == presentKind ? present : MemStorePolicy.of(kind);
  }
}
