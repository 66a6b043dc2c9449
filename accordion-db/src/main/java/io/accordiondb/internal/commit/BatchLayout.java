// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.commit;

/**
 * A batch as the log holds it: the number of groups in four bytes, then for each store with cells
 * in the batch a group header and the cells, one after another.
 *
 * <pre>
 *   0        8        12      16      20
 *   +--------+--------+-------+-------+--------------+
 *   | region | family | cells | bytes | cells ...    |
 *   +--------+--------+-------+-------+--------------+
 * </pre>
 *
 * The cells of a group whose number of cells has its highest bit set are each followed by the
 * length of their tags, which may be 0, and the tags.
 *
 * <p>The first cell of the batch has the record's first sequence number, each further one the next.
 * {@link BatchCompression} says how it may be compressed.
 */
final class BatchLayout {
  static final int GROUP_COUNT_BYTES = Integer.BYTES;
  static final int REGION_OFFSET = 0;
  static final int FAMILY_OFFSET = Long.BYTES;
  static final int CELLS_OFFSET = FAMILY_OFFSET + Integer.BYTES;
  static final int BYTES_OFFSET = CELLS_OFFSET + Integer.BYTES;
  static final int GROUP_HEADER_BYTES = BYTES_OFFSET + Integer.BYTES;

  /** In the number of a group's cells: they are followed by tags. */
  static final int TAGGED = Integer.MIN_VALUE;

  private BatchLayout() {}
}
