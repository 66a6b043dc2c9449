// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.retention;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Decides, cell by cell in order, which cells one compaction keeps. Belongs to one thread. */
public interface CellFilter {
  /**
   * Returns whether the next cell is kept. The bytes do not change until the compaction ends.
   *
   * @param buffer big-endian buffer that holds the cell
   * @param offset of the cell's first byte
   * @param length bytes of the cell, tags included
   * @param sequence the cell's sequence number
   */
  boolean keeps(ByteBuffer buffer, int offset, int length, long sequence);

  /**
   * Returns what {@link #keeps} would for a cell known to begin a column. Of the same column, only
   * {@link #keepsNextVersion} may follow.
   */
  default boolean keepsNextColumn(ByteBuffer buffer, int offset, int length, long sequence) {
    return keeps(buffer, offset, length, sequence);
  }

  /**
   * Same as {@link #keeps}, for a cell that is known to be of the same column as the cell before.
   */
  default boolean keepsNextVersion(ByteBuffer buffer, int offset, int length, long sequence) {
    return keeps(buffer, offset, length, sequence);
  }

  /**
   * Tells, before the first cell, how many markers there are among the cells, puts with a time to
   * live of their own included, and up to which sequence number these go. Returns whether {@link
   * #hasAllVersions} then speaks for all cells that follow in a column.
   */
  default boolean begin(long deleteMarkers, long maxSequence) {
    return false;
  }

  /**
   * Returns whether this filter keeps exactly the first cell of each column, for any cells within
   * the given limits. If so, the compaction need not read the cells.
   *
   * @param deleteMarkers number of delete markers among the cells, at most
   * @param maxSequence highest sequence number of the cells, at most
   * @param minTimestamp lowest timestamp of the cells, at least
   */
  default boolean keepsFirstAlone(long deleteMarkers, long maxSequence, long minTimestamp) {
    return false;
  }

  /**
   * Returns what decides column by column instead, in a family with a merge operator; then nothing
   * else is asked. Null where cells are judged one by one.
   */
  default @Nullable ColumnFold columnFold() {
    return null;
  }

  /** Returns whether the column already has all the versions that are kept, apart from markers. */
  default boolean hasAllVersions() {
    return false;
  }
}
