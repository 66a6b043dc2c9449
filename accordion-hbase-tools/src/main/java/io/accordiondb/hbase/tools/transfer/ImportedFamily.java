// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.tools.transfer;

import io.accordiondb.BloomKind;
import io.accordiondb.Compression;
import io.accordiondb.FamilyDescriptor;
import io.accordiondb.retention.KeepDeletedCells;
import io.accordiondb.retention.VersionRules;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.io.compress.Compression.Algorithm;

/**
 * Decides how the database stores a family that is imported from HBase. What decides which cells
 * are seen stays the same; for the rest, the database's own defaults take the place of HBase's. So
 * this goes one way, unlike the mapping of HBase's client, from which a family must come back as it
 * was described.
 */
final class ImportedFamily {
  private static final long MILLIS_PER_SECOND = 1000;

  private ImportedFamily() {}

  /**
   * Returns the family with versions, time to live, kept deletes and Bloom filter as in HBase. Its
   * compression is Zstandard where HBase's is slow and small, and LZ4 where it is fast. Its block
   * size is HBase's if that is not HBase's default.
   */
  static FamilyDescriptor of(ColumnFamilyDescriptor family) {
    FamilyDescriptor.Builder builder =
        FamilyDescriptor.builder(family.getNameAsString())
            .versionRules(
                new VersionRules(
                    family.getMaxVersions(),
                    Math.min(family.getMinVersions(), family.getMaxVersions()),
                    family.getTimeToLive() == HConstants.FOREVER
                        ? VersionRules.FOREVER
                        : family.getTimeToLive() * MILLIS_PER_SECOND,
                    KeepDeletedCells.valueOf(family.getKeepDeletedCells().name())))
            .compression(compression(family.getCompressionType()))
            .bloomFilter(bloom(family));
    if (family.getBlocksize() != ColumnFamilyDescriptorBuilder.DEFAULT_BLOCKSIZE) {
      builder.blockSizeBytes(
          Math.max(
              FamilyDescriptor.BLOCK_BYTES_MIN,
              Math.min(family.getBlocksize(), FamilyDescriptor.BLOCK_BYTES_MAX)));
    }
    return builder.build();
  }

  private static Compression compression(Algorithm algorithm) {
    return switch (algorithm) {
      case NONE -> Compression.NONE;
      case GZ, ZSTD, BZIP2, LZMA, BROTLI -> Compression.ZSTD;
      case SNAPPY, LZ4, LZO -> Compression.LZ4;
    };
  }

  private static BloomKind bloom(ColumnFamilyDescriptor family) {
    return switch (family.getBloomFilterType()) {
      case NONE -> BloomKind.NONE;
      case ROWCOL -> BloomKind.ROWCOL;
      case ROW, ROWPREFIX_FIXED_LENGTH -> BloomKind.ROW;
    };
  }
}
