// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.commit;

/**
 * The format of a batch in the log: the number of groups in four bytes, then for each store with
 * cells in the batch a group header and the cells.
 *
 * <pre>
 *   0        8        12      16      20
 *   +--------+--------+-------+-------+--------------+
 *   | region | family | cells | bytes | cells ...    |
 *   +--------+--------+-------+-------+--------------+
 * </pre>
 *
 * If the highest bit of a group's number of cells is set, each of its cells is followed by the
 * length of its tags, which may be 0, and the tags.
 *
 * <p>The first cell of the batch has the record's first sequence number, and each further cell has
 * the next. {@link BatchCompression} has the format of compressed batches.
 */
final class BatchLayout {
  static final int GROUP_COUNT_BYTES = Integer.BYTES;
  static final int REGION_OFFSET = 0;
  static final int FAMILY_OFFSET = Long.BYTES;
  static final int CELLS_OFFSET = FAMILY_OFFSET + Integer.BYTES;
  static final int BYTES_OFFSET = CELLS_OFFSET + Integer.BYTES;
  static final int GROUP_HEADER_BYTES = BYTES_OFFSET + Integer.BYTES;

  /** The bit in the number of cells which says that tags follow each cell. */
  static final int TAGGED = Integer.MIN_VALUE;

  private BatchLayout() {}
}
