// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.sstable;

import io.accordiondb.CorruptionException;
import io.accordiondb.cell.KeyValueLayout;
import java.nio.ByteBuffer;

/**
 * Reads the payload of an index block, as {@link IndexBlockBuilder} wrote it. Immutable, for any
 * number of threads. Entries are checked when they are looked at.
 */
final class IndexBlock {
  private final Block block;
  private final byte[] bytes;
  private final int count;
  private final int offsetsAt;

  IndexBlock(Block block) throws CorruptionException {
    this.block = block;
    bytes = block.payload().array();
    count = block.tableCount();
    offsetsAt = block.tableOffset();
    if (count < 1) {
      throw block.corruption("at least one index entry", "none");
    }
  }

  /** Returns the bytes that a cache charges. */
  int chargedBytes() {
    return block.chargedBytes();
  }

  /** Returns the number of entries, at least one. */
  int count() {
    return count;
  }

  /** Returns the first entry whose key is at or after a key, or {@link #count} if there is none. */
  int findKey(SearchKey key) throws CorruptionException {
    int low = 0;
    int high = count;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (ArrayCells.compareKeys(bytes, cellOffset(middle), key.bytes(), key.offset()) < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** Returns the first entry whose row is at or after a key's, or {@link #count}. */
  int findRow(SearchKey key) throws CorruptionException {
    int low = 0;
    int high = count;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (ArrayCells.compareRows(bytes, cellOffset(middle), key.bytes(), key.offset()) < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** Returns the first entry whose column is at or after a key's, or {@link #count}. */
  int findColumn(SearchKey key) throws CorruptionException {
    int low = 0;
    int high = count;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (ArrayCells.compareColumns(bytes, cellOffset(middle), key.bytes(), key.offset()) < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** Returns where the block of an entry lies. */
  BlockHandle handle(int entry) throws CorruptionException {
    return BlockHandle.read(bytes, ArrayCells.valueOffset(bytes, cellOffset(entry)));
  }

  /** Returns an exception that names this block. */
  CorruptionException corruption(String expected, Object found) {
    return block.corruption(expected, found);
  }

  /** Returns the buffer in which the keys lie. */
  ByteBuffer buffer() {
    return block.payload();
  }

  /** Returns the offset in {@link #buffer} of an entry, which is a cell. */
  int cellOffset(int entry) throws CorruptionException {
    int offset = ArrayCells.getInt(bytes, offsetsAt + entry * Integer.BYTES);
    int available = offsetsAt - offset;
    if (offset < 0 || available < KeyValueLayout.CELL_OVERHEAD_BYTES + BlockHandle.BYTES) {
      throw block.corruption("the offset of index entry " + entry + " in its block", offset);
    }
    block.checkKey(bytes, offset, available - BlockHandle.BYTES);
    if (ArrayCells.valueLength(bytes, offset) != BlockHandle.BYTES) {
      throw block.corruption(
          "a block handle of " + BlockHandle.BYTES + " bytes",
          ArrayCells.valueLength(bytes, offset) + " bytes");
    }
    return offset;
  }
}
