// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.sstable;

import io.accordiondb.CorruptionException;
import io.accordiondb.FormatVersionException;
import io.accordiondb.encoding.CellTags;
import io.accordiondb.encoding.CellType;
import io.accordiondb.encoding.KeyValueLayout;
import io.accordiondb.encoding.MalformedCellException;
import io.accordiondb.internal.cache.BlockCache;
import io.accordiondb.internal.storage.Storage;
import io.accordiondb.internal.storage.StorageReader;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Reads the sound blocks of a damaged sorted table. Belongs to one thread; used once.
 *
 * <p>Blocks follow each other without gaps. A block that a sound index names is where the index
 * says, so a damaged one is skipped. Where the index is damaged, {@link BlockScanner} finds the end
 * of each block by its checksum, up to the next block that an index names.
 */
public final class SortedTableSalvage implements Closeable {
  private enum Kind {
    DATA,
    INDEX,
    FILTER,
    PROPERTIES,
    UNKNOWN
  }

  /** A block that an index names. */
  private record Named(BlockHandle handle, Kind kind) {}

  /** A part of the file; without handle if it is not a sound block. */
  private record Piece(long from, long to, Kind kind, @Nullable BlockHandle handle) {
    boolean mayHoldLostCells() {
      return handle == null && (kind == Kind.DATA || kind == Kind.UNKNOWN);
    }
  }

  /**
   * A part of the file whose cells, if it holds any, are lost.
   *
   * @param from offset of its first byte
   * @param to offset behind its last byte
   * @param after the row of the last cell before it that is kept, null if there is none
   * @param before the row of the first cell behind it that is kept, null if there is none
   */
  public record Gap(long from, long to, @Nullable String after, @Nullable String before) {}

  private final StorageReader file;
  private final String name;
  private final long fileBytes;
  private final BlockInput input;
  private final BlockScanner scanner;
  private final TreeMap<Long, Named> named = new TreeMap<>();
  private final List<Piece> pieces = new ArrayList<>();
  private final List<Gap> gaps = new ArrayList<>();
  private @Nullable SortedTableFooter footer;
  private @Nullable SortedTableProperties properties;
  private @Nullable FormatVersionException unknownVersion;
  private long cells;
  private long markers;

  private SortedTableSalvage(StorageReader file, String name) throws IOException {
    this.file = file;
    this.name = name;
    this.fileBytes = file.size();
    this.input = new BlockInput(file, name, fileBytes, new BlockCache(0));
    this.scanner = new BlockScanner(file);
  }

  /**
   * Opens a table, and finds its sound blocks.
   *
   * @param fileNumber that the file was written with
   * @throws CorruptionException if it is another table
   */
  public static SortedTableSalvage open(Storage storage, String name, long fileNumber)
      throws IOException {
    StorageReader file = storage.open(name);
    try {
      SortedTableSalvage salvage = new SortedTableSalvage(file, name);
      salvage.readFooter(fileNumber);
      salvage.readIndexes();
      salvage.findBlocks();
      return salvage;
    } catch (Throwable e) {
      file.close();
      throw e;
    }
  }

  /** Returns the properties of the table; null if they are not sound. */
  public @Nullable SortedTableProperties properties() {
    return properties;
  }

  /**
   * Writes all cells of sound blocks.
   *
   * @throws FormatVersionException if it may be a table of another version: the footer says so, and
   *     not all of its cells could be read
   */
  public void copyTo(SortedTableWriter writer) throws IOException {
    LastKey last = new LastKey();
    List<Piece> open = new ArrayList<>();
    CellBlockCursor cursor = new CellBlockCursor();
    for (Piece piece : pieces) {
      Block block =
          piece.handle == null || piece.kind != Kind.DATA ? null : input.readFile(piece.handle);
      if (block != null) {
        cursor.reset(block);
        cursor.seekToFirst();
        if (cells == 0 || isBehind(last, cursor)) {
          endGaps(open, last, KeyText.row(cursor.buffer(), cursor.offset()));
          copy(cursor, writer, last);
        } else {
          open.add(new Piece(piece.from, piece.to, Kind.DATA, null));
        }
      } else if (piece.mayHoldLostCells()) {
        open.add(piece);
      }
    }
    endGaps(open, last, null);
    if (unknownVersion != null && !isComplete()) {
      throw unknownVersion;
    }
  }

  private void copy(CellBlockCursor cursor, SortedTableWriter writer, LastKey last)
      throws IOException {
    do {
      ByteBuffer cell = cursor.buffer();
      int offset = cursor.offset();
      writer.add(cell, offset, cursor.length(), cursor.sequenceNumber());
      cells++;
      boolean isMarker =
          KeyValueLayout.typeCode(cell, offset) != CellType.PUT.code()
              || CellTags.hasTtl(cell, offset, cursor.length());
      markers += isMarker ? 1 : 0;
      last.set(cell, offset, 0, cursor.sequenceNumber());
    } while (cursor.next());
  }

  private void endGaps(List<Piece> open, LastKey last, @Nullable String before) {
    String after = cells == 0 ? null : KeyText.row(last.cell(), 0);
    open.forEach(piece -> gaps.add(new Gap(piece.from, piece.to, after, before)));
    open.clear();
  }

  private static boolean isBehind(LastKey last, CellBlockCursor cursor) {
    int shared = last.shared(cursor.buffer(), cursor.offset());
    return last.isBefore(cursor.buffer(), cursor.offset(), shared, cursor.sequenceNumber());
  }

  /** Returns the number of cells written. */
  public long cells() {
    return cells;
  }

  /**
   * Returns whether all cells of the table were written, as far as the table states their number.
   */
  public boolean isComplete() {
    return properties == null ? gaps.isEmpty() : properties.cellCount() == cells;
  }

  /** Returns how many cells were not written; -1 if the table does not say. */
  public long lostCells() {
    return properties == null ? -1 : properties.cellCount() - cells;
  }

  /** Returns how many delete markers were not written; -1 if the table does not say. */
  public long lostMarkers() {
    return properties == null ? -1 : properties.markerCount() - markers;
  }

  /** Returns the parts of the file of which no cell was written, in order. */
  public List<Gap> gaps() {
    return List.copyOf(gaps);
  }

  @Override
  public void close() throws IOException {
    file.close();
  }

  private void readFooter(long fileNumber) throws IOException {
    if (fileBytes < SortedTableFooter.BYTES) {
      return;
    }
    byte[] bytes = SortedTableFooter.readBytes(file, name, fileBytes);
    SortedTableFooter found;
    try {
      found = SortedTableFooter.read(name, bytes, SortedTableFooter.fileNumberIn(bytes), fileBytes);
    } catch (CorruptionException e) {
      return;
    } catch (FormatVersionException e) {
      // Either this is a later version, or the version number is damaged.
      unknownVersion = e;
      return;
    }
    if (found.fileNumber() != fileNumber) {
      throw new CorruptionException(
          name,
          fileBytes - bytes.length,
          "file number " + fileNumber,
          Long.toString(found.fileNumber()));
    }
    footer = found;
  }

  /** Finds the blocks that the footer and sound indexes name. */
  private void readIndexes() throws IOException {
    if (footer == null) {
      return;
    }
    name(footer.properties(), Kind.PROPERTIES);
    name(footer.rootIndex(), Kind.INDEX);
    classify(footer.properties());
    if (!footer.filterIndex().equals(BlockHandle.NONE)) {
      name(footer.filterIndex(), Kind.INDEX);
      nameEntries(footer.filterIndex(), Kind.FILTER);
    }
    IndexBlock root = index(footer.rootIndex());
    if (root == null) {
      return;
    }
    for (int i = 0; i < root.count(); i++) {
      BlockHandle child = root.handle(i);
      Kind kind = properties == null ? classify(child) : childKind(properties);
      if (kind != null) {
        name(child, kind);
      }
      if (kind == Kind.INDEX) {
        nameEntries(child, Kind.DATA);
      }
    }
  }

  private static Kind childKind(SortedTableProperties properties) {
    return properties.indexLevels() == 1 ? Kind.DATA : Kind.INDEX;
  }

  private void nameEntries(BlockHandle handle, Kind kind) throws IOException {
    IndexBlock index = index(handle);
    if (index != null) {
      for (int i = 0; i < index.count(); i++) {
        name(index.handle(i), kind);
      }
    }
  }

  private void name(BlockHandle handle, Kind kind) {
    if (handle.offset() >= 0
        && handle.length() >= 0
        && handle.offset() <= fileBytes - handle.fileBytes()) {
      named.put(handle.offset(), new Named(handle, kind));
    }
  }

  private @Nullable IndexBlock index(BlockHandle handle) throws IOException {
    try {
      return new IndexBlock(input.readFile(handle));
    } catch (CorruptionException e) {
      return null;
    }
  }

  private void findBlocks() throws IOException {
    long end = footer == null ? fileBytes : fileBytes - SortedTableFooter.BYTES;
    long at = 0;
    while (at < end) {
      long from = at;
      Named known = named.get(at);
      Long next = named.higherKey(at);
      long limit = next == null ? end : next;
      BlockHandle handle = known == null ? scanner.find(at, limit) : known.handle;
      Kind kind = handle == null ? null : classify(handle);
      if (handle == null || kind == null) {
        at = handle == null ? limit : at + handle.fileBytes();
        pieces.add(new Piece(from, at, known == null ? Kind.UNKNOWN : known.kind, null));
      } else {
        at += handle.fileBytes();
        pieces.add(new Piece(from, at, kind, handle));
      }
    }
  }

  /** Returns the kind of a block; null if it is not sound. */
  private @Nullable Kind classify(BlockHandle handle) throws IOException {
    try {
      Block block = input.readFile(handle);
      if (isData(block)) {
        return Kind.DATA;
      }
      if (isIndex(block)) {
        return Kind.INDEX;
      }
      if (isProperties(block)) {
        return Kind.PROPERTIES;
      }
      boolean isFilter = BloomFilter.isPayload(block.payload().array(), block.length());
      return isFilter ? Kind.FILTER : null;
    } catch (CorruptionException e) {
      return null;
    }
  }

  private boolean isProperties(Block block) {
    try {
      long number = footer == null ? 0 : footer.fileNumber();
      properties = PropertiesCodec.read(block, number, fileBytes);
      return true;
    } catch (CorruptionException e) {
      return false;
    }
  }

  private static boolean isIndex(Block block) {
    try {
      return new IndexBlock(block).count() > 0;
    } catch (CorruptionException e) {
      return false;
    }
  }

  /** Returns whether a block holds cells that can be written again, all of them in order. */
  private static boolean isData(Block block) {
    try {
      // An index block begins with an entry, a data block with a number.
      if (block.tableCount() == 0
          || block.restartOffset(0, block.tableOffset()) != CellBlockBuilder.HEADER_BYTES) {
        return false;
      }
      CellBlockCursor cursor = new CellBlockCursor();
      LastKey last = new LastKey();
      cursor.reset(block);
      cursor.seekToFirst();
      boolean first = true;
      do {
        SortedTableWriter.checkCell(cursor.buffer(), cursor.offset(), cursor.length());
        if (!first && !isBehind(last, cursor)) {
          return false;
        }
        first = false;
        last.set(cursor.buffer(), cursor.offset(), 0, cursor.sequenceNumber());
      } while (cursor.next());
      return true;
    } catch (CorruptionException | MalformedCellException | IllegalArgumentException e) {
      return false;
    }
  }
}
