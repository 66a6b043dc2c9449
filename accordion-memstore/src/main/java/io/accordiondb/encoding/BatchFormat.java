// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.encoding;

import java.nio.ByteBuffer;

/** How the cells of one insertion follow each other in the caller's buffer. */
public enum BatchFormat {
  /** Without tags; each cell's sequence number is one more than that of the cell before it. */
  NUMBERED,
  /** As NUMBERED; behind each cell are tags, as in {@link #TAGGED}. */
  NUMBERED_TAGGED,
  /**
   * All of one sequence number. Behind each cell are two bytes with the length of its tags in
   * bytes, which may be 0, and the tags.
   */
  TAGGED;

  /**
   * {@return the format of cells that have ascending sequence numbers}
   *
   * @param tagged whether the cells have tags
   */
  public static BatchFormat numbered(boolean tagged) {
    return tagged ? NUMBERED_TAGGED : NUMBERED;
  }

  /**
   * {@return the sequence number of a cell, counted from 0}
   *
   * @param firstSequence sequence number of the first cell of the batch
   * @param index number of the cell in the batch, counted from 0
   */
  public long sequence(long firstSequence, int index) {
    return this == TAGGED ? firstSequence : firstSequence + index;
  }

  /**
   * {@return the number of bytes to store for a cell} That is the cell without the tags length if
   * it has no tags.
   *
   * @param cells big-endian buffer that holds the batch
   * @param offset offset of the cell's first byte, in bytes
   */
  public int length(ByteBuffer cells, int offset) {
    int length = KeyValueLayout.length(cells, offset);
    return this == NUMBERED || cells.getShort(offset + length) == 0
        ? length
        : KeyValueLayout.lengthWithTags(cells, offset);
  }

  /**
   * {@return the bytes from a cell to the one after it}
   *
   * @param cells big-endian buffer that holds the batch
   * @param offset offset of the cell's first byte, in bytes
   */
  public int step(ByteBuffer cells, int offset) {
    return this == NUMBERED
        ? KeyValueLayout.length(cells, offset)
        : KeyValueLayout.lengthWithTags(cells, offset);
  }
}
