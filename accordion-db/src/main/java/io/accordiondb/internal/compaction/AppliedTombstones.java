// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.compaction;

import io.accordiondb.encoding.CellSource;
import io.accordiondb.encoding.MergingCursor;
import io.accordiondb.internal.read.LiveCells;
import io.accordiondb.internal.region.StoreFile;
import io.accordiondb.retention.DeletedRanges;
import io.accordiondb.retention.RangeTombstones;
import java.util.List;

/**
 * The range tombstones that a compaction applies to files of a store. Immutable.
 *
 * @param ranges those recorded beside the files
 * @param readPoint the lowest read point of all readers; later tombstones do not count
 */
record AppliedTombstones(RangeTombstones ranges, long readPoint) {
  /** Returns a cursor over the cells of files that they do not delete. */
  MergingCursor cursor(List<StoreFile> files) {
    List<CellSource> sources = files.stream().map(file -> file.source(false)).toList();
    return LiveCells.merged(sources, DeletedRanges.NONE.and(ranges), readPoint);
  }

  /** Returns whether they delete every cell of a file. */
  boolean coversAllOf(StoreFile file) {
    return file.isDeletedBy(ranges, readPoint);
  }

  /** Returns the sequence number up to which they are applied to the output. */
  long appliedUpTo() {
    return Math.min(ranges.maxSequence(), readPoint);
  }
}
