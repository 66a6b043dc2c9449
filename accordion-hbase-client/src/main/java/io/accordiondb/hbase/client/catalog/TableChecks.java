// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.client.catalog;

import java.util.Arrays;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.util.Bytes;

/** Refuses tables that HBase's master refuses, with the exceptions that its client throws. */
final class TableChecks {
  private static final int BLOCK_BYTES_MIN = 1 << 10;
  private static final int BLOCK_BYTES_MAX = 16 << 20;
  private static final long FILE_BYTES_MIN = 2 << 20;
  private static final long FLUSH_BYTES_MIN = 1 << 20;

  private TableChecks() {}

  static void check(TableDescriptor table) throws DoNotRetryIOException {
    if (table.getColumnFamilyCount() == 0) {
      throw new DoNotRetryIOException("Table should have at least one column family.");
    }
    if (table.getRegionReplication() <= 0) {
      throw new DoNotRetryIOException("Table region replication should be at least one.");
    }
    checkAtLeast("MAX_FILESIZE", table.getMaxFileSize(), FILE_BYTES_MIN);
    checkAtLeast("MEMSTORE_FLUSHSIZE", table.getMemStoreFlushSize(), FLUSH_BYTES_MIN);
    if (!table.getCoprocessorDescriptors().isEmpty()) {
      throw new UnsupportedOperationException(
          "the coprocessor "
              + table.getCoprocessorDescriptors().iterator().next().getClassName()
              + " is not available in an embedded store: it has no region server that could run"
              + " it");
    }
    for (ColumnFamilyDescriptor family : table.getColumnFamilies()) {
      check(family);
    }
  }

  /** Checks a size that a table need not have. */
  private static void checkAtLeast(String name, long bytes, long bytesMin)
      throws DoNotRetryIOException {
    if (bytes > 0 && bytes < bytesMin) {
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
