// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore.segment.array;

import io.accordiondb.encoding.CellComparator;
import io.accordiondb.encoding.KeyValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * A cell as a plain object with an array of its own, in the order of {@link
 * io.accordiondb.encoding.CellComparator}. Immutable.
 */
@SuppressWarnings("ArrayRecordComponent") // Never exposed, never compared by equals.
public record HeapCell(byte[] bytes, long sequence) implements CellObject, Comparable<HeapCell> {
  /**
   * The bytes that a cell uses beyond its content, with compressed references: 24 for this record,
   * 16 for the header of its array, and 4 for alignment.
   */
  public static final int OBJECT_BYTES = 44;

  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle SHORT =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  /** Returns a copy of a cell. */
  public static HeapCell copyOf(ByteBuffer cells, int offset, int length, long sequence) {
    byte[] bytes = new byte[length];
    cells.get(offset, bytes);
    return new HeapCell(bytes, sequence);
  }

  /** Returns a key to search with, which comes before all cells of an equal key. */
  public static HeapCell searchKey(ByteBuffer key, int keyOffset) {
    int bytes = KeyValueLayout.valueOffset(key, keyOffset) - keyOffset;
    return copyOf(key, keyOffset, bytes, Long.MAX_VALUE);
  }

  @Override
  public ByteBuffer buffer() {
    return ByteBuffer.wrap(bytes);
  }

  @Override
  public int offset() {
    return 0;
  }

  @Override
  public int length() {
    return bytes.length;
  }

  /** Returns whether row, family and qualifier are those of another cell. */
  public boolean isOfColumn(HeapCell other) {
    return CellComparator.compareColumns(buffer(), 0, other.buffer(), 0) == 0;
  }

  @Override
  public int compareTo(HeapCell other) {
    byte[] a = bytes;
    byte[] b = other.bytes;
    int aRow = KeyValueLayout.ROW_OFFSET;
    int aRowEnd = aRow + (short) SHORT.get(a, aRow - Short.BYTES);
    int bRowEnd = aRow + (short) SHORT.get(b, aRow - Short.BYTES);
    int order = Arrays.compareUnsigned(a, aRow, aRowEnd, b, aRow, bRowEnd);
    if (order != 0) {
      return order;
    }
    int aFamilyEnd = aRowEnd + 1 + a[aRowEnd];
    int bFamilyEnd = bRowEnd + 1 + b[bRowEnd];
    order = Arrays.compareUnsigned(a, aRowEnd + 1, aFamilyEnd, b, bRowEnd + 1, bFamilyEnd);
    if (order != 0) {
      return order;
    }
    int aTimestamp = KeyValueLayout.keyOffset((int) INT.get(a, 0)) - Long.BYTES - Byte.BYTES;
    int bTimestamp = KeyValueLayout.keyOffset((int) INT.get(b, 0)) - Long.BYTES - Byte.BYTES;
    order = Arrays.compareUnsigned(a, aFamilyEnd, aTimestamp, b, bFamilyEnd, bTimestamp);
    if (order != 0) {
      return order;
    }
    order = Long.compare((long) LONG.get(b, bTimestamp), (long) LONG.get(a, aTimestamp));
    if (order != 0) {
      return order;
    }
    order = Integer.compare(b[bTimestamp + Long.BYTES] & 0xFF, a[aTimestamp + Long.BYTES] & 0xFF);
    return order != 0 ? order : Long.compare(other.sequence, sequence);
  }
}
