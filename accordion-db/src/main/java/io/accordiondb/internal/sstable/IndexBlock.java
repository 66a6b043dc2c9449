// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.sstable;

import io.accordiondb.CorruptionException;
import io.accordiondb.encoding.KeyValueLayout;
import java.nio.ByteBuffer;

/**
 * The payload of an index block, which {@link IndexBlockBuilder} wrote. Immutable and thread-safe.
 * The constructor checks all entries.
 *
 * <p>A search compares eight bytes of each row, which follow the common prefix of all rows and are
 * kept in an array, and reads a key only if these are equal.
 */
final class IndexBlock extends Block {
  /** The part of a key that is compared. */
  private enum Part {
    ROW,
    COLUMN,
    KEY
  }

  private final byte[] bytes;
  private final int count;
  private final int offsetsAt;

  /** The number of bytes with which all rows begin. */
  private final int anchorLength;

  private final long[] prefixes;

  /**
   * Creates an index block of a block.
   *
   * @throws CorruptionException if an entry is malformed
   */
  IndexBlock(Block block) throws CorruptionException {
    super(block);
    bytes = block.payload().array();
    count = block.tableCount();
    offsetsAt = block.tableOffset();
    if (count < 1 || isTagged()) {
      throw block.corruption("at least one index entry", isTagged() ? "cells" : "none");
    }
    for (int entry = 0; entry < count; entry++) {
      checkEntry(entry);
    }
    anchorLength = commonRowBytes(cellOffset(0), cellOffset(count - 1));
    prefixes = new long[count];
    for (int entry = 0; entry < count; entry++) {
      prefixes[entry] = prefix(bytes, cellOffset(entry));
    }
  }

  @Override
  int chargedBytes() {
    return super.chargedBytes() + count * Long.BYTES;
  }

  /** Returns the number of entries, at least one. */
  int count() {
    return count;
  }

  /** Returns the first entry whose key is at or after a key, or {@link #count} if there is none. */
  int findKey(LookupKey key) {
    return find(key, Part.KEY);
  }

  /** Returns the first entry whose row is at or after a key's, or {@link #count}. */
  int findRow(LookupKey key) {
    return find(key, Part.ROW);
  }

  /** Returns the first entry whose column is at or after a key's, or {@link #count}. */
  int findColumn(LookupKey key) {
    return find(key, Part.COLUMN);
  }

  private int find(LookupKey key, Part part) {
    int anchored = compareAnchor(key);
    if (anchored != 0) {
      return anchored < 0 ? 0 : count;
    }
    long prefix = prefix(key.bytes(), key.offset());
    int low = 0;
    int high = count;
    while (low < high) {
      int middle = (low + high) >>> 1;
      long found = prefixes[middle];
      boolean before =
          found == prefix
              ? compare(cellOffset(middle), key, part) < 0
              : Long.compareUnsigned(found, prefix) < 0;
      if (before) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  private int compare(int cell, LookupKey key, Part part) {
    return switch (part) {
      case ROW -> ArrayCells.compareRows(bytes, cell, key.bytes(), key.offset());
      case COLUMN -> ArrayCells.compareColumns(bytes, cell, key.bytes(), key.offset());
      case KEY -> ArrayCells.compareKeys(bytes, cell, key.bytes(), key.offset());
    };
  }

  /** Compares the beginning of a key's row with the common beginning of all rows. */
  private int compareAnchor(LookupKey key) {
    if (anchorLength == 0) {
      return 0;
    }
    int rowLength = ArrayCells.rowLength(key.bytes(), key.offset());
    return ArrayCells.compareBytes(
        key.bytes(),
        KeyValueLayout.rowOffset(key.offset()),
        Math.min(rowLength, anchorLength),
        bytes,
        KeyValueLayout.rowOffset(cellOffset(0)),
        anchorLength);
  }

  /** Returns the eight bytes of a row behind the anchor, zeros where the row ends. */
  private long prefix(byte[] cell, int offset) {
    int left = ArrayCells.rowLength(cell, offset) - anchorLength;
    if (left <= 0) {
      return 0;
    }
    // Reads past a short row stay inside the cell: ten bytes of key follow every row.
    long bits = ArrayCells.getLong(cell, KeyValueLayout.rowOffset(offset) + anchorLength);
    return left >= Long.BYTES ? bits : bits & -1L << (Long.SIZE - Byte.SIZE * left);
  }

  private int commonRowBytes(int cell, int other) {
    int max = Math.min(ArrayCells.rowLength(bytes, cell), ArrayCells.rowLength(bytes, other));
    int row = KeyValueLayout.rowOffset(cell);
    int otherRow = KeyValueLayout.rowOffset(other);
    int common = 0;
    while (common < max && bytes[row + common] == bytes[otherRow + common]) {
      common++;
    }
    return common;
  }

  /** Returns the location of the block of an entry. */
  BlockHandle handle(int entry) {
    return BlockHandle.read(bytes, ArrayCells.valueOffset(bytes, cellOffset(entry)));
  }

  /** Returns the offset in its file of the block of an entry. */
  long blockOffset(int entry) {
    return ArrayCells.getLong(bytes, ArrayCells.valueOffset(bytes, cellOffset(entry)));
  }

  /** Returns the first entry whose block is at or behind an offset in its file, or the count. */
  int firstBlockAtOrBehind(long offset) {
    int low = 0;
    int high = count;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (blockOffset(middle) < offset) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** Returns the length of the stored payload of the block of an entry. */
  int blockLength(int entry) {
    return ArrayCells.getInt(bytes, ArrayCells.valueOffset(bytes, cellOffset(entry)) + Long.BYTES);
  }

  /** Returns the buffer in which the keys are. */
  ByteBuffer buffer() {
    return payload();
  }

  /** Returns the offset in {@link #buffer} of an entry, which is a cell. */
  int cellOffset(int entry) {
    return ArrayCells.getInt(bytes, offsetsAt + entry * Integer.BYTES);
  }

  private void checkEntry(int entry) throws CorruptionException {
    int offset = cellOffset(entry);
    int available = offsetsAt - offset;
    if (offset < 0 || available < KeyValueLayout.CELL_OVERHEAD_BYTES + BlockHandle.BYTES) {
      throw corruption("the offset of index entry " + entry + " in its block", offset);
    }
    checkKey(bytes, offset, available - BlockHandle.BYTES);
    if (ArrayCells.valueLength(bytes, offset) != BlockHandle.BYTES) {
      throw corruption(
          "a block handle of " + BlockHandle.BYTES + " bytes",
          ArrayCells.valueLength(bytes, offset) + " bytes");
    }
  }
}
