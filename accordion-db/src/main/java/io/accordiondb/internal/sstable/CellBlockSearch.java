// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.sstable;

import io.accordiondb.CorruptionException;
import io.accordiondb.encoding.CellType;
import io.accordiondb.encoding.FoundCell;
import io.accordiondb.encoding.KeyValueLayout;
import java.nio.ByteBuffer;

/**
 * Finds one column in a data block that {@link CellBlockBuilder} wrote, without rebuilding keys.
 * For each delta cell it only determines how far its key agrees with the wanted key, which mostly
 * follows from the length that it shares with the key before. Belongs to one thread; can be reused
 * for other blocks.
 *
 * <p>It searches the block in place, outside the heap: a search reads few of the bytes, so copying
 * all of them would cost more than the search. Lengths are checked before they are used, as {@link
 * CellBlockCursor} does.
 */
final class CellBlockSearch {
  /** The outcome of a search in one block. */
  enum Outcome {
    FOUND,
    /** The column is not in the block, nor in another one. */
    ABSENT,
    /** The block ends before that is known. */
    BLOCK_ENDS
  }

  private static final int KEY_OFFSET = KeyValueLayout.keyOffset(0);
  private static final int TIME_AND_TYPE_BYTES = Long.BYTES + Byte.BYTES;

  private static final ByteBuffer NO_BYTES = ByteBuffer.allocateDirect(0);
  private static final byte[] NO_KEY = {};

  private String file = "";
  private long fileOffset;

  /**
   * The buffer that holds the block. All offsets count from the beginning of this buffer, except
   * those in the block's own table, which count from the start of the block.
   */
  private ByteBuffer bytes = NO_BYTES;

  private int start;
  private int length;
  private int restartCount;
  private int cellsEnd;

  /** Whether the length of its tags follows the value of each cell. */
  private boolean tagged;

  private byte[] sought = NO_KEY;
  private int soughtCell;

  /**
   * The offset of the wanted key, which begins with the length of its row; it is compared up to its
   * qualifier.
   */
  private int soughtAt;

  private int columnLength;

  /**
   * The number of bytes in which the current key agrees with the wanted one, at most {@link
   * #columnLength}.
   */
  private int agreed;

  private int keyLength;
  private int valueAt;
  private int valueLength;

  /** The timestamp of the current cell, if it is of the column. */
  private long timestamp;

  private int typeCode;

  /**
   * Sets the block.
   *
   * @param file name of its file, for error messages
   * @param fileOffset offset of its payload in the file, for error messages
   * @param bytes direct memory with the block, which must not change until the search is over
   * @param start where in the memory the payload begins
   * @param length of the payload
   */
  void setBlock(String file, long fileOffset, ByteBuffer bytes, int start, int length) {
    this.file = file;
    this.fileOffset = fileOffset;
    this.bytes = bytes;
    this.start = start;
    this.length = length;
  }

  /** Releases the references to block and key. */
  void clear() {
    bytes = NO_BYTES;
    sought = NO_KEY;
  }

  private void begin(LookupKey key) throws CorruptionException {
    sought = key.bytes();
    soughtCell = key.offset();
    soughtAt = soughtCell + KEY_OFFSET;
    columnLength = ArrayCells.keyLength(sought, soughtCell) - TIME_AND_TYPE_BYTES;
    agreed = 0;
    keyLength = 0;
    int max = length / Integer.BYTES - 1;
    int last = max < 0 ? 0 : bytes.getInt(start + length - Integer.BYTES);
    restartCount = last & ~CellBlockBuilder.TAGGED;
    cellsEnd = start + length - (restartCount + 1) * Integer.BYTES;
    if (restartCount < 1
        || restartCount > max
        || cellsEnd - start <= CellBlockBuilder.HEADER_BYTES) {
      throw corruption("at least one cell", "a block of " + length + " bytes");
    }
    tagged = last < 0;
  }

  /**
   * Finds the first cell of a column with a sequence number up to the read point.
   *
   * @param key the key before all cells of the column
   */
  Outcome find(LookupKey key, long readPoint, FoundCell found) throws CorruptionException {
    begin(key);
    int restart = lastRestartBefore();
    int position = restartOffset(Math.max(restart, 0));
    int nextRestart = Math.max(restart, 0);
    int nextRestartOffset = position;
    boolean beyondFirst = restart < 0;
    boolean met = false;
    while (position < cellsEnd) {
      boolean whole = position == nextRestartOffset;
      if (whole) {
        nextRestart++;
        nextRestartOffset = checkedRestart(nextRestart, position);
        readWhole(position);
      } else {
        readDelta(position, nextRestartOffset);
      }
      int valueEnd = valueAt + valueLength;
      int sequenceAt = tagged ? behindTags(valueEnd) : valueEnd;
      if (agreed == columnLength && keyLength == columnLength + TIME_AND_TYPE_BYTES) {
        met = true;
        long sequence =
            bytes.getLong(start) + Varints.unzigzag(Varints.getLong(bytes, sequenceAt, cellsEnd));
        if (sequence <= readPoint) {
          boolean hasTags = tagged && sequenceAt > valueEnd + Short.BYTES;
          if (typeCode == CellType.PUT.code() && !hasTags) {
            byte[] value = new byte[valueLength];
            bytes.get(valueAt, value);
            found.setValue(value, timestamp, sequence);
          } else {
            found.setOther(timestamp, sequence);
          }
          return Outcome.FOUND;
        }
      } else if (met || (whole && beyondFirst)) {
        return Outcome.ABSENT;
      }
      // The first restart point is before the column, if there is one; the next one is not.
      beyondFirst = true;
      position = sequenceAt + Varints.length(bytes, sequenceAt, cellsEnd);
      if (position > nextRestartOffset) {
        throw corruption("a cell that ends at or before " + nextRestartOffset, position);
      }
    }
    return Outcome.BLOCK_ENDS;
  }

  /** Returns the offset behind tags. */
  private int behindTags(int at) throws CorruptionException {
    int lengthMax = cellsEnd - at - Short.BYTES - 1;
    int tagsLength = lengthMax < 0 ? -1 : bytes.getShort(at) & 0xFFFF;
    if (tagsLength < 0 || tagsLength > lengthMax) {
      throw corruption("tags of 0 to " + lengthMax + " bytes", tagsLength);
    }
    return at + Short.BYTES + tagsLength;
  }

  private void readWhole(int at) throws CorruptionException {
    int available = cellsEnd - at;
    if (available < KeyValueLayout.CELL_OVERHEAD_BYTES) {
      throw corruption("a cell at " + at, "the end of the cells at " + cellsEnd);
    }
    keyLength = DirectCells.keyLength(bytes, at);
    valueLength = DirectCells.valueLength(bytes, at);
    if (keyLength < KeyValueLayout.KEY_OVERHEAD_BYTES || keyLength >= available - KEY_OFFSET) {
      throw corruption("a key of less than " + (available - KEY_OFFSET), keyLength);
    }
    int key = at + KEY_OFFSET;
    valueAt = key + keyLength;
    if (valueLength < 0 || valueLength >= cellsEnd - valueAt) {
      throw corruption("a value of less than " + (cellsEnd - valueAt), valueLength);
    }
    agreed = agreement(key, Math.min(keyLength, columnLength), 0);
    readTimeAndType(key, 0);
  }

  private void readDelta(int from, int end) throws CorruptionException {
    int at = from;
    int shared = bytes.get(at);
    int unshared = bytes.get(at + 1);
    int newValueLength = bytes.get(at + 2);
    if ((shared | unshared | newValueLength) >= 0) {
      at += 3;
    } else {
      shared = lengthAt(at);
      at += Varints.length(bytes, at, cellsEnd);
      unshared = lengthAt(at);
      at += Varints.length(bytes, at, cellsEnd);
      newValueLength = lengthAt(at);
      at += Varints.length(bytes, at, cellsEnd);
    }
    int available = end - at;
    if (shared > keyLength || unshared >= available || newValueLength >= available - unshared) {
      throw corruption(
          "a shared key of 0 to " + keyLength + " bytes, then at most " + available + " bytes",
          shared + " and " + unshared + " and a value of " + newValueLength);
    }
    keyLength = shared + unshared;
    valueLength = newValueLength;
    valueAt = at + unshared;
    if (shared <= agreed) {
      agreed = agreement(at, Math.min(keyLength, columnLength) - shared, shared);
    }
    readTimeAndType(at - shared, shared);
  }

  /**
   * Reads the bytes of a key where timestamp and type of the wanted column would be. In a key of a
   * shorter or longer column these are other bytes, which the next key may share. Bytes that this
   * key shares with the one before keep their values.
   *
   * @param key the offset at which the key would begin if it were whole
   * @param from the first byte of the key that is stored
   */
  private void readTimeAndType(int key, int from) {
    if (agreed < columnLength) {
      return;
    }
    int end = columnLength + TIME_AND_TYPE_BYTES;
    if (from <= columnLength && keyLength >= end) {
      timestamp = bytes.getLong(key + columnLength);
      typeCode = bytes.get(key + columnLength + Long.BYTES) & 0xFF;
      return;
    }
    for (int i = Math.max(from, columnLength); i < Math.min(keyLength, end); i++) {
      long bits = bytes.get(key + i) & 0xFF;
      int shift = Long.SIZE - Byte.SIZE * (i - columnLength + 1);
      if (shift >= 0) {
        timestamp = timestamp & ~(0xFFL << shift) | bits << shift;
      } else {
        typeCode = (int) bits;
      }
    }
  }

  /** Returns the number of bytes that agree with the wanted key, from its beginning. */
  private int agreement(int at, int max, int from) {
    int agreeing = 0;
    while (agreeing < max && bytes.get(at + agreeing) == sought[soughtAt + from + agreeing]) {
      agreeing++;
    }
    return from + agreeing;
  }

  /** Returns the offset of a restart point behind a position, or the end of the cells. */
  private int checkedRestart(int restart, int position) throws CorruptionException {
    if (restart >= restartCount) {
      return cellsEnd;
    }
    int offset = restartOffset(restart);
    if (offset <= position) {
      throw corruption("restart point " + restart + " behind " + position, offset);
    }
    return offset;
  }

  /** Returns the last restart point whose cell is before the wanted key, or -1. */
  private int lastRestartBefore() throws CorruptionException {
    int low = 0;
    int high = restartCount;
    while (low < high) {
      int middle = (low + high) >>> 1;
      int offset = restartOffset(middle);
      checkKey(offset);
      if (DirectCells.compareKeys(bytes, offset, sought, soughtCell) < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low - 1;
  }

  /** Returns the offset of the cell of a restart point. */
  private int restartOffset(int restart) throws CorruptionException {
    int offset = bytes.getInt(cellsEnd + restart * Integer.BYTES);
    if (offset < CellBlockBuilder.HEADER_BYTES
        || offset > cellsEnd - start - KeyValueLayout.CELL_OVERHEAD_BYTES) {
      throw corruption("the offset of restart point " + restart + " in its block", offset);
    }
    return start + offset;
  }

  /** Checks that a whole key is well formed, so that its parts can be compared. */
  private void checkKey(int cell) throws CorruptionException {
    int length = DirectCells.keyLength(bytes, cell);
    int parts = length - KeyValueLayout.KEY_OVERHEAD_BYTES;
    int rowLength = DirectCells.rowLength(bytes, cell);
    boolean isKey =
        parts >= 0
            && length <= cellsEnd - cell - KEY_OFFSET
            && rowLength >= 0
            && rowLength <= parts;
    int familyLength = isKey ? bytes.get(KeyValueLayout.rowOffset(cell) + rowLength) : -1;
    if (familyLength < 0 || familyLength > parts - rowLength) {
      throw corruption("a key at a restart point", "lengths " + length + " and " + rowLength);
    }
  }

  private int lengthAt(int at) throws CorruptionException {
    long value = Varints.getLong(bytes, at, cellsEnd);
    if (value < 0 || value > Integer.MAX_VALUE) {
      throw corruption("a length at offset " + (at - start) + " of a block", value);
    }
    return (int) value;
  }

  private CorruptionException corruption(String expected, Object found) {
    return new CorruptionException(file, fileOffset, expected, String.valueOf(found));
  }
}
