// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.sstable;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Queries the Bloom filter of a table, which {@link FilterWriter} wrote. Immutable and thread-safe.
 */
final class FilterReader {
  private final IndexBlock index;
  private final ChildBlocks blocks;

  FilterReader(IndexBlock index, BlockInput input) {
    this.index = index;
    blocks = new ChildBlocks(index, input, false);
  }

  /** Returns the bytes that a cache charges for what stays in memory. */
  int chargedBytes() {
    return blocks.chargedBytes();
  }

  /** Releases the blocks that the reader keeps. */
  void letGo() {
    blocks.letGo();
  }

  /**
   * Returns whether the filter, which must be one of rows, may contain a cell's row; {@code key}
   * must be the key of the cell.
   */
  boolean mayContainRow(LookupKey key, ByteBuffer cell, int offset) throws IOException {
    int entry = index.findRow(key);
    return entry < index.count() && mayContain(blocks.get(entry), BloomHash.ofRow(cell, offset));
  }

  /**
   * Returns whether the filter, which must be one of rows and columns, may contain a cell's column.
   */
  boolean mayContainColumn(LookupKey key, ByteBuffer cell, int offset) throws IOException {
    int entry = index.findColumn(key);
    return entry < index.count() && mayContain(blocks.get(entry), BloomHash.ofColumn(cell, offset));
  }

  /** Returns whether a filter block may contain a hash. */
  static boolean mayContain(Block block, long hash) throws IOException {
    byte[] payload = block.payload().array();
    if (!BloomFilter.isPayload(payload, block.length())) {
      throw block.corruption("the payload of a Bloom filter", block.length() + " bytes");
    }
    return BloomFilter.mayContain(payload, block.length(), hash);
  }
}
