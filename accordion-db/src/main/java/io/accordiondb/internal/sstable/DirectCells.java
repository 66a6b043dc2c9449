// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.sstable;

import io.accordiondb.encoding.KeyValueLayout;
import java.nio.ByteBuffer;

/**
 * Compares cells outside the heap with keys in arrays; {@link ArrayCells} compares cells and keys
 * that are both in arrays. All buffers are direct, except those of very long blocks, so the
 * compiler knows the class of the buffer at each access.
 */
final class DirectCells {
  private static final int KEY = KeyValueLayout.keyOffset(0);
  private static final int TIME_AND_TYPE_BYTES = Long.BYTES + Byte.BYTES;

  private DirectCells() {}

  static int keyLength(ByteBuffer cells, int offset) {
    return cells.getInt(offset);
  }

  static int valueLength(ByteBuffer cells, int offset) {
    return cells.getInt(offset + Integer.BYTES);
  }

  static int rowLength(ByteBuffer cells, int offset) {
    return cells.getShort(offset + KEY);
  }

  /** Compares all but the sequence numbers. */
  static int compareKeys(ByteBuffer a, int aOffset, byte[] b, int bOffset) {
    int aRow = KeyValueLayout.rowOffset(aOffset);
    int bRow = KeyValueLayout.rowOffset(bOffset);
    int aRowLength = rowLength(a, aOffset);
    int bRowLength = ArrayCells.rowLength(b, bOffset);
    int order = compareBytes(a, aRow, aRowLength, b, bRow, bRowLength);
    if (order != 0) {
      return order;
    }
    int aFamily = aRow + aRowLength + Byte.BYTES;
    int bFamily = bRow + bRowLength + Byte.BYTES;
    int aFamilyLength = a.get(aFamily - Byte.BYTES);
    int bFamilyLength = b[bFamily - Byte.BYTES];
    order = compareBytes(a, aFamily, aFamilyLength, b, bFamily, bFamilyLength);
    if (order != 0) {
      return order;
    }
    int aQualifier = aFamily + aFamilyLength;
    int bQualifier = bFamily + bFamilyLength;
    int aTime = aOffset + KEY + keyLength(a, aOffset) - TIME_AND_TYPE_BYTES;
    int bTime = ArrayCells.valueOffset(b, bOffset) - TIME_AND_TYPE_BYTES;
    order = compareBytes(a, aQualifier, aTime - aQualifier, b, bQualifier, bTime - bQualifier);
    if (order == 0) {
      order = Long.compare(ArrayCells.getLong(b, bTime), a.getLong(aTime));
    }
    return order != 0
        ? order
        : Byte.compareUnsigned(b[bTime + Long.BYTES], a.get(aTime + Long.BYTES));
  }

  /** Compares two ranges of unsigned bytes; a range that begins another one comes before it. */
  private static int compareBytes(
      ByteBuffer a, int aOffset, int aLength, byte[] b, int bOffset, int bLength) {
    int common = Math.min(aLength, bLength);
    int i = 0;
    for (int last = common - Long.BYTES; i <= last; i += Long.BYTES) {
      long x = a.getLong(aOffset + i);
      long y = ArrayCells.getLong(b, bOffset + i);
      if (x != y) {
        return Long.compareUnsigned(x, y);
      }
    }
    for (; i < common; i++) {
      int order = (a.get(aOffset + i) & 0xFF) - (b[bOffset + i] & 0xFF);
      if (order != 0) {
        return order;
      }
    }
    return aLength - bLength;
  }
}
