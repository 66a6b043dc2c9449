// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.sstable;

import io.accordiondb.CorruptionException;
import io.accordiondb.encoding.CellType;
import io.accordiondb.encoding.KeyValueLayout;
import java.nio.ByteBuffer;

/**
 * The payload of one block in memory, verified against its checksum and decompressed. Immutable and
 * thread-safe, unless it is in a buffer that will be reused.
 */
class Block {
  /** Bytes charged for a block beyond its payload: this object, buffer, array and cache entry. */
  static final int OVERHEAD_BYTES = 240;

  private static final int KNOWN_TYPES =
      1 << CellType.PUT.code()
          | 1 << CellType.DELETE.code()
          | 1 << CellType.DELETE_FAMILY_VERSION.code()
          | 1 << CellType.DELETE_COLUMN.code()
          | 1 << CellType.DELETE_FAMILY.code()
          | 1 << CellType.MERGE.code();

  private final String file;
  private final long fileOffset;
  private final ByteBuffer payload;

  /**
   * Creates a block.
   *
   * @param file name of its file, for error messages
   * @param fileOffset offset of its payload in the file, for error messages
   * @param payload backed by an array whose index 0 is its own; its limit is the payload's length
   */
  Block(String file, long fileOffset, ByteBuffer payload) {
    this.file = file;
    this.fileOffset = fileOffset;
    this.payload = payload;
  }

  /** Creates another view of a block. */
  Block(Block other) {
    this(other.file, other.fileOffset, other.payload);
  }

  /**
   * Returns the payload, from offset 0 to its limit. The caller must not change its bytes or its
   * position.
   */
  final ByteBuffer payload() {
    return payload;
  }

  /** Returns the length of the payload in bytes. */
  final int length() {
    return payload.limit();
  }

  /** Returns the bytes that a cache charges. */
  int chargedBytes() {
    return payload.capacity() + OVERHEAD_BYTES;
  }

  /** Returns the number of offsets in the table that ends a cell block or index block. */
  final int tableCount() throws CorruptionException {
    int length = length();
    int max = length / Integer.BYTES - 1;
    int count = max < 0 ? -1 : payload.getInt(length - Integer.BYTES) & ~CellBlockBuilder.TAGGED;
    if (count < 0 || count > max) {
      throw corruption("0 to " + max + " offsets at the end of a block", count);
    }
    return count;
  }

  /** Returns whether the cells of a cell block have tags. */
  final boolean isTagged() {
    int length = length();
    return length >= Integer.BYTES && payload.getInt(length - Integer.BYTES) < 0;
  }

  /** Returns the offset of the table of offsets at the end of a cell block or index block. */
  final int tableOffset() throws CorruptionException {
    return length() - (tableCount() + 1) * Integer.BYTES;
  }

  /**
   * Returns the offset of the cell of a restart point in a cell block whose cells end at {@code
   * cellsEnd}.
   */
  final int restartOffset(int restart, int cellsEnd) throws CorruptionException {
    int offset = ArrayCells.getInt(payload.array(), cellsEnd + restart * Integer.BYTES);
    if (offset < CellBlockBuilder.HEADER_BYTES
        || offset > cellsEnd - KeyValueLayout.CELL_OVERHEAD_BYTES) {
      throw corruption("the offset of restart point " + restart + " in its block", offset);
    }
    return offset;
  }

  /** Returns where a cell block says that a restart point is; the end if it has no such point. */
  final int nextRestartOffset(int restart, int restartCount, int cellsEnd) {
    return restart < restartCount
        ? ArrayCells.getInt(payload.array(), cellsEnd + restart * Integer.BYTES)
        : cellsEnd;
  }

  /** Returns the last of a cell block's restart points whose cell is before a key, or -1. */
  final int lastRestartBefore(LookupKey key, int restartCount, int cellsEnd)
      throws CorruptionException {
    byte[] bytes = payload.array();
    int low = 0;
    int high = restartCount;
    while (low < high) {
      int middle = (low + high) >>> 1;
      int offset = restartOffset(middle, cellsEnd);
      checkKey(bytes, offset, cellsEnd - offset);
      if (ArrayCells.compareKeys(bytes, offset, key.bytes(), key.offset()) < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low - 1;
  }

  /** Reads a length that is stored as a varint before an end. */
  final int lengthAt(int at, int end) throws CorruptionException {
    long value = Varints.getLong(payload.array(), at, end);
    if (value < 0 || value > Integer.MAX_VALUE) {
      throw corruption("a length at offset " + at + " of a block", value);
    }
    return (int) value;
  }

  /**
   * Checks that a key from this block is well formed, so that its parts can be read.
   *
   * @param bytes that hold a cell
   * @param offset where the cell begins
   * @param available bytes from there that the cell may take at most, at least the size of the
   *     smallest cell
   */
  final void checkKey(byte[] bytes, int offset, int available) throws CorruptionException {
    int keyLength = ArrayCells.keyLength(bytes, offset);
    int keyMax = available - KeyValueLayout.keyOffset(0);
    if (keyLength < KeyValueLayout.KEY_OVERHEAD_BYTES || keyLength > keyMax) {
      throw corruption(
          "a key length of " + KeyValueLayout.KEY_OVERHEAD_BYTES + " to " + keyMax, keyLength);
    }
    int partsMax = keyLength - KeyValueLayout.KEY_OVERHEAD_BYTES;
    int rowLength = ArrayCells.rowLength(bytes, offset);
    if (rowLength < 0 || rowLength > partsMax) {
      throw corruption("a row length of 0 to " + partsMax, rowLength);
    }
    int familyLength = ArrayCells.familyLength(bytes, offset);
    if (familyLength < 0 || familyLength > partsMax - rowLength) {
      throw corruption("a family length of 0 to " + (partsMax - rowLength), familyLength);
    }
  }

  /** Checks that a number is the code of a type that the cells of blocks have. */
  final void checkType(int typeCode) throws CorruptionException {
    if (typeCode >= Integer.SIZE || (KNOWN_TYPES >>> typeCode & 1) == 0) {
      throw corruption("the code of a cell type", typeCode);
    }
  }

  /** Returns an exception that names this block. */
  final CorruptionException corruption(String expected, Object found) {
    return new CorruptionException(file, fileOffset, expected, String.valueOf(found));
  }
}
