// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.sstable;

import java.nio.ByteBuffer;

/** Checks a cell of a sorted table beyond what {@link SortedTable#verify()} does. */
@FunctionalInterface
public interface CellCheck {
  /**
   * Throws an exception if the cell is not acceptable.
   *
   * @param cell big-endian buffer that holds the cell
   * @param offset of the cell's first byte
   * @param length bytes of the cell, tags included
   */
  void check(ByteBuffer cell, int offset, int length);
}
