// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.client.catalog;

import java.util.Arrays;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.regionserver.BloomType;
import org.apache.hadoop.hbase.shaded.protobuf.generated.WALProtos;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Refuses tables that HBase's master refuses, with the exceptions that its client throws. What
 * depends on the classes, the libraries or the configuration of a server is not checked.
 */
final class TableChecks {
  private static final int BLOCK_BYTES_MIN = 1 << 10;
  private static final int BLOCK_BYTES_MAX = 16 << 20;
  private static final long FILE_BYTES_MIN = 2 << 20;
  private static final long FLUSH_BYTES_MIN = 1 << 20;

  /** Names of HBase's server, which the client does not have. */
  private static final String COMPACTION_POLICY =
      "hbase.hstore.defaultengine.compactionpolicy.class";

  private static final String FIFO_POLICY =
      "org.apache.hadoop.hbase.regionserver.compactions.FIFOCompactionPolicy";
  private static final String PREFIX_LENGTH = "RowPrefixBloomFilter.prefix_length";

  private TableChecks() {}

  static void check(TableDescriptor table) throws DoNotRetryIOException {
    if (table.getColumnFamilyCount() == 0) {
      throw new DoNotRetryIOException("Table should have at least one column family.");
    }
    if (table.getRegionReplication() <= 0) {
      throw new DoNotRetryIOException("Table region replication should be at least one.");
    }
    checkAtLeast(table, TableDescriptorBuilder.MAX_FILESIZE, FILE_BYTES_MIN);
    checkAtLeast(table, TableDescriptorBuilder.MEMSTORE_FLUSHSIZE, FLUSH_BYTES_MIN);
    if (!table.getCoprocessorDescriptors().isEmpty()) {
      throw new UnsupportedOperationException(
          "the coprocessor "
              + table.getCoprocessorDescriptors().iterator().next().getClassName()
              + " is not available in an embedded store: it has no region server that could run"
              + " it");
    }
    for (ColumnFamilyDescriptor family : table.getColumnFamilies()) {
      check(family);
      checkCompaction(table, family);
    }
  }

  /** Checks a size that a table need not have. */
  private static void checkAtLeast(TableDescriptor table, String name, long bytesMin)
      throws DoNotRetryIOException {
    String bytes = table.getValue(name);
    if (bytes != null && Long.parseLong(bytes) < bytesMin) {
      throw new DoNotRetryIOException(
          name + " for table descriptor is too small (" + bytes + "), expected " + bytesMin);
    }
  }

  private static void check(ColumnFamilyDescriptor family) throws DoNotRetryIOException {
    String name = family.getNameAsString();
    if (family.getTimeToLive() <= 0) {
      throw new DoNotRetryIOException("TTL for column family " + name + " must be positive.");
    }
    if (family.getBlocksize() < BLOCK_BYTES_MIN || family.getBlocksize() > BLOCK_BYTES_MAX) {
      throw new DoNotRetryIOException(
          "Block size for column family " + name + " must be between 1K and 16MB.");
    }
    if (family.getMinVersions() < 0) {
      throw new DoNotRetryIOException(
          "Min versions for column family " + name + " must be positive.");
    }
    if (family.getMinVersions() > family.getMaxVersions()) {
      throw new DoNotRetryIOException(
          "Min versions for column family " + name + " must be less than the Max versions.");
    }
    if (family.getDFSReplication() < 0) {
      throw new DoNotRetryIOException(
          "HFile Replication for column family " + name + " must be greater than zero.");
    }
    if (WALProtos.ScopeType.forNumber(family.getScope()) == null) {
      throw new DoNotRetryIOException(
          "Replication scope for column family "
              + name
              + " is "
              + family.getScope()
              + " which is invalid.");
    }
    checkBloomFilter(family);
  }

  private static void checkBloomFilter(ColumnFamilyDescriptor family) throws DoNotRetryIOException {
    if (family.getBloomFilterType() != BloomType.ROWPREFIX_FIXED_LENGTH) {
      return;
    }
    String length = family.getConfigurationValue(PREFIX_LENGTH);
    try {
      // An absent length is no number either.
      int bytes = Integer.parseInt(length);
      if (bytes > 0 && bytes <= HConstants.MAX_ROW_LENGTH) {
        return;
      }
    } catch (NumberFormatException e) {
      // Refused below.
    }
    throw new DoNotRetryIOException(
        "Bloom filter type of column family "
            + family.getNameAsString()
            + " is ROWPREFIX_FIXED_LENGTH, but "
            + PREFIX_LENGTH
            + " is "
            + length);
  }

  /** HBase's first-in-first-out compaction only drops files whose cells have expired. */
  private static void checkCompaction(TableDescriptor table, ColumnFamilyDescriptor family)
      throws DoNotRetryIOException {
    String policy = family.getConfigurationValue(COMPACTION_POLICY);
    if (!FIFO_POLICY.equals(policy == null ? table.getValue(COMPACTION_POLICY) : policy)) {
      return;
    }
    if (family.getTimeToLive() == ColumnFamilyDescriptorBuilder.DEFAULT_TTL) {
      throw new DoNotRetryIOException("Default TTL is not supported for FIFO compaction");
    }
    if (family.getMinVersions() > 0) {
      throw new DoNotRetryIOException("MIN_VERSION > 0 is not supported for FIFO compaction");
    }
  }

  /** Checks rows at which regions of a new table begin. */
  static void checkSplitKeys(byte[][] keys) {
    byte[][] sorted = keys.clone();
    for (byte[] key : sorted) {
      if (key == null || key.length == 0) {
        throw new IllegalArgumentException("Empty split key must not be passed in the split keys.");
      }
    }
    Arrays.sort(sorted, Bytes.BYTES_COMPARATOR);
    for (int i = 1; i < sorted.length; i++) {
      if (Arrays.equals(sorted[i - 1], sorted[i])) {
        throw new IllegalArgumentException(
            "All split keys must be unique, found duplicate: " + Bytes.toStringBinary(sorted[i]));
      }
    }
  }
}
