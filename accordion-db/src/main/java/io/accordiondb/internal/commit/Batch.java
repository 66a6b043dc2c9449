// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.commit;

import io.accordiondb.encoding.BatchFormat;
import io.accordiondb.internal.hash.BytesHash;
import io.accordiondb.internal.region.Store;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * A write that is encoded and ready to be committed, whole or not at all. Its buffer is copied from
 * by the memory stores and, unless the log is compressed, by the log.
 *
 * @param payload the batch as {@link BatchLayout} says, from 0 to the limit
 * @param logged the payload as the log is to hold it, from 0 to the limit
 * @param loggedCrc CRC32C of that
 * @param cellCount number of cells
 * @param groups where the cells of each store lie
 * @param rowHashes a hash of each row written, for conflicts with reads
 * @param deletesRanges whether there are range tombstones, which write to rows that are not named
 */
public record Batch(
    ByteBuffer payload,
    ByteBuffer logged,
    int loggedCrc,
    int cellCount,
    List<Group> groups,
    int[] rowHashes,
    boolean deletesRanges) {

  /**
   * Cells of one store that follow each other, or range tombstones.
   *
   * @param offset of the first cell in the payload
   * @param cellCount number of cells
   * @param firstCell position of the first cell in the batch, from 0
   * @param format how the cells follow each other
   * @param deletesRanges whether the cells are range tombstones
   */
  public record Group(
      Store store,
      int offset,
      int cellCount,
      int firstCell,
      BatchFormat format,
      boolean deletesRanges) {}

  /** Returns the hash under which conflicts on a row are noticed. */
  public static int hashOf(byte[] row) {
    return BytesHash.of(row, 0, row.length);
  }
}
