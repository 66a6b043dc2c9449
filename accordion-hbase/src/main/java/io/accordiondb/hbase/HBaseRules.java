// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase;

import io.accordiondb.encoding.CellComparator;
import io.accordiondb.encoding.CellType;
import io.accordiondb.encoding.KeyValueLayout;
import io.accordiondb.retention.CellFilter;
import io.accordiondb.retention.UnseenHistory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import org.apache.hadoop.hbase.ByteBufferKeyValue;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.NoTagsByteBufferKeyValue;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.Tag;
import org.apache.hadoop.hbase.TagType;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.regionserver.RegionCoprocessorHost;
import org.apache.hadoop.hbase.regionserver.ScanInfo;
import org.apache.hadoop.hbase.regionserver.ScanType;
import org.apache.hadoop.hbase.regionserver.querymatcher.CompactionScanQueryMatcher;
import org.apache.hadoop.hbase.regionserver.querymatcher.ScanQueryMatcher.MatchCode;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the same cells as HBase's own compaction that retains delete markers, by calling HBase's
 * code for versions, times to live of family and cell, markers and read points. If only versions
 * and the times to live of single cells can matter, it decides by itself at a tenth of the cost.
 * Belongs to one thread.
 *
 * <p>HBase's markers also hide what is written after them. So a put does not count as a version if
 * a marker may hide it which this filter is not given, and which leaves the older versions.
 */
final class HBaseRules implements CellFilter {
  private final CompactionScanQueryMatcher matcher;
  private final long smallestReadPoint;

  /** The highest sequence number of older cells that this filter is not given. */
  private final long olderUpTo;

  /** Puts up to this timestamp may be hidden by markers that this filter is not given. */
  private final long hiddenUpTo;

  private final int maxVersions;
  private final long now;

  /** Whether neither the age of cells nor a coprocessor matters. */
  private final boolean ageless;

  /** Whether there also is no marker. */
  private boolean countsVersionsOnly;

  /** Puts of the current column that were kept and count as versions. */
  private int keptVersions;

  /** Whether any put of the current column was kept that all readers see. */
  private boolean hasKept;

  /** The timestamp of the last one of those. */
  private long keptTimestamp;

  private @Nullable ByteBuffer lastBuffer;
  private int lastOffset;

  /** What distinguishes the last cell within its column. */
  private long lastSequence;

  private long lastTimestamp;
  private int lastType;

  /**
   * Creates the filter of one compaction that begins now.
   *
   * @param unseen the segments that the compaction does not read
   * @param judgesMarkers whether a coprocessor may decide what a marker hides
   */
  HBaseRules(
      ScanInfo family,
      UnseenHistory unseen,
      @Nullable RegionCoprocessorHost coprocessors,
      boolean judgesMarkers)
      throws IOException {
    this.smallestReadPoint = unseen.settledUpTo();
    this.olderUpTo = unseen.clearAbove();
    this.hiddenUpTo =
        judgesMarkers ? unseen.maxMarkerTimestamp() : unseen.maxVersionMarkerTimestamp();
    this.maxVersions = family.getMaxVersions();
    this.now = EnvironmentEdgeManager.currentTime();
    this.ageless =
        family.getTtl() == Long.MAX_VALUE
            && (coprocessors == null
                || coprocessors.findCoprocessors(RegionCoprocessor.class).isEmpty());
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
    hasKept = false;
    noteVersion(buffer, offset, sequence);
    return isIncluded(cell);
  }

  private void noteVersion(ByteBuffer buffer, int offset, long sequence) {
    lastSequence = sequence;
    lastTimestamp = KeyValueLayout.timestamp(buffer, offset);
    lastType = KeyValueLayout.typeCode(buffer, offset);
  }

  /**
   * Returns whether the cell before this one of its column has replaced it: one batch may write a
   * key twice. HBase's own store keeps the last of them only, and shows none when that expires.
   */
  private boolean isReplaced(ByteBuffer buffer, int offset, long sequence) {
    return sequence == lastSequence
        && KeyValueLayout.timestamp(buffer, offset) == lastTimestamp
        && KeyValueLayout.typeCode(buffer, offset) == lastType;
  }

  @Override
  public boolean keepsNextColumn(ByteBuffer buffer, int offset, int length, long sequence) {
    if (!countsVersionsOnly) {
      return keeps(buffer, offset, length, sequence);
    }
    keptVersions = 0;
    hasKept = false;
    noteVersion(buffer, offset, sequence);
    return keepsPut(buffer, offset, length, sequence);
  }

  @Override
  public boolean keepsNextVersion(ByteBuffer buffer, int offset, int length, long sequence) {
    if (isReplaced(buffer, offset, sequence)) {
      return false;
    }
    noteVersion(buffer, offset, sequence);
    return countsVersionsOnly
        ? keepsPut(buffer, offset, length, sequence)
        : isIncluded(cell(buffer, offset, length, sequence));
  }

  /**
   * Does what HBase's matcher and its counter of versions do with a put if there are no markers.
   */
  private boolean keepsPut(ByteBuffer buffer, int offset, int length, long sequence) {
    if (length != KeyValueLayout.length(buffer, offset)
        && isExpired(new ByteBufferKeyValue(buffer, offset, length, sequence))) {
      return sequence <= olderUpTo;
    }
    if (sequence > smallestReadPoint) {
      return true;
    }
    long timestamp = KeyValueLayout.timestamp(buffer, offset);
    if (keptVersions == maxVersions || (hasKept && timestamp == keptTimestamp)) {
      return false;
    }
    if (timestamp > hiddenUpTo) {
      keptVersions++;
    }
    hasKept = true;
    keptTimestamp = timestamp;
    return true;
  }

  /** Returns whether a cell has outlived the time to live in its own tags. */
  private boolean isExpired(ByteBufferKeyValue cell) {
    return PrivateCellUtil.getTag(cell, TagType.TTL_TAG_TYPE)
        .map(limit -> cell.getTimestamp() + Tag.getValueAsLong(limit) < now)
        .orElse(false);
  }

  private static ByteBufferKeyValue cell(ByteBuffer buffer, int offset, int length, long sequence) {
    return length == KeyValueLayout.length(buffer, offset)
        ? new NoTagsByteBufferKeyValue(buffer, offset, length, sequence)
        : new ByteBufferKeyValue(buffer, offset, length, sequence);
  }

  private boolean isIncluded(ByteBufferKeyValue cell) {
    if (cell.getTagsLength() > 0 && cell.getSequenceId() <= olderUpTo && isExpired(cell)) {
      // It may have replaced a cell of an older segment, which must not come back.
      return true;
    }
    boolean counts = lastType == CellType.PUT.code() && lastSequence <= smallestReadPoint;
    if (counts && lastTimestamp <= hiddenUpTo && keptVersions < maxVersions) {
      // The matcher would count it.
      return true;
    }
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
    if (included && counts) {
      keptVersions++;
    }
    return included;
  }

  @Override
  public boolean begin(long deleteMarkers, long maxSequence) {
    countsVersionsOnly = ageless && deleteMarkers == 0;
    // If there are no markers and all readers see all cells, no version after the last wanted one
    // is kept.
    return deleteMarkers == 0 && maxSequence <= smallestReadPoint;
  }

  @Override
  public boolean hasAllVersions() {
    return keptVersions >= maxVersions;
  }
}
