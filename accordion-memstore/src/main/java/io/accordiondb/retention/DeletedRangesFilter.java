// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.retention;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Drops the cells that range tombstones cover and passes only the others on to another filter.
 * Belongs to one thread.
 */
public final class DeletedRangesFilter implements CellFilter {
  private final CellFilter filter;
  private final DeletedRanges.Walk deleted;

  /** Whether the other filter was given a cell of the current column. */
  private boolean inColumn;

  /**
   * Creates a filter in front of another one.
   *
   * @param filter the filter that decides on the other cells
   * @param ranges the range tombstones to apply
   * @param smallestReadPoint the lowest read point of all readers; tombstones above it are ignored
   */
  public DeletedRangesFilter(CellFilter filter, DeletedRanges ranges, long smallestReadPoint) {
    this.filter = filter;
    this.deleted = ranges.walk(smallestReadPoint);
  }

  @Override
  public boolean keeps(ByteBuffer buffer, int offset, int length, long sequence) {
    return !covers(buffer, offset, sequence) && filter.keeps(buffer, offset, length, sequence);
  }

  @Override
  public boolean keepsNextColumn(ByteBuffer buffer, int offset, int length, long sequence) {
    inColumn = false;
    return keepsNextVersion(buffer, offset, length, sequence);
  }

  @Override
  public boolean keepsNextVersion(ByteBuffer buffer, int offset, int length, long sequence) {
    if (covers(buffer, offset, sequence)) {
      return false;
    }
    boolean begins = !inColumn;
    inColumn = true;
    return begins
        ? filter.keepsNextColumn(buffer, offset, length, sequence)
        : filter.keepsNextVersion(buffer, offset, length, sequence);
  }

  @Override
  public boolean begin(long deleteMarkers, long maxSequence) {
    return filter.begin(deleteMarkers, maxSequence);
  }

  @Override
  public boolean hasAllVersions() {
    return inColumn && filter.hasAllVersions();
  }

  @Override
  public @Nullable ColumnFold columnFold() {
    ColumnFold fold = filter.columnFold();
    return fold == null ? null : fold.without(deleted);
  }

  private boolean covers(ByteBuffer buffer, int offset, long sequence) {
    return sequence < deleted.deletedBelow(buffer, offset);
  }
}
