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

  /** Returns the key of a cell, without a copy where the buffer has an array. */
  static LookupKey of(ByteBuffer cell, int offset) {
    LookupKey key = new LookupKey();
    key.set(cell, offset);
    return key;
  }

  /** Becomes the key of a cell, without a copy where the buffer has an array. */
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

  /** Returns what holds the cell, of which the value is not read and need not be there. */
  byte[] bytes() {
    return bytes;
  }

  /** Returns where the cell begins. */
  int offset() {
    return offset;
  }
}
