// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.sstable;

import io.accordiondb.encoding.KeyValueLayout;
import java.nio.ByteBuffer;

/**
 * A key that is sought, as a cell in an array. Valid as long as nobody writes to the buffer that it
 * was made from.
 *
 * @param bytes that hold the cell, of which the value is not read and need not be there
 * @param offset of the cell
 */
record LookupKey(byte[] bytes, int offset) {
  /** Returns the key of a cell, without a copy where the buffer has an array. */
  static LookupKey of(ByteBuffer cell, int offset) {
    if (cell.hasArray()) {
      return new LookupKey(cell.array(), cell.arrayOffset() + offset);
    }
    byte[] copy = new byte[KeyValueLayout.valueOffset(cell, offset) - offset];
    cell.get(offset, copy);
    return new LookupKey(copy, 0);
  }
}
