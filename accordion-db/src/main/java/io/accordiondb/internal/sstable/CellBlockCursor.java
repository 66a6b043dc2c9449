// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.sstable;

import io.accordiondb.CorruptionException;
import io.accordiondb.encoding.KeyValueLayout;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Iterates over the cells of a data block that {@link CellBlockBuilder} wrote, and can be reused
 * for other blocks. Belongs to one thread.
 *
 * <p>A whole cell is returned in place, without a copy. A delta cell is rebuilt in an array of the
 * cursor, which holds the last decoded key; its value is copied there only when the cursor stops at
 * the cell. Every length is checked before it is used, so that a block that is wrong in spite of
 * its checksum causes a {@link CorruptionException}.
 */
final class CellBlockCursor {
  private static final int KEY_OFFSET = KeyValueLayout.keyOffset(0);
  private static final Block NO_BLOCK = new Block("", 0, ByteBuffer.allocate(0));

  private Block block = NO_BLOCK;
  private byte[] array = block.payload().array();
  private int restartCount;
  private int cellsEnd;
  private boolean tagged;
  private long baseSequence;

  /** The offset of the entry after the current one; {@link #cellsEnd} if there is none. */
  private int position;

  private int nextRestart;
  private int nextRestartOffset;

  private ByteBuffer rebuilt = ByteBuffer.allocate(256);
  private byte[] rebuiltArray = rebuilt.array();

  private boolean valid;

  /** Holds the current cell: {@link #array} or {@link #rebuiltArray}. */
  private byte[] cell = array;

  private int cellOffset;
  private int keyLength;
  private int valueLength;
  private int valueAt;
  private long sequence;

  /** Bytes of the current cell's tags and their length; 0 if it has no tags. */
  private int tagsBytes;

  /** Created by the first {@link #seekBefore}; empty, or holds keys of this block. */
  private @Nullable DecodedKeys decoded;

  /** The index of the decoded key at which the cursor stood last. */
  private int decodedIndex;

  /** Sets the block; the cursor is before its first cell. */
  void reset(Block newBlock) throws CorruptionException {
    block = newBlock;
    array = newBlock.payload().array();
    restartCount = newBlock.tableCount();
    cellsEnd = newBlock.tableOffset();
    tagged = newBlock.isTagged();
    tagsBytes = 0;
    valid = false;
    forgetKeys();
    if (restartCount < 1 || cellsEnd <= CellBlockBuilder.HEADER_BYTES) {
      throw block.corruption("at least one cell", "a block of " + newBlock.length() + " bytes");
    }
    baseSequence = ArrayCells.getLong(array, 0);
  }

  /** Releases the block. */
  void clear() {
    block = NO_BLOCK;
    array = block.payload().array();
    cell = array;
    invalidate();
    forgetKeys();
  }

  private void forgetKeys() {
    if (decoded != null) {
      decoded.clear();
    }
  }

  /** Returns the bytes of memory that the cursor keeps for other blocks. */
  int keptBytes() {
    return rebuiltArray.length + (decoded == null ? 0 : decoded.capacity());
  }

  /** Leaves the current cell; the block stays. */
  void invalidate() {
    valid = false;
  }

  boolean isValid() {
    return valid;
  }

  ByteBuffer buffer() {
    return cell == rebuiltArray ? rebuilt : block.payload();
  }

  int offset() {
    return cellOffset;
  }

  int length() {
    return KEY_OFFSET + keyLength + valueLength + tagsBytes;
  }

  long sequenceNumber() {
    return sequence;
  }

  /** Moves to the first cell. */
  void seekToFirst() throws CorruptionException {
    readRestart(0);
    stop();
  }

  /** Moves to the first cell at or after a key; returns whether there is one. */
  boolean seek(LookupKey key) throws CorruptionException {
    valid = false;
    int restart = block.lastRestartBefore(key, restartCount, cellsEnd);
    readRestart(Math.max(restart, 0));
    if (restart >= 0) {
      do {
        if (position == cellsEnd) {
          return false;
        }
        readNext();
      } while (ArrayCells.compareKeys(cell, cellOffset, key.bytes(), key.offset()) < 0);
    }
    stop();
    return true;
  }

  /** Moves to the last cell before a key; returns whether there is one. */
  boolean seekBefore(LookupKey key) throws CorruptionException {
    valid = false;
    int restart = block.lastRestartBefore(key, restartCount, cellsEnd);
    if (restart < 0) {
      return false;
    }
    DecodedKeys keys = decoded == null ? new DecodedKeys() : decoded;
    decoded = keys;
    readRestart(restart);
    keys.start(nextRestart, nextRestartOffset);
    int end = nextRestartOffset;
    while (ArrayCells.compareKeys(cell, cellOffset, key.bytes(), key.offset()) < 0) {
      keepKey(keys);
      if (position == end) {
        break;
      }
      readNext();
    }
    standAt(keys, keys.count() - 1);
    return true;
  }

  private void keepKey(DecodedKeys keys) {
    int valueStart = cell == array ? cellOffset + KEY_OFFSET + keyLength : valueAt;
    keys.add(cell, cellOffset, KEY_OFFSET + keyLength, valueStart, position, sequence);
  }

  /** Decodes the keys between the restart point before the decoded ones and the current cell. */
  private void decodeBefore(DecodedKeys keys) throws CorruptionException {
    int end = position;
    readRestart(keys.nextRestart() - 2);
    keys.start(nextRestart, nextRestartOffset);
    keepKey(keys);
    while (position < end) {
      readNext();
      keepKey(keys);
    }
    if (position != end) {
      throw block.corruption("a cell that ends at " + end, position);
    }
    standAt(keys, keys.count() - 1);
  }

  /** Same as {@link #seekBefore} if the decoded keys determine the result, else false. */
  boolean seekBeforeNearby(LookupKey key) throws CorruptionException {
    return standNearby(key, -1);
  }

  /** Same as {@link #seek} if the decoded keys determine the result, else false. */
  boolean seekNearby(LookupKey key) throws CorruptionException {
    return standNearby(key, 0);
  }

  /** Moves to a distance from the first cell at or after a key, between decoded neighbours. */
  private boolean standNearby(LookupKey key, int distance) throws CorruptionException {
    valid = false;
    if (decoded == null) {
      return false;
    }
    int before = decoded.countBefore(key);
    if (before == 0 || before == decoded.count()) {
      return false;
    }
    standAt(decoded, before + distance);
    return true;
  }

  /**
   * Returns whether the current cell is known to be the first of its row, and not of the block,
   * after {@link #seekBefore} and its like.
   */
  boolean startsRow() throws CorruptionException {
    DecodedKeys keys = decoded;
    if (keys == null || !keys.isAt(decodedIndex, position)) {
      return false;
    }
    if (decodedIndex == 0 && keys.nextRestart() > 1) {
      decodeBefore(keys);
    }
    return keys.startsRow(decodedIndex);
  }

  /** Moves to the cell before, which {@link #startsRow} has shown to be decoded. */
  void previous() throws CorruptionException {
    valid = false;
    standAt(Objects.requireNonNull(decoded), decodedIndex - 1);
  }

  private void standAt(DecodedKeys keys, int index) throws CorruptionException {
    decodedIndex = index;
    int start = keys.start(index);
    keyLength = ArrayCells.keyLength(keys.bytes(), start);
    valueLength = ArrayCells.valueLength(keys.bytes(), start);
    cell = rebuiltArray;
    valueAt = keys.valueAt(index);
    if (tagged) {
      readTags(valueAt + valueLength, cellsEnd);
    }
    makeRebuiltHold(length());
    System.arraycopy(keys.bytes(), start, rebuiltArray, 0, KEY_OFFSET + keyLength);
    cellOffset = 0;
    sequence = keys.sequence(index);
    position = keys.end(index);
    nextRestart = keys.nextRestart(position);
    nextRestartOffset = block.nextRestartOffset(nextRestart, restartCount, cellsEnd);
    stop();
  }

  /** Moves to the next cell of the block; returns whether there is one. */
  boolean next() throws CorruptionException {
    if (position == cellsEnd) {
      valid = false;
      return false;
    }
    readNext();
    stop();
    return true;
  }

  /** Returns the offset of the cell of a restart point, and checks that its key can be read. */
  private int restartOffset(int restart) throws CorruptionException {
    int offset = block.restartOffset(restart, cellsEnd);
    block.checkKey(array, offset, cellsEnd - offset);
    return offset;
  }

  private void readRestart(int restart) throws CorruptionException {
    valid = false;
    position = restartOffset(restart);
    nextRestart = restart;
    nextRestartOffset = position;
    readWhole();
  }

  /** Reads the key of the next entry, which must exist. */
  private void readNext() throws CorruptionException {
    valid = false;
    if (position == nextRestartOffset) {
      restartOffset(nextRestart);
      readWhole();
    } else {
      readDelta();
    }
  }

  private void readWhole() throws CorruptionException {
    int start = position;
    keyLength = ArrayCells.keyLength(array, start);
    valueLength = ArrayCells.valueLength(array, start);
    int valueStart = start + KEY_OFFSET + keyLength;
    if (valueLength < 0 || valueLength >= cellsEnd - valueStart) {
      throw block.corruption(
          "a value of 0 to " + (cellsEnd - valueStart - 1) + " bytes", valueLength);
    }
    cell = array;
    cellOffset = start;
    int valueEnd = valueStart + valueLength;
    readSequence(tagged ? readTags(valueEnd, cellsEnd) : valueEnd);
    nextRestart++;
    nextRestartOffset = block.nextRestartOffset(nextRestart, restartCount, cellsEnd);
    if (nextRestartOffset < position || nextRestartOffset > cellsEnd) {
      throw block.corruption(
          "restart point " + nextRestart + " at " + position + " to " + cellsEnd,
          nextRestartOffset);
    }
  }

  private void readDelta() throws CorruptionException {
    int at = position;
    int shared = array[at];
    int unshared = array[at + 1];
    int newValueLength = array[at + 2];
    if ((shared | unshared | newValueLength) >= 0) {
      at += 3;
    } else {
      shared = block.lengthAt(at, cellsEnd);
      at += Varints.length(array, at, cellsEnd);
      unshared = block.lengthAt(at, cellsEnd);
      at += Varints.length(array, at, cellsEnd);
      newValueLength = block.lengthAt(at, cellsEnd);
      at += Varints.length(array, at, cellsEnd);
    }
    int available = nextRestartOffset - at;
    if (shared > keyLength || unshared >= available || newValueLength >= available - unshared) {
      throw block.corruption(
          "a shared key of 0 to " + keyLength + " bytes, then at most " + available + " bytes",
          shared + " and " + unshared + " and a value of " + newValueLength);
    }
    int newKeyLength = shared + unshared;
    int newLength = KEY_OFFSET + newKeyLength + newValueLength;
    boolean first = cell != rebuiltArray;
    makeRebuiltHold(newLength);
    if (first) {
      System.arraycopy(array, cellOffset + KEY_OFFSET, rebuiltArray, KEY_OFFSET, shared);
      cell = rebuiltArray;
      cellOffset = 0;
    }
    System.arraycopy(array, at, rebuiltArray, KEY_OFFSET + shared, unshared);
    keyLength = newKeyLength;
    valueLength = newValueLength;
    valueAt = at + unshared;
    ArrayCells.setLengths(rebuiltArray, 0, newKeyLength, newValueLength);
    block.checkKey(rebuiltArray, 0, newLength);
    int valueEnd = valueAt + newValueLength;
    readSequence(tagged ? readTags(valueEnd, nextRestartOffset) : valueEnd);
    if (position > nextRestartOffset) {
      throw block.corruption("a cell that ends at or before " + nextRestartOffset, position);
    }
  }

  /** Reads the length of the tags at an offset, and returns the offset behind them. */
  private int readTags(int at, int limit) throws CorruptionException {
    int lengthMax = limit - at - Short.BYTES - 1;
    int length = lengthMax < 0 ? -1 : (array[at] & 0xFF) << Byte.SIZE | array[at + 1] & 0xFF;
    if (length < 0 || length > lengthMax) {
      throw block.corruption("tags of 0 to " + lengthMax + " bytes", length);
    }
    tagsBytes = length == 0 ? 0 : Short.BYTES + length;
    return at + Short.BYTES + length;
  }

  private void readSequence(int at) {
    long delta = array[at];
    if (delta >= 0) {
      position = at + 1;
    } else {
      delta = Varints.getLong(array, at, cellsEnd);
      position = at + Varints.length(array, at, cellsEnd);
    }
    sequence = baseSequence + Varints.unzigzag(delta);
  }

  /** Completes the current cell: checks its type, and makes its value follow its key. */
  private void stop() throws CorruptionException {
    int valueOffset = cellOffset + KEY_OFFSET + keyLength;
    if (cell == rebuiltArray) {
      makeRebuiltHold(valueOffset + valueLength + tagsBytes);
      System.arraycopy(array, valueAt, rebuiltArray, valueOffset, valueLength + tagsBytes);
    }
    block.checkType(cell[valueOffset - Byte.BYTES] & 0xFF);
    valid = true;
  }

  private void makeRebuiltHold(int length) {
    if (length > rebuiltArray.length) {
      boolean current = cell == rebuiltArray;
      // Both or none, because another reader uses the cursor after a failure.
      byte[] longer = Arrays.copyOf(rebuiltArray, Math.max(length, 2 * rebuiltArray.length));
      rebuilt = ByteBuffer.wrap(longer);
      rebuiltArray = longer;
      if (current) {
        cell = rebuiltArray;
      }
    }
  }
}
