// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.encoding;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The one order of cells: row, family and qualifier ascending as unsigned bytes, then timestamp,
 * type code and sequence number descending. Of two writes of the same version, the later one, with
 * the higher sequence number, sorts first.
 *
 * <p>All methods are pure and read big-endian buffers at absolute offsets.
 */
public final class CellComparator {
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private CellComparator() {}

  /**
   * Compares two cells with their sequence numbers.
   *
   * @param a big-endian buffer that holds the first cell
   * @param aOffset offset of the first cell's first byte, in bytes
   * @param aSequence the first cell's sequence number
   * @param b big-endian buffer that holds the second cell
   * @param bOffset offset of the second cell's first byte, in bytes
   * @param bSequence the second cell's sequence number
   * @return a negative number, 0 or a positive number if the first comes before, equals or comes
   *     after the second
   */
  public static int compare(
      ByteBuffer a, int aOffset, long aSequence, ByteBuffer b, int bOffset, long bSequence) {
    int order = compareKeys(a, aOffset, b, bOffset);
    return order != 0 ? order : Long.compare(bSequence, aSequence);
  }

  /**
   * Compares all but the sequence numbers.
   *
   * @param a big-endian buffer that holds the first cell
   * @param aOffset offset of the first cell's first byte, in bytes
   * @param b big-endian buffer that holds the second cell
   * @param bOffset offset of the second cell's first byte, in bytes
   * @return a negative number, 0 or a positive number if the first comes before, equals or comes
   *     after the second
   */
  public static int compareKeys(ByteBuffer a, int aOffset, ByteBuffer b, int bOffset) {
    int order = compareColumns(a, aOffset, b, bOffset);
    return order != 0 ? order : compareVersions(a, aOffset, b, bOffset);
  }

  /**
   * Compares timestamp and type code of two cells of one column.
   *
   * @param a big-endian buffer that holds the first cell
   * @param aOffset offset of the first cell's first byte, in bytes
   * @param b big-endian buffer that holds the second cell
   * @param bOffset offset of the second cell's first byte, in bytes
   * @return a negative number, 0 or a positive number if the first comes before, equals or comes
   *     after the second
   */
  public static int compareVersions(ByteBuffer a, int aOffset, ByteBuffer b, int bOffset) {
    int order =
        Long.compare(KeyValueLayout.timestamp(b, bOffset), KeyValueLayout.timestamp(a, aOffset));
    return order != 0
        ? order
        : Integer.compare(KeyValueLayout.typeCode(b, bOffset), KeyValueLayout.typeCode(a, aOffset));
  }

  /**
   * Compares row, family and qualifier.
   *
   * @param a big-endian buffer that holds the first cell
   * @param aOffset offset of the first cell's first byte, in bytes
   * @param b big-endian buffer that holds the second cell
   * @param bOffset offset of the second cell's first byte, in bytes
   * @return a negative number, 0 or a positive number if the first comes before, equals or comes
   *     after the second
   */
  public static int compareColumns(ByteBuffer a, int aOffset, ByteBuffer b, int bOffset) {
    int aRow = KeyValueLayout.rowOffset(aOffset);
    int bRow = KeyValueLayout.rowOffset(bOffset);
    int aLength = KeyValueLayout.rowLength(a, aOffset);
    int bLength = KeyValueLayout.rowLength(b, bOffset);
    boolean rowsAlone = aLength != bLength || a.get(aRow + aLength) != b.get(bRow + bLength);
    if (!rowsAlone) {
      // Row and family have the same lengths, so all parts are compared at once.
      int overhead = KeyValueLayout.KEY_OVERHEAD_BYTES - Byte.BYTES;
      aLength = KeyValueLayout.keyLength(a, aOffset) - overhead;
      bLength = KeyValueLayout.keyLength(b, bOffset) - overhead;
    }
    int order = compareBytes(a, aRow, aLength, b, bRow, bLength);
    return rowsAlone && order == 0 ? compareFamilies(a, aOffset, b, bOffset) : order;
  }

  private static int compareFamilies(ByteBuffer a, int aOffset, ByteBuffer b, int bOffset) {
    return compareBytes(
        a,
        KeyValueLayout.familyOffset(a, aOffset),
        KeyValueLayout.familyLength(a, aOffset),
        b,
        KeyValueLayout.familyOffset(b, bOffset),
        KeyValueLayout.familyLength(b, bOffset));
  }

  /**
   * Compares the rows alone.
   *
   * @param a big-endian buffer that holds the first cell
   * @param aOffset offset of the first cell's first byte, in bytes
   * @param b big-endian buffer that holds the second cell
   * @param bOffset offset of the second cell's first byte, in bytes
   * @return a negative number, 0 or a positive number if the first comes before, equals or comes
   *     after the second
   */
  public static int compareRows(ByteBuffer a, int aOffset, ByteBuffer b, int bOffset) {
    return compareBytes(
        a,
        KeyValueLayout.rowOffset(aOffset),
        KeyValueLayout.rowLength(a, aOffset),
        b,
        KeyValueLayout.rowOffset(bOffset),
        KeyValueLayout.rowLength(b, bOffset));
  }

  /**
   * Compares the row of a cell with a row in an array.
   *
   * @param a big-endian buffer that holds the cell
   * @param aOffset offset of the cell's first byte, in bytes
   * @param row the row to compare with
   * @return a negative number, 0 or a positive number if the first comes before, equals or comes
   *     after the second
   */
  public static int compareRow(ByteBuffer a, int aOffset, byte[] row) {
    return compareBytes(
        a, KeyValueLayout.rowOffset(aOffset), KeyValueLayout.rowLength(a, aOffset), row);
  }

  /**
   * Compares the qualifier of a cell with a qualifier in an array.
   *
   * @param a big-endian buffer that holds the cell
   * @param aOffset offset of the cell's first byte, in bytes
   * @param qualifier the qualifier to compare with
   * @return a negative number, 0 or a positive number if the first comes before, equals or comes
   *     after the second
   */
  public static int compareQualifier(ByteBuffer a, int aOffset, byte[] qualifier) {
    return compareBytes(
        a,
        KeyValueLayout.qualifierOffset(a, aOffset),
        KeyValueLayout.qualifierLength(a, aOffset),
        qualifier);
  }

  private static int compareBytes(ByteBuffer a, int aOffset, int aLength, byte[] b) {
    int common = Math.min(aLength, b.length);
    int i = 0;
    for (int last = common - Long.BYTES; i <= last; i += Long.BYTES) {
      long x = a.getLong(aOffset + i);
      long y = (long) LONG.get(b, i);
      if (x != y) {
        return Long.compareUnsigned(x, y);
      }
    }
    for (; i < common; i++) {
      int order = (a.get(aOffset + i) & 0xFF) - (b[i] & 0xFF);
      if (order != 0) {
        return order;
      }
    }
    return aLength - b.length;
  }

  /**
   * Compares two ranges of unsigned bytes. A range that is a prefix of the other one comes first.
   *
   * @param a big-endian buffer that holds the first range
   * @param aOffset offset of the first range, in bytes
   * @param aLength length of the first range in bytes
   * @param b big-endian buffer that holds the second range
   * @param bOffset offset of the second range, in bytes
   * @param bLength length of the second range in bytes
   * @return a negative number, 0 or a positive number if the first comes before, equals or comes
   *     after the second
   */
  public static int compareBytes(
      ByteBuffer a, int aOffset, int aLength, ByteBuffer b, int bOffset, int bLength) {
    int common = Math.min(aLength, bLength);
    int i = 0;
    for (int last = common - Long.BYTES; i <= last; i += Long.BYTES) {
      long x = a.getLong(aOffset + i);
      long y = b.getLong(bOffset + i);
      if (x != y) {
        return Long.compareUnsigned(x, y);
      }
    }
    if (i < common && common >= Long.BYTES) {
      // The last word begins with bytes that are known to be equal.
      int word = common - Long.BYTES;
      long x = a.getLong(aOffset + word);
      long y = b.getLong(bOffset + word);
      return x != y ? Long.compareUnsigned(x, y) : aLength - bLength;
    }
    for (; i < common; i++) {
      int order = (a.get(aOffset + i) & 0xFF) - (b.get(bOffset + i) & 0xFF);
      if (order != 0) {
        return order;
      }
    }
    return aLength - bLength;
  }
}
