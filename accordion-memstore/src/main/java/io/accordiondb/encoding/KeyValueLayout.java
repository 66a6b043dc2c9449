// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.encoding;

import java.nio.ByteBuffer;

/**
 * The one codec of cell bytes: HBase's {@code KeyValue} serialisation, big-endian, unaligned.
 *
 * <pre>
 *   0       4         8         10    10+r  11+r    11+r+f
 *   +-------+---------+---------+-----+-----+-------+-----------+-----------+------+-------+------+
 *   | key   | value   | row     | row | fam | family| qualifier | timestamp | type | value | tags |
 *   | length| length  | length r|     | len |   f   |           | (8)       | (1)  |       |      |
 *   | (4)   | (4)     | (2)     |     | (1) |       |           |           |      |       |      |
 *   +-------+---------+---------+-----+-----+-------+-----------+-----------+------+-------+------+
 * </pre>
 *
 * Key length counts from the row length to the type, inclusive. The optional tags are a two-byte
 * length and that many bytes. The sequence number is not part of the layout; it travels beside it.
 *
 * <p>Every reading method takes a buffer and the absolute offset of the cell's first byte. Buffers
 * must be big-endian. The methods neither read nor change position and limit, so many threads may
 * read one buffer. Only {@link #checkCell} accepts bytes that are not known to be a cell.
 */
public final class KeyValueLayout {
  /** Bytes before the row: key length, value length and row length. */
  public static final int ROW_OFFSET = 10;

  /** Bytes of a key beyond row, family and qualifier. */
  public static final int KEY_OVERHEAD_BYTES = Short.BYTES + Byte.BYTES + Long.BYTES + Byte.BYTES;

  /** Bytes of a cell beyond row, family, qualifier and value. */
  public static final int CELL_OVERHEAD_BYTES = 2 * Integer.BYTES + KEY_OVERHEAD_BYTES;

  /** Longest row in bytes. */
  public static final int ROW_BYTES_MAX = Short.MAX_VALUE;

  /** Longest family in bytes. */
  public static final int FAMILY_BYTES_MAX = Byte.MAX_VALUE;

  private static final byte[] NO_BYTES = {};

  private static final int KEY_OFFSET = 2 * Integer.BYTES;
  private static final int VALUE_LENGTH_OFFSET = Integer.BYTES;
  private static final int TRAILER_BYTES = Long.BYTES + Byte.BYTES;

  private KeyValueLayout() {}

  /**
   * {@return the length of the key in bytes}
   *
   * @param buffer big-endian buffer that holds the cell
   * @param offset offset of the cell's first byte, in bytes
   */
  public static int keyLength(ByteBuffer buffer, int offset) {
    return buffer.getInt(offset);
  }

  /**
   * {@return the offset of the key, which begins with the two bytes of row length}
   *
   * @param offset offset of the cell's first byte, in bytes
   */
  public static int keyOffset(int offset) {
    return offset + KEY_OFFSET;
  }

  /**
   * {@return the length of the value in bytes}
   *
   * @param buffer big-endian buffer that holds the cell
   * @param offset offset of the cell's first byte, in bytes
   */
  public static int valueLength(ByteBuffer buffer, int offset) {
    return buffer.getInt(offset + VALUE_LENGTH_OFFSET);
  }

  /**
   * {@return the offset of the value}
   *
   * @param buffer big-endian buffer that holds the cell
   * @param offset offset of the cell's first byte, in bytes
   */
  public static int valueOffset(ByteBuffer buffer, int offset) {
    return offset + KEY_OFFSET + buffer.getInt(offset);
  }

  /**
   * {@return the length in bytes of a cell without tags}
   *
   * @param buffer big-endian buffer that holds the cell
   * @param offset offset of the cell's first byte, in bytes
   */
  public static int length(ByteBuffer buffer, int offset) {
    return KEY_OFFSET + buffer.getInt(offset) + buffer.getInt(offset + VALUE_LENGTH_OFFSET);
  }

  /**
   * {@return the length in bytes of a cell that has tags}
   *
   * @param buffer big-endian buffer that holds the cell
   * @param offset offset of the cell's first byte, in bytes
   */
  public static int lengthWithTags(ByteBuffer buffer, int offset) {
    int length = length(buffer, offset);
    return length + Short.BYTES + (buffer.getShort(offset + length) & 0xFFFF);
  }

  /**
   * {@return the length of the row in bytes}
   *
   * @param buffer big-endian buffer that holds the cell
   * @param offset offset of the cell's first byte, in bytes
   */
  public static int rowLength(ByteBuffer buffer, int offset) {
    return buffer.getShort(offset + KEY_OFFSET);
  }

  /**
   * {@return the offset of the row}
   *
   * @param offset offset of the cell's first byte, in bytes
   */
  public static int rowOffset(int offset) {
    return offset + ROW_OFFSET;
  }

  /**
   * {@return the length of the family in bytes}
   *
   * @param buffer big-endian buffer that holds the cell
   * @param offset offset of the cell's first byte, in bytes
   */
  public static int familyLength(ByteBuffer buffer, int offset) {
    return buffer.get(offset + ROW_OFFSET + rowLength(buffer, offset));
  }

  /**
   * {@return the offset of the family}
   *
   * @param buffer big-endian buffer that holds the cell
   * @param offset offset of the cell's first byte, in bytes
   */
  public static int familyOffset(ByteBuffer buffer, int offset) {
    return offset + ROW_OFFSET + rowLength(buffer, offset) + Byte.BYTES;
  }

  /**
   * {@return the length of the qualifier in bytes}
   *
   * @param buffer big-endian buffer that holds the cell
   * @param offset offset of the cell's first byte, in bytes
   */
  public static int qualifierLength(ByteBuffer buffer, int offset) {
    return keyLength(buffer, offset)
        - KEY_OVERHEAD_BYTES
        - rowLength(buffer, offset)
        - familyLength(buffer, offset);
  }

  /**
   * {@return the offset of the qualifier}
   *
   * @param buffer big-endian buffer that holds the cell
   * @param offset offset of the cell's first byte, in bytes
   */
  public static int qualifierOffset(ByteBuffer buffer, int offset) {
    return familyOffset(buffer, offset) + familyLength(buffer, offset);
  }

  /**
   * {@return the timestamp in the unit of its writer, usually milliseconds since 1970}
   *
   * @param buffer big-endian buffer that holds the cell
   * @param offset offset of the cell's first byte, in bytes
   */
  public static long timestamp(ByteBuffer buffer, int offset) {
    return buffer.getLong(offset + KEY_OFFSET + buffer.getInt(offset) - TRAILER_BYTES);
  }

  /**
   * {@return the code of the cell's {@link CellType}, 0 to 255}
   *
   * @param buffer big-endian buffer that holds the cell
   * @param offset offset of the cell's first byte, in bytes
   */
  public static int typeCode(ByteBuffer buffer, int offset) {
    return buffer.get(offset + KEY_OFFSET + buffer.getInt(offset) - Byte.BYTES) & 0xFF;
  }

  /**
   * {@return the length in bytes of a cell without tags that has parts of these lengths}
   *
   * @param rowLength length of the row in bytes
   * @param familyLength length of the family in bytes
   * @param qualifierLength length of the qualifier in bytes
   * @param valueLength length of the value in bytes
   */
  public static int length(int rowLength, int familyLength, int qualifierLength, int valueLength) {
    return Math.addExact(
        CELL_OVERHEAD_BYTES + rowLength + familyLength,
        Math.addExact(qualifierLength, valueLength));
  }

  /**
   * Writes a cell without tags. The caller must have checked the lengths of the parts. The position
   * and the limit of {@code target} do not move.
   *
   * @param target big-endian buffer with room for the cell
   * @param offset offset in {@code target} at which to write, in bytes
   * @param row the row
   * @param family the family; may be empty
   * @param qualifier the qualifier; may be empty
   * @param timestamp the timestamp, at least 0
   * @param typeCode the code of a {@link CellType}
   * @param value the value; may be empty
   * @return the length of the cell in bytes
   */
  public static int write(
      ByteBuffer target,
      int offset,
      byte[] row,
      byte[] family,
      byte[] qualifier,
      long timestamp,
      int typeCode,
      byte[] value) {
    assert row.length <= ROW_BYTES_MAX && family.length <= FAMILY_BYTES_MAX : row.length;
    int keyLength = KEY_OVERHEAD_BYTES + row.length + family.length + qualifier.length;
    target.putInt(offset, keyLength);
    target.putInt(offset + VALUE_LENGTH_OFFSET, value.length);
    target.putShort(offset + KEY_OFFSET, (short) row.length);
    int at = offset + ROW_OFFSET;
    target.put(at, row);
    at += row.length;
    target.put(at, (byte) family.length);
    at += Byte.BYTES;
    target.put(at, family);
    at += family.length;
    target.put(at, qualifier);
    at += qualifier.length;
    target.putLong(at, timestamp);
    target.put(at + Long.BYTES, (byte) typeCode);
    at += TRAILER_BYTES;
    target.put(at, value);
    return at + value.length - offset;
  }

  /**
   * Copies the key of a cell into a new cell that has another type and another value, and no tags.
   *
   * @param cell big-endian buffer that holds the cell
   * @param offset offset of the cell's first byte, in bytes
   * @param typeCode the code of a {@link CellType}
   * @param value the value; may be empty
   * @return the copy, at offset 0 of a new buffer
   */
  public static ByteBuffer withValue(ByteBuffer cell, int offset, int typeCode, byte[] value) {
    int valueOffset = KEY_OFFSET + keyLength(cell, offset);
    ByteBuffer copy = ByteBuffer.allocate(Math.addExact(valueOffset, value.length));
    copy.put(0, cell, offset, valueOffset);
    copy.putInt(VALUE_LENGTH_OFFSET, value.length);
    copy.put(valueOffset - Byte.BYTES, (byte) typeCode);
    copy.put(valueOffset, value);
    return copy;
  }

  /**
   * Changes the timestamp of a cell that no other thread reads.
   *
   * @param cell big-endian buffer that holds the cell
   * @param offset offset of the cell's first byte, in bytes
   * @param timestamp the timestamp, at least 0
   */
  public static void setTimestamp(ByteBuffer cell, int offset, long timestamp) {
    cell.putLong(offset + KEY_OFFSET + keyLength(cell, offset) - TRAILER_BYTES, timestamp);
  }

  /**
   * {@return a copy of the row}
   *
   * @param cell big-endian buffer that holds the cell
   * @param offset offset of the cell's first byte, in bytes
   */
  public static byte[] row(ByteBuffer cell, int offset) {
    return copy(cell, rowOffset(offset), rowLength(cell, offset));
  }

  /**
   * {@return a copy of the family}
   *
   * @param cell big-endian buffer that holds the cell
   * @param offset offset of the cell's first byte, in bytes
   */
  public static byte[] family(ByteBuffer cell, int offset) {
    return copy(cell, familyOffset(cell, offset), familyLength(cell, offset));
  }

  /**
   * {@return a copy of the qualifier}
   *
   * @param cell big-endian buffer that holds the cell
   * @param offset offset of the cell's first byte, in bytes
   */
  public static byte[] qualifier(ByteBuffer cell, int offset) {
    return copy(cell, qualifierOffset(cell, offset), qualifierLength(cell, offset));
  }

  /**
   * {@return a copy of the value}
   *
   * @param cell big-endian buffer that holds the cell
   * @param offset offset of the cell's first byte, in bytes
   */
  public static byte[] value(ByteBuffer cell, int offset) {
    return copy(cell, valueOffset(cell, offset), valueLength(cell, offset));
  }

  private static byte[] copy(ByteBuffer cell, int from, int length) {
    if (length == 0) {
      return NO_BYTES;
    }
    byte[] bytes = new byte[length];
    cell.get(from, bytes);
    return bytes;
  }

  /**
   * Checks that bytes of unknown origin begin with a whole cell without tags.
   *
   * @param buffer big-endian buffer that holds the bytes
   * @param offset offset of the first byte
   * @param limit offset behind the last byte that may be read
   * @return the length of the cell in bytes
   * @throws MalformedCellException if a length does not fit or the type is unknown; the message
   *     names the field, what was found and what was allowed
   */
  public static int checkCell(ByteBuffer buffer, int offset, int limit) {
    int available = limit - offset;
    if (offset < 0 || available < CELL_OVERHEAD_BYTES) {
      throw new MalformedCellException("cell length", available, CELL_OVERHEAD_BYTES, available);
    }
    int keyLength = buffer.getInt(offset);
    if (keyLength < KEY_OVERHEAD_BYTES || keyLength > available - KEY_OFFSET) {
      throw new MalformedCellException(
          "key length", keyLength, KEY_OVERHEAD_BYTES, available - KEY_OFFSET);
    }
    int valueLength = buffer.getInt(offset + VALUE_LENGTH_OFFSET);
    int valueMax = available - KEY_OFFSET - keyLength;
    if (valueLength < 0 || valueLength > valueMax) {
      throw new MalformedCellException("value length", valueLength, 0, valueMax);
    }
    int rowLength = rowLength(buffer, offset);
    int rowMax = keyLength - KEY_OVERHEAD_BYTES;
    if (rowLength < 0 || rowLength > rowMax) {
      throw new MalformedCellException("row length", rowLength, 0, rowMax);
    }
    int familyLength = familyLength(buffer, offset);
    if (familyLength < 0 || familyLength > rowMax - rowLength) {
      throw new MalformedCellException("family length", familyLength, 0, rowMax - rowLength);
    }
    int typeCode = typeCode(buffer, offset);
    if (!CellType.isKnown(typeCode)) {
      throw new MalformedCellException(
          "type code", typeCode, CellType.PUT.code(), CellType.MERGE.code());
    }
    return KEY_OFFSET + keyLength + valueLength;
  }
}
