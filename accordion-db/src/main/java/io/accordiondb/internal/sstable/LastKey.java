// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.sstable;

import io.accordiondb.encoding.CellComparator;
import io.accordiondb.encoding.KeyValueLayout;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * A copy of the key and the sequence number of the last cell of an iteration, with which the next
 * cell is compared. Belongs to one thread and reuses its memory.
 */
final class LastKey {
  private ByteBuffer cell = ByteBuffer.allocate(128);
  private long sequence;

  /** Returns the key as a cell with an empty value at offset 0, valid until the next call. */
  ByteBuffer cell() {
    return cell;
  }

  long sequence() {
    return sequence;
  }

  /** Returns the number of bytes that a cell's key has in common with the start of this one. */
  int shared(ByteBuffer next, int nextOffset) {
    int a = KeyValueLayout.keyOffset(0);
    int b = KeyValueLayout.keyOffset(nextOffset);
    int max =
        Math.min(KeyValueLayout.keyLength(cell, 0), KeyValueLayout.keyLength(next, nextOffset));
    int i = 0;
    while (i <= max - Long.BYTES) {
      long difference = cell.getLong(a + i) ^ next.getLong(b + i);
      if (difference != 0) {
        return i + (Long.numberOfLeadingZeros(difference) >>> 3);
      }
      i += Long.BYTES;
    }
    while (i < max && cell.get(a + i) == next.get(b + i)) {
      i++;
    }
    return i;
  }

  /** Returns the number of bytes that this key and another one have in common at their start. */
  int shared(LastKey next) {
    int start = KeyValueLayout.keyOffset(0);
    int end = start + KeyValueLayout.keyLength(cell, 0);
    int nextEnd = start + KeyValueLayout.keyLength(next.cell, 0);
    int different = Arrays.mismatch(cell.array(), start, end, next.cell.array(), start, nextEnd);
    return different < 0 ? end - start : different;
  }

  /**
   * Returns whether a cell comes after this one.
   *
   * @param shared bytes that the keys have in common at their start
   */
  boolean isBefore(ByteBuffer next, int nextOffset, int shared, long nextSequence) {
    // The rows have the same length, so the first byte that differs decides.
    if (shared >= Short.BYTES && shared < Short.BYTES + KeyValueLayout.rowLength(cell, 0)) {
      int own = cell.get(KeyValueLayout.keyOffset(0) + shared) & 0xFF;
      return own < (next.get(KeyValueLayout.keyOffset(nextOffset) + shared) & 0xFF);
    }
    return CellComparator.compare(cell, 0, sequence, next, nextOffset, nextSequence) < 0;
  }

  /** Sets the key to that of a cell whose first {@code shared} bytes are the same. */
  void set(ByteBuffer next, int nextOffset, int shared, long nextSequence) {
    int keyLength = KeyValueLayout.keyLength(next, nextOffset);
    int length = KeyValueLayout.keyOffset(keyLength);
    if (length > cell.capacity()) {
      cell = ByteBuffer.wrap(Arrays.copyOf(cell.array(), Math.max(length, 2 * cell.capacity())));
    }
    int sharedEnd = KeyValueLayout.keyOffset(shared);
    next.get(nextOffset + sharedEnd, cell.array(), sharedEnd, length - sharedEnd);
    cell.putInt(0, keyLength);
    cell.putInt(Integer.BYTES, 0);
    sequence = nextSequence;
  }

  /** Returns a copy of the cell, in a buffer that holds nothing else. */
  ByteBuffer copy() {
    return ByteBuffer.wrap(Arrays.copyOf(cell.array(), KeyValueLayout.valueOffset(cell, 0)));
  }
}
