// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.sstable;

import io.accordiondb.CorruptionException;
import io.accordiondb.encoding.CellType;
import io.accordiondb.encoding.FoundCell;
import io.accordiondb.encoding.KeyValueLayout;

/**
 * Finds one column in a data block, as {@link CellBlockBuilder} wrote it, without rebuilding keys:
 * of each delta cell it looks only at how far its key agrees with the one sought, which the length
 * shared with the key before mostly tells. Belongs to one thread; used once.
 *
 * <p>Lengths are checked before they are used, as {@link CellBlockCursor} does.
 */
final class CellBlockSearch {
  /** What a search of one block says. */
  enum Outcome {
    FOUND,
    /** The column is not in the block, nor in another one. */
    ABSENT,
    /** The block ends before that is known. */
    BLOCK_ENDS
  }

  private static final int KEY_OFFSET = KeyValueLayout.keyOffset(0);
  private static final int TIME_AND_TYPE_BYTES = Long.BYTES + Byte.BYTES;

  private final Block block;
  private final byte[] bytes;
  private final int restartCount;
  private final int cellsEnd;

  private final LookupKey key;
  private final byte[] sought;

  /**
   * Where the key sought begins, with the length of its row; it is compared up to its qualifier.
   */
  private final int soughtAt;

  private final int columnLength;

  /** Bytes in which the current key agrees with the one sought, at most {@link #columnLength}. */
  private int agreed;

  private int keyLength;
  private int valueAt;
  private int valueLength;

  /** Of the current cell, if it is of the column. */
  private long timestamp;

  private int typeCode;

  /** Takes a block and the key before all cells of a column. */
  CellBlockSearch(Block block, LookupKey key) throws CorruptionException {
    this.block = block;
    bytes = block.payload().array();
    restartCount = block.tableCount();
    cellsEnd = block.tableOffset();
    if (restartCount < 1 || cellsEnd <= CellBlockBuilder.HEADER_BYTES) {
      throw block.corruption("at least one cell", "a block of " + block.length() + " bytes");
    }
    if (block.isTagged()) {
      throw block.corruption("cells without tags, in a table without delete markers", "tags");
    }
    this.key = key;
    sought = key.bytes();
    soughtAt = key.offset() + KEY_OFFSET;
    columnLength = ArrayCells.keyLength(sought, key.offset()) - TIME_AND_TYPE_BYTES;
  }

  /** Finds the newest version, of a sequence number up to the read point. */
  Outcome find(long readPoint, FoundCell found) throws CorruptionException {
    int restart = block.lastRestartBefore(key, restartCount, cellsEnd);
    int position = block.restartOffset(Math.max(restart, 0), cellsEnd);
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
      int sequenceAt = valueAt + valueLength;
      if (agreed == columnLength && keyLength == columnLength + TIME_AND_TYPE_BYTES) {
        met = true;
        long sequence =
            ArrayCells.getLong(bytes, 0)
                + Varints.unzigzag(Varints.getLong(bytes, sequenceAt, cellsEnd));
        if (sequence <= readPoint) {
          if (typeCode != CellType.PUT.code()) {
            throw block.corruption("a put, in a table without delete markers", typeCode);
          }
          found.setCopy(bytes, valueAt, valueLength, timestamp, sequence);
          return Outcome.FOUND;
        }
      } else if (met || (whole && beyondFirst)) {
        return Outcome.ABSENT;
      }
      // The first restart point is before the column, if there is one; the next one is not.
      beyondFirst = true;
      position = sequenceAt + Varints.length(bytes, sequenceAt, cellsEnd);
      if (position > nextRestartOffset) {
        throw block.corruption("a cell that ends at or before " + nextRestartOffset, position);
      }
    }
    return Outcome.BLOCK_ENDS;
  }

  private void readWhole(int start) throws CorruptionException {
    int available = cellsEnd - start;
    if (available < KeyValueLayout.CELL_OVERHEAD_BYTES) {
      throw block.corruption("a cell at " + start, "the end of the cells at " + cellsEnd);
    }
    keyLength = ArrayCells.keyLength(bytes, start);
    valueLength = ArrayCells.valueLength(bytes, start);
    if (keyLength < KeyValueLayout.KEY_OVERHEAD_BYTES || keyLength >= available - KEY_OFFSET) {
      throw block.corruption("a key of less than " + (available - KEY_OFFSET), keyLength);
    }
    int key = start + KEY_OFFSET;
    valueAt = key + keyLength;
    if (valueLength < 0 || valueLength >= cellsEnd - valueAt) {
      throw block.corruption("a value of less than " + (cellsEnd - valueAt), valueLength);
    }
    agreed = agreement(key, Math.min(keyLength, columnLength), 0);
    readTimeAndType(key, 0);
  }

  private void readDelta(int start, int end) throws CorruptionException {
    int at = start;
    int shared = bytes[at];
    int unshared = bytes[at + 1];
    int newValueLength = bytes[at + 2];
    if ((shared | unshared | newValueLength) >= 0) {
      at += 3;
    } else {
      shared = block.lengthAt(at, cellsEnd);
      at += Varints.length(bytes, at, cellsEnd);
      unshared = block.lengthAt(at, cellsEnd);
      at += Varints.length(bytes, at, cellsEnd);
      newValueLength = block.lengthAt(at, cellsEnd);
      at += Varints.length(bytes, at, cellsEnd);
    }
    int available = end - at;
    if (shared > keyLength || unshared >= available || newValueLength >= available - unshared) {
      throw block.corruption(
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
   * Reads what follows the bytes of the column in a key, if it has these: timestamp and type, or of
   * a shorter or longer column something else, which the next key may share. What this key shares
   * with the one before stays as it was.
   *
   * @param key where the key would begin if it were whole
   * @param from the first byte of the key that is there
   */
  private void readTimeAndType(int key, int from) {
    if (agreed < columnLength) {
      return;
    }
    int end = columnLength + TIME_AND_TYPE_BYTES;
    if (from <= columnLength && keyLength >= end) {
      timestamp = ArrayCells.getLong(bytes, key + columnLength);
      typeCode = bytes[key + columnLength + Long.BYTES] & 0xFF;
      return;
    }
    for (int i = Math.max(from, columnLength); i < Math.min(keyLength, end); i++) {
      long bits = bytes[key + i] & 0xFF;
      int shift = Long.SIZE - Byte.SIZE * (i - columnLength + 1);
      if (shift >= 0) {
        timestamp = timestamp & ~(0xFFL << shift) | bits << shift;
      } else {
        typeCode = (int) bits;
      }
    }
  }

  /** Returns the length in which bytes agree with the key sought, counted from its beginning. */
  private int agreement(int at, int length, int from) {
    int agreeing = 0;
    while (agreeing < length && bytes[at + agreeing] == sought[soughtAt + from + agreeing]) {
      agreeing++;
    }
    return from + agreeing;
  }

  /** Returns the offset of a restart point behind a position, or the end of the cells. */
  private int checkedRestart(int restart, int position) throws CorruptionException {
    if (restart >= restartCount) {
      return cellsEnd;
    }
    int offset = block.restartOffset(restart, cellsEnd);
    if (offset <= position) {
      throw block.corruption("restart point " + restart + " behind " + position, offset);
    }
    return offset;
  }
}
