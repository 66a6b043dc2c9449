// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.retention;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Decides, cell by cell in order, which cells one compaction keeps. Belongs to one thread. */
public interface CellFilter {
  /**
   * {@return what decides column by column, in a family with a merge operator, or null if cells are
   * judged one by one} If it is not null, no other method of this filter is called.
   */
  default @Nullable ColumnFold columnFold() {
    return null;
  }

  /**
   * {@return whether this filter keeps exactly the first cell of each column, for any cells within
   * the given limits} If so, the compaction need not read the cells.
   *
   * @param deleteMarkers number of delete markers among the cells, at most
   * @param maxSequence highest sequence number of the cells, at most
   * @param minTimestamp lowest timestamp of the cells, at least
   */
  default boolean keepsFirstAlone(long deleteMarkers, long maxSequence, long minTimestamp) {
    return false;
  }

  /**
   * Announces a compaction before its first cell.
   *
   * @param deleteMarkers number of delete markers among the cells, puts with a time to live of
   *     their own included
   * @param maxSequence highest sequence number of the cells, markers or not
   * @return whether {@link #hasAllVersions}, once true, holds for all cells that follow in the same
   *     column
   */
  default boolean begin(long deleteMarkers, long maxSequence) {
    return false;
  }

  /**
   * {@return whether the next cell is kept} The bytes do not change until the compaction ends.
   *
   * @param buffer big-endian buffer that holds the cell
   * @param offset of the cell's first byte
   * @param length bytes of the cell, tags included
   * @param sequence the cell's sequence number
   */
  boolean keeps(ByteBuffer buffer, int offset, int length, long sequence);

  /**
   * Does what {@link #keeps} does, for a cell that is known to begin a column. Until the next
   * column, only {@link #keepsNextVersion} may be called.
   *
   * @param buffer big-endian buffer that holds the cell
   * @param offset offset of the cell's first byte, in bytes
   * @param length bytes of the cell, tags included
   * @param sequence the cell's sequence number
   * @return whether the cell is kept
   */
  default boolean keepsNextColumn(ByteBuffer buffer, int offset, int length, long sequence) {
    return keeps(buffer, offset, length, sequence);
  }

  /**
   * Does what {@link #keeps} does, for a cell that is known to be of the same column as the cell
   * before it.
   *
   * @param buffer big-endian buffer that holds the cell
   * @param offset offset of the cell's first byte, in bytes
   * @param length bytes of the cell, tags included
   * @param sequence the cell's sequence number
   * @return whether the cell is kept
   */
  default boolean keepsNextVersion(ByteBuffer buffer, int offset, int length, long sequence) {
    return keeps(buffer, offset, length, sequence);
  }

  /** {@return whether the column already has all the versions that are kept, apart from markers} */
  default boolean hasAllVersions() {
    return false;
  }
}
