// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.sstable;

import io.accordiondb.BloomKind;
import io.accordiondb.CorruptionException;
import io.accordiondb.FormatVersionException;
import io.accordiondb.encoding.KeyValueLayout;
import io.accordiondb.inspect.BlockOutline;
import io.accordiondb.internal.cache.BlockCache;
import io.accordiondb.internal.storage.Storage;
import io.accordiondb.internal.storage.StorageReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Reports the contents of a sorted table block by block, and continues behind damage. If the index
 * cannot be read, it searches for blocks by their checksums. Belongs to one thread; used once.
 */
public final class SortedTableInspection {
  /** Receives the contents of the table. */
  public interface Visitor {
    /** Receives the properties before everything else, if they are sound. */
    void properties(SortedTableProperties properties) throws IOException;

    /** Receives a sound block. */
    void block(BlockOutline block) throws IOException;

    /** Returns whether to report cells. */
    boolean wantsCells();

    /** Receives a cell of the block that was reported last; its length includes its tags. */
    void cell(ByteBuffer buffer, int offset, int length, long sequence) throws IOException;

    /** Called at damage. */
    void damage(long offset, IOException cause) throws IOException;
  }

  private static final byte[] NO_ROW = {};

  private final StorageReader file;
  private final String path;
  private final Visitor visitor;
  private final BlockInput input;
  private final CellBlockCursor cells = new CellBlockCursor();

  private SortedTableInspection(StorageReader file, String path, Visitor visitor)
      throws IOException {
    this.file = file;
    this.path = path;
    this.visitor = visitor;
    this.input = new BlockInput(file, path, file.size(), new BlockCache(0));
  }

  /** Reports the table with a name, whatever number it states. */
  public static void read(Storage storage, String name, Visitor visitor) throws IOException {
    try (StorageReader file = storage.open(name)) {
      new SortedTableInspection(file, storage.path(name), visitor).read();
    }
  }

  private void read() throws IOException {
    SortedTableFooter footer = readFooter();
    SortedTableProperties properties = footer == null ? null : readProperties(footer);
    IndexBlock root = footer == null ? null : readIndex(footer.rootIndex());
    if (footer == null || properties == null || root == null) {
      searchBlocks();
      return;
    }
    showBlock(BlockOutline.Kind.PROPERTIES, footer.properties(), 0, NO_ROW);
    showIndex(BlockOutline.Kind.ROOT_INDEX, footer.rootIndex(), root);
    if (properties.indexLevels() == 1) {
      showLeaf(root);
    } else {
      for (int i = 0; i < root.count(); i++) {
        IndexBlock leaf = readIndex(root.handle(i));
        if (leaf != null) {
          showIndex(BlockOutline.Kind.INDEX, root.handle(i), leaf);
          showLeaf(leaf);
        }
      }
    }
    if (properties.bloomKind() != BloomKind.NONE) {
      showFilter(footer.filterIndex());
    }
  }

  private @Nullable SortedTableFooter readFooter() throws IOException {
    long size = file.size();
    try {
      byte[] footer = SortedTableFooter.readBytes(file, path, size);
      return SortedTableFooter.read(path, footer, SortedTableFooter.fileNumberIn(footer), size);
    } catch (CorruptionException | FormatVersionException e) {
      damage(Math.max(0, size - SortedTableFooter.BYTES), e);
      return null;
    }
  }

  private @Nullable SortedTableProperties readProperties(SortedTableFooter footer)
      throws IOException {
    try {
      SortedTableProperties properties =
          PropertiesCodec.read(
              input.readFile(footer.properties()), footer.fileNumber(), footer.fileBytes());
      visitor.properties(properties);
      return properties;
    } catch (CorruptionException e) {
      damage(footer.properties().offset(), e);
      return null;
    }
  }

  private @Nullable IndexBlock readIndex(BlockHandle handle) throws IOException {
    try {
      return new IndexBlock(input.readFile(handle));
    } catch (CorruptionException e) {
      damage(handle.offset(), e);
      return null;
    }
  }

  private void showLeaf(IndexBlock leaf) throws IOException {
    for (int i = 0; i < leaf.count(); i++) {
      showData(leaf.handle(i));
    }
  }

  private void showData(BlockHandle handle) throws IOException {
    int count = 0;
    byte[] first = NO_ROW;
    CorruptionException damage = null;
    Block block;
    try {
      block = input.readFile(handle);
    } catch (CorruptionException e) {
      damage(handle.offset(), e);
      return;
    }
    try {
      cells.reset(block);
      cells.seekToFirst();
      first = KeyValueLayout.row(cells.buffer(), cells.offset());
      do {
        count++;
      } while (cells.next());
    } catch (CorruptionException e) {
      damage = e;
    }
    showBlock(BlockOutline.Kind.DATA, handle, count, first);
    if (visitor.wantsCells() && count > 0) {
      showCells(block, count);
    }
    if (damage != null) {
      damage(handle.offset(), damage);
    }
  }

  private void showCells(Block block, int count) throws IOException {
    cells.reset(block);
    cells.seekToFirst();
    for (int i = 1; i <= count; i++) {
      visitor.cell(cells.buffer(), cells.offset(), cells.length(), cells.sequenceNumber());
      if (i < count) {
        cells.next();
      }
    }
  }

  private void showFilter(BlockHandle handle) throws IOException {
    IndexBlock index = readIndex(handle);
    if (index == null) {
      return;
    }
    showIndex(BlockOutline.Kind.FILTER_INDEX, handle, index);
    for (int i = 0; i < index.count(); i++) {
      BlockHandle filter = index.handle(i);
      try {
        Block sound = input.readFile(filter);
        showBlock(BlockOutline.Kind.FILTER, filter, sound.length(), 0, NO_ROW);
      } catch (CorruptionException e) {
        damage(filter.offset(), e);
      }
    }
  }

  private void showIndex(BlockOutline.Kind kind, BlockHandle handle, IndexBlock index)
      throws IOException {
    byte[] row = KeyValueLayout.row(index.buffer(), index.cellOffset(0));
    showBlock(kind, handle, index.length(), index.count(), row);
  }

  private void showBlock(BlockOutline.Kind kind, BlockHandle handle, int entries, byte[] firstRow)
      throws IOException {
    showBlock(kind, handle, input.readFile(handle).length(), entries, firstRow);
  }

  private void showBlock(
      BlockOutline.Kind kind, BlockHandle handle, int bytes, int entries, byte[] firstRow)
      throws IOException {
    ByteBuffer compression = ByteBuffer.allocate(1);
    file.readFully(compression, handle.offset() + handle.length());
    visitor.block(
        new BlockOutline(
            kind,
            handle.offset(),
            handle.fileBytes(),
            bytes,
            SortedTableFormat.compression(compression.get(0)).name().toLowerCase(Locale.ROOT),
            entries,
            firstRow));
  }

  /**
   * Reports the blocks from the beginning of the file up to the first damaged one. Blocks follow
   * each other without gaps.
   */
  private void searchBlocks() throws IOException {
    BlockScanner scanner = new BlockScanner(file);
    long end = file.size();
    BlockHandle found = scanner.find(0, end);
    while (found != null) {
      showBlock(BlockOutline.Kind.UNKNOWN, found, 0, NO_ROW);
      found = scanner.find(found.offset() + found.fileBytes(), end);
    }
  }

  private void damage(long offset, IOException cause) throws IOException {
    visitor.damage(cause instanceof CorruptionException e ? e.offset() : offset, cause);
  }
}
