// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.commit;

import io.accordiondb.encoding.BatchFormat;
import io.accordiondb.internal.region.StoreId;
import io.accordiondb.retention.RangeTombstone;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Cells of one store in a batch that was read from the log, or range tombstones.
 *
 * @param batch the batch, decompressed; valid as long as the record that it was read from
 * @param offset of the first cell in the batch
 * @param cellCount number of cells
 * @param firstSequence sequence number of the first cell
 * @param format how the cells follow each other
 */
public record LoggedGroup(
    StoreId store,
    ByteBuffer batch,
    int offset,
    int cellCount,
    long firstSequence,
    BatchFormat format) {

  /** Returns whether this is a {@link LogNote}, which belongs to no store. */
  public boolean isNote() {
    return store.regionId() == LogNote.REGION;
  }

  /** Returns whether the cells are range tombstones, all of them. */
  public boolean deletesRanges() {
    return cellCount > 0 && RangeCells.isOne(batch, offset);
  }

  /** Returns the range tombstones; call this only if {@link #deletesRanges} returns true. */
  public List<RangeTombstone> rangeTombstones() {
    List<RangeTombstone> tombstones = new ArrayList<>(cellCount);
    RangeCells.forEach(batch, offset, cellCount, firstSequence, tombstones::add);
    return tombstones;
  }
}
