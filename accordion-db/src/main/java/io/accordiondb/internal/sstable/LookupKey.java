// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.sstable;

import io.accordiondb.encoding.KeyValueLayout;
import java.nio.ByteBuffer;

/**
 * The key of a look-up, as a cell in an array. Valid until the buffer that it was made from is
 * written to, or until it is set to another key. Belongs to one thread.
 */
final class LookupKey {
  private static final byte[] NONE = {};

  private byte[] bytes = NONE;
  private int offset;

  /** Returns the key of a cell, without a copy if the buffer has an array. */
  static LookupKey of(ByteBuffer cell, int offset) {
    LookupKey key = new LookupKey();
    key.set(cell, offset);
    return key;
  }

  /** Sets this to the key of a cell, without a copy if the buffer has an array. */
  void set(ByteBuffer cell, int cellOffset) {
    if (cell.hasArray()) {
      bytes = cell.array();
      offset = cell.arrayOffset() + cellOffset;
    } else {
      bytes = new byte[KeyValueLayout.valueOffset(cell, cellOffset) - cellOffset];
      offset = 0;
      cell.get(cellOffset, bytes);
    }
  }

  /** Releases the reference to the bytes. */
  void clear() {
    bytes = NONE;
    offset = 0;
  }

  /** Returns the array that holds the cell. The value is not read and may be missing. */
  byte[] bytes() {
    return bytes;
  }

  /** Returns the offset of the cell. */
  int offset() {
    return offset;
  }
}
