// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.retention;

import java.nio.ByteBuffer;

/**
 * Decides, cell by cell in the order of cells, what one compaction keeps. Belongs to one thread.
 */
@FunctionalInterface
public interface CellFilter {
  /**
   * Returns whether the next cell is kept. The bytes stay as they are until the compaction ends.
   *
   * @param buffer big-endian buffer that holds the cell
   * @param offset of the cell's first byte
   * @param length bytes of the cell, tags included
   * @param sequence the cell's sequence number
   */
  boolean keeps(ByteBuffer buffer, int offset, int length, long sequence);
}
