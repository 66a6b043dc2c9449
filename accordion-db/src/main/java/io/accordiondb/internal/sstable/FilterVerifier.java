// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.sstable;

import io.accordiondb.BloomKind;
import io.accordiondb.encoding.CellComparator;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Checks that the filter of a table contains all its cells: it reads the whole filter from the file
 * while the caller passes the cells in order. Belongs to one thread; used once.
 */
final class FilterVerifier {
  private final BloomKind kind;
  private final BlockInput input;
  private final @Nullable IndexBlock index;
  private final LastKey last = new LastKey();
  private @Nullable Block block;
  private int entry = -1;
  private long keyCount;
  private long fileBytes;

  FilterVerifier(BloomKind kind, BlockInput input, BlockHandle indexHandle) throws IOException {
    this.kind = kind;
    this.input = input;
    if (kind == BloomKind.NONE) {
      index = null;
    } else {
      index = new IndexBlock(input.readFile(indexHandle));
      fileBytes = indexHandle.fileBytes();
    }
  }

  /** Verifies the next cell of the table. */
  void verify(ByteBuffer cell, int offset) throws IOException {
    if (index == null || keyCount > 0 && isOfSameKey(cell, offset)) {
      return;
    }
    last.set(cell, offset, 0, 0);
    keyCount++;
    int found =
        kind == BloomKind.ROW
            ? index.findRow(LookupKey.of(cell, offset))
            : index.findColumn(LookupKey.of(cell, offset));
    if (block == null || found != entry) {
      if (found != entry + 1 || found == index.count()) {
        throw index.corruption(
            "filter block " + (entry + 1) + " for " + KeyText.of(cell, offset, 0), found);
      }
      BlockHandle handle = index.handle(found);
      block = input.readFile(handle);
      fileBytes += handle.fileBytes();
      entry = found;
    }
    long hash =
        kind == BloomKind.ROW ? BloomHash.ofRow(cell, offset) : BloomHash.ofColumn(cell, offset);
    if (!FilterReader.mayContain(block, hash)) {
      throw block.corruption("a filter that has " + KeyText.of(cell, offset, 0), "none");
    }
  }

  /** Checks, after the last cell, that there is no filter block without cells. */
  void finish() throws IOException {
    if (index != null && entry != index.count() - 1) {
      throw index.corruption((entry + 1) + " filter blocks", index.count());
    }
  }

  /** Returns the number of rows or columns that passed. */
  long keyCount() {
    return keyCount;
  }

  /** Returns the bytes that filter blocks and index take in the file. */
  long fileBytes() {
    return fileBytes;
  }

  private boolean isOfSameKey(ByteBuffer cell, int offset) {
    return kind == BloomKind.ROW
        ? CellComparator.compareRows(last.cell(), 0, cell, offset) == 0
        : CellComparator.compareColumns(last.cell(), 0, cell, offset) == 0;
  }
}
