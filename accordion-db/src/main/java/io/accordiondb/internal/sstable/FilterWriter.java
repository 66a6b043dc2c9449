// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.sstable;

import io.accordiondb.BloomKind;
import io.accordiondb.encoding.KeyValueLayout;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Writes the Bloom filter of a table as filter blocks of up to {@link
 * SortedTableFormat#FILTER_BLOCK_KEYS_MAX} keys, between the data blocks, and their index at the
 * end. Belongs to one thread. {@link FilterReader} reads what this class writes.
 *
 * <p>A row (or column, by the kind) is in one filter block only. The index is an index block; its
 * separators are compared by row (or column) alone.
 */
final class FilterWriter {
  private final BloomKind kind;
  private final BlockOutput output;
  private final IndexBlockBuilder index = new IndexBlockBuilder();
  private final Separator separator = new Separator();
  private long[] hashes = new long[256];
  private int count;
  private long keyCount;
  private long fileBytes;

  FilterWriter(BloomKind kind, BlockOutput output) {
    this.kind = kind;
    this.output = output;
  }

  /** Adds the first cell of the table. */
  void addFirst(ByteBuffer cell, int offset) {
    if (kind != BloomKind.NONE) {
      put(cell, offset);
    }
  }

  /**
   * Adds a cell after the first.
   *
   * @param last the cell before it, at offset 0
   * @param shared bytes that the two keys have in common at their start
   */
  void add(ByteBuffer last, ByteBuffer cell, int offset, int shared) throws IOException {
    if (kind == BloomKind.NONE || isOfSameKey(last, cell, offset, shared)) {
      return;
    }
    if (count == SortedTableFormat.FILTER_BLOCK_KEYS_MAX) {
      separator.between(last, cell, offset);
      writeBlock();
    }
    put(cell, offset);
  }

  /** Writes the last filter block and the index, and returns the location of the index. */
  BlockHandle finish(ByteBuffer last) throws IOException {
    if (kind == BloomKind.NONE) {
      return BlockHandle.NONE;
    }
    separator.copyKey(last);
    writeBlock();
    int length = index.finish();
    BlockHandle handle = output.write(index.bytes(), length);
    fileBytes += handle.fileBytes();
    return handle;
  }

  /** Returns the number of rows or columns added. */
  long keyCount() {
    return keyCount;
  }

  /** Returns the bytes that filter blocks and index take in the file. */
  long fileBytes() {
    return fileBytes;
  }

  private boolean isOfSameKey(ByteBuffer last, ByteBuffer cell, int offset, int shared) {
    int keyLength = KeyValueLayout.keyLength(cell, offset);
    return kind == BloomKind.ROW
        ? shared >= Short.BYTES + KeyValueLayout.rowLength(cell, offset)
        : KeyValueLayout.keyLength(last, 0) == keyLength
            && shared >= keyLength - Long.BYTES - Byte.BYTES;
  }

  private void put(ByteBuffer cell, int offset) {
    if (count == hashes.length) {
      hashes = Arrays.copyOf(hashes, count * 2);
    }
    hashes[count++] =
        kind == BloomKind.ROW ? BloomHash.ofRow(cell, offset) : BloomHash.ofColumn(cell, offset);
    keyCount++;
  }

  private void writeBlock() throws IOException {
    byte[] payload = BloomFilter.build(hashes, count);
    BlockHandle handle = output.writeStored(payload, payload.length);
    index.add(separator, handle);
    fileBytes += handle.fileBytes();
    count = 0;
  }
}
