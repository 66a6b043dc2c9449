// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.sstable;

import io.accordiondb.CorruptionException;
import io.accordiondb.encoding.CellComparator;
import io.accordiondb.encoding.CellTags;
import io.accordiondb.encoding.KeyValueLayout;
import io.accordiondb.encoding.MalformedCellException;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Reads a whole table from its file and checks that it is consistent: the cells are in order and
 * within the bounds of the index, the filter contains all of them, the properties match, and every
 * byte of the file belongs to a block that was read. Belongs to one thread; used once.
 */
final class SortedTableVerifier {
  private final String name;
  private final BlockInput input;
  private final SortedTableFooter footer;
  private final SortedTableProperties properties;
  private final CellCheck check;
  private final PropertiesCollector collector = new PropertiesCollector();
  private final FilterVerifier filter;
  private final LastKey last = new LastKey();
  private final CellBlockCursor cells = new CellBlockCursor();

  /** Key of the index entry before the current one, if there is one. */
  private final LastKey lastSeparator = new LastKey();

  private long indexBytes;

  SortedTableVerifier(
      String name,
      BlockInput input,
      SortedTableFooter footer,
      SortedTableProperties properties,
      CellCheck check)
      throws IOException {
    this.name = name;
    this.input = input;
    this.footer = footer;
    this.properties = properties;
    this.check = check;
    filter = new FilterVerifier(properties.bloomKind(), input, footer.filterIndex());
  }

  void verify() throws IOException {
    IndexBlock root = readIndex(footer.rootIndex());
    if (properties.indexLevels() == 1) {
      verifyLeaf(root);
    } else {
      for (int i = 0; i < root.count(); i++) {
        IndexBlock leaf = readIndex(root.handle(i));
        verifyLeaf(leaf);
        int lastEntry = leaf.cellOffset(leaf.count() - 1);
        if (CellComparator.compareKeys(root.buffer(), root.cellOffset(i), leaf.buffer(), lastEntry)
            != 0) {
          throw root.corruption("in entry " + i + " the last key of its index block", "another");
        }
      }
    }
    filter.finish();
    verifyProperties();
  }

  private IndexBlock readIndex(BlockHandle handle) throws IOException {
    indexBytes += handle.fileBytes();
    return new IndexBlock(input.readFile(handle));
  }

  private void verifyLeaf(IndexBlock leaf) throws IOException {
    for (int i = 0; i < leaf.count(); i++) {
      BlockHandle handle = leaf.handle(i);
      Block block = input.readFile(handle);
      cells.reset(block);
      cells.seekToFirst();
      if (collector.cellCount() > 0
          && CellComparator.compareKeys(lastSeparator.cell(), 0, cells.buffer(), cells.offset())
              > 0) {
        throw outOfOrder(block, lastSeparator);
      }
      do {
        verifyCell(block);
      } while (cells.next());
      collector.addBlock(handle);
      int separator = leaf.cellOffset(i);
      if (CellComparator.compareKeys(last.cell(), 0, leaf.buffer(), separator) > 0) {
        throw leaf.corruption(
            "in entry " + i + " a key at or after " + KeyText.of(last.cell(), 0, last.sequence()),
            KeyText.of(leaf.buffer(), separator, 0));
      }
      lastSeparator.set(leaf.buffer(), separator, 0, 0);
    }
  }

  private void verifyCell(Block block) throws IOException {
    ByteBuffer cell = cells.buffer();
    int offset = cells.offset();
    int shared = 0;
    if (collector.cellCount() > 0) {
      shared = last.shared(cell, offset);
      if (!last.isBefore(cell, offset, shared, cells.sequenceNumber())) {
        throw outOfOrder(block, last);
      }
    }
    checkWritable(block);
    check.check(cell, offset, cells.length());
    filter.verify(cell, offset);
    last.set(cell, offset, shared, cells.sequenceNumber());
    collector.add(
        last,
        KeyValueLayout.valueLength(cell, offset),
        CellTags.hasTtl(cell, offset, cells.length()));
  }

  /** Checks that a compaction can write the cell into another table. */
  private void checkWritable(Block block) throws CorruptionException {
    try {
      SortedTableWriter.checkCell(cells.buffer(), cells.offset(), cells.length());
    } catch (MalformedCellException | IllegalArgumentException e) {
      throw block.corruption("cells that can be written again", String.valueOf(e.getMessage()));
    }
  }

  private CorruptionException outOfOrder(Block block, LastKey before) {
    return block.corruption(
        "cells after " + KeyText.of(before.cell(), 0, before.sequence()),
        KeyText.of(cells.buffer(), cells.offset(), cells.sequenceNumber()));
  }

  private void verifyProperties() throws IOException {
    long offset = footer.properties().offset();
    long fileBytes =
        properties.dataBytes()
            + indexBytes
            + filter.fileBytes()
            + footer.properties().fileBytes()
            + SortedTableFooter.BYTES;
    collector.setOwner(properties.owner());
    collector.setAppliedUpTo(properties.appliedUpTo());
    SortedTableProperties counted =
        collector.finish(
            footer.fileNumber(),
            fileBytes,
            last,
            indexBytes,
            filter.fileBytes(),
            filter.keyCount(),
            properties.compression(),
            properties.bloomKind(),
            properties.indexLevels());
    SortedTableProperties read =
        PropertiesCodec.read(
            input.readFile(footer.properties()), footer.fileNumber(), footer.fileBytes());
    if (!counted.equals(read)) {
      throw new CorruptionException(name, offset, counted.toString(), read.toString());
    }
  }
}
