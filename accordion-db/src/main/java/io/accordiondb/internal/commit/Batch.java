// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.commit;

import io.accordiondb.encoding.BatchFormat;
import io.accordiondb.internal.hash.BytesHash;
import io.accordiondb.internal.region.Store;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * An encoded write that is ready to be committed, as a whole or not at all. The memory stores copy
 * cells from its buffer, and so does the log unless it is compressed.
 *
 * @param payload the batch in the format of {@link BatchLayout}, from 0 to the limit
 * @param logged the payload in the form in which it is logged, from 0 to the limit
 * @param loggedCrc CRC32C of {@code logged}
 * @param cellCount number of cells
 * @param contentBytes bytes of the keys (row and qualifier) and values of all cells
 * @param groups where the cells of each store are in the payload
 * @param rowHashes a hash of each row written, for conflicts with reads
 * @param deletesRanges whether the batch holds range tombstones, which change rows that {@code
 *     rowHashes} does not list
 */
public record Batch(
    ByteBuffer payload,
    ByteBuffer logged,
    int loggedCrc,
    int cellCount,
    long contentBytes,
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

  /** Returns the hash by which conflicts on a row are detected. */
  public static int hashOf(byte[] row) {
    return BytesHash.of(row, 0, row.length);
  }
}
