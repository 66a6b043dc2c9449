// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase;

import io.accordiondb.cell.CellComparator;
import io.accordiondb.cell.KeyValueLayout;
import io.accordiondb.retention.CellFilter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import org.apache.hadoop.hbase.ByteBufferKeyValue;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.NoTagsByteBufferKeyValue;
import org.apache.hadoop.hbase.regionserver.RegionCoprocessorHost;
import org.apache.hadoop.hbase.regionserver.ScanInfo;
import org.apache.hadoop.hbase.regionserver.ScanType;
import org.apache.hadoop.hbase.regionserver.querymatcher.CompactionScanQueryMatcher;
import org.apache.hadoop.hbase.regionserver.querymatcher.ScanQueryMatcher.MatchCode;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;
import org.jspecify.annotations.Nullable;

/**
 * Keeps what HBase's own compaction that retains delete markers keeps, by asking the code that
 * decides there: versions, time to live of family and cell, markers, read points. Belongs to one
 * thread.
 */
final class HBaseRules implements CellFilter {
  private final CompactionScanQueryMatcher matcher;
  private final long smallestReadPoint;
  private final int maxVersions;

  /** Cells of the current column that were kept. */
  private int keptVersions;

  private @Nullable ByteBuffer lastBuffer;
  private int lastOffset;

  /**
   * Creates the filter of one compaction that begins now.
   *
   * @param smallestReadPoint up to which any scanner reads
   */
  HBaseRules(ScanInfo family, long smallestReadPoint, @Nullable RegionCoprocessorHost coprocessors)
      throws IOException {
    this.smallestReadPoint = smallestReadPoint;
    this.maxVersions = family.getMaxVersions();
    long now = EnvironmentEdgeManager.currentTime();
    matcher =
        CompactionScanQueryMatcher.create(
            family,
            ScanType.COMPACT_RETAIN_DELETES,
            smallestReadPoint,
            HConstants.OLDEST_TIMESTAMP,
            now - family.getTtl(),
            now,
            null,
            null,
            coprocessors);
  }

  @Override
  public boolean keeps(ByteBuffer buffer, int offset, int length, long sequence) {
    ByteBufferKeyValue cell = cell(buffer, offset, length, sequence);
    ByteBuffer last = lastBuffer;
    if (last == null || CellComparator.compareRows(buffer, offset, last, lastOffset) != 0) {
      matcher.setToNewRow(cell);
    }
    lastBuffer = buffer;
    lastOffset = offset;
    keptVersions = 0;
    return isIncluded(cell);
  }

  @Override
  public boolean keepsNextVersion(ByteBuffer buffer, int offset, int length, long sequence) {
    return isIncluded(cell(buffer, offset, length, sequence));
  }

  private static ByteBufferKeyValue cell(ByteBuffer buffer, int offset, int length, long sequence) {
    return length == KeyValueLayout.length(buffer, offset)
        ? new NoTagsByteBufferKeyValue(buffer, offset, length, sequence)
        : new ByteBufferKeyValue(buffer, offset, length, sequence);
  }

  private boolean isIncluded(ByteBufferKeyValue cell) {
    MatchCode code;
    try {
      code = matcher.match(cell);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    boolean included =
        code == MatchCode.INCLUDE
            || code == MatchCode.INCLUDE_AND_SEEK_NEXT_COL
            || code == MatchCode.INCLUDE_AND_SEEK_NEXT_ROW;
    if (included) {
      keptVersions++;
    }
    return included;
  }

  /** Without markers and with all cells visible to all, HBase counts versions and nothing else. */
  @Override
  public boolean dropsWholeRests(long deleteMarkers, long maxSequence) {
    return deleteMarkers == 0 && maxSequence <= smallestReadPoint;
  }

  @Override
  public boolean hasAllVersions() {
    return keptVersions >= maxVersions;
  }
}
