// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.sstable;

import io.accordiondb.BloomKind;
import io.accordiondb.CorruptionException;
import io.accordiondb.chunk.ReferenceCount;
import io.accordiondb.encoding.CellComparator;
import io.accordiondb.encoding.CellCursor;
import io.accordiondb.encoding.FoundCell;
import io.accordiondb.encoding.KeyValueLayout;
import io.accordiondb.internal.cache.BlockCache;
import io.accordiondb.internal.storage.Storage;
import io.accordiondb.internal.storage.StorageReader;
import io.accordiondb.retention.RangeTombstones;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A sorted table that is open for reading. Immutable except for its reference count. Thread-safe.
 *
 * <p>The caller that opens a table holds one reference, and each cursor holds another. The file is
 * closed when the last reference is released. A read needs a reference, held by the caller or by a
 * cursor.
 */
public final class SortedTable {
  private final StorageReader file;
  private final String name;
  private final SortedTableFooter footer;
  private final SortedTableProperties properties;
  private final BlockInput input;
  private final IndexBlock rootIndex;

  /** The index blocks that the root names; null where it names data blocks. */
  private final @Nullable ChildBlocks leaves;

  private final @Nullable FilterReader filter;
  private final FilterSelectivity selectivity = new FilterSelectivity();
  private final ReferenceCount references = new ReferenceCount();

  /** Written before the last reference is released, and read afterwards. */
  private volatile @Nullable Runnable whenUnused;

  private SortedTable(
      StorageReader file,
      String name,
      SortedTableFooter footer,
      SortedTableProperties properties,
      BlockInput input,
      IndexBlock rootIndex,
      @Nullable ChildBlocks leaves,
      @Nullable FilterReader filter) {
    this.file = file;
    this.name = name;
    this.footer = footer;
    this.properties = properties;
    this.input = input;
    this.rootIndex = rootIndex;
    this.leaves = leaves;
    this.filter = filter;
  }

  /**
   * Opens a table and checks its footer, properties and root index.
   *
   * @param fileNumber the number that the file must state
   * @throws CorruptionException if a check fails
   * @throws io.accordiondb.FormatVersionException if the format of the file is unknown
   */
  public static SortedTable open(Storage storage, String name, long fileNumber, BlockCache cache)
      throws IOException {
    StorageReader file = storage.open(name);
    try {
      SortedTableFooter footer = readFooter(file, name, fileNumber);
      long blocksEnd = footer.fileBytes() - SortedTableFooter.BYTES;
      BlockInput input = new BlockInput(file, name, blocksEnd, cache);
      SortedTableProperties properties =
          PropertiesCodec.read(input.readFile(footer.properties()), fileNumber, footer.fileBytes());
      IndexBlock rootIndex = new IndexBlock(input.readFile(footer.rootIndex()));
      FilterReader filter =
          properties.bloomKind() == BloomKind.NONE
              ? null
              : new FilterReader(new IndexBlock(input.readFile(footer.filterIndex())), input);
      ChildBlocks leaves =
          properties.indexLevels() == 2 ? new ChildBlocks(rootIndex, input, true) : null;
      input.charge(leaves == null ? rootIndex.chargedBytes() : leaves.chargedBytes());
      input.charge(filter == null ? 0 : filter.chargedBytes());
      return new SortedTable(file, name, footer, properties, input, rootIndex, leaves, filter);
    } catch (Throwable e) {
      closeQuietly(file);
      throw e;
    }
  }

  /** Returns the name of the file. */
  public String name() {
    return name;
  }

  /** Returns what the table says about itself. */
  public SortedTableProperties properties() {
    return properties;
  }

  /**
   * Returns a new cursor, which holds a reference until it is closed.
   *
   * @param fillCache whether data blocks that it reads from the file are given to the cache; blocks
   *     of index and filter always are
   * @throws IllegalStateException if the table is closed
   */
  public CellCursor cursor(boolean fillCache) {
    CellCursor cursor =
        new SortedTableCursor(this, input, new IndexCursor(rootIndex, leaves), fillCache);
    // When nothing can fail any more, because nobody would close the cursor.
    retain();
    return cursor;
  }

  /**
   * Finds the first cell of a column that a reader sees, as {@link
   * io.accordiondb.encoding.CellSource#find} says.
   *
   * @param fillCache whether a data block that is read from the file is given to the cache
   */
  public boolean find(
      ByteBuffer key, int keyOffset, long readPoint, boolean fillCache, FoundCell found)
      throws IOException {
    try (ReadScratch scratch = ReadScratch.take()) {
      LookupKey sought = scratch.key();
      sought.set(key, keyOffset);
      if (selectivity.isWorthAsking()) {
        boolean mayContain = mayContainColumn(sought, key, keyOffset);
        selectivity.answered(mayContain);
        if (!mayContain) {
          return false;
        }
      } else if (!isInRowRange(key, keyOffset)) {
        return false;
      }
      int first = rootIndex.findKey(sought);
      if (first == rootIndex.count()) {
        return false;
      }
      IndexBlock leaf = leaves == null ? rootIndex : leaves.index(first);
      int entry = leaves == null ? first : leaf.findKey(sought);
      if (entry == leaf.count()) {
        throw leaf.corruption("an index block that ends where its entry in the root says", "less");
      }
      input.pin(leaf.blockOffset(entry), leaf.blockLength(entry), fillCache, scratch);
      return switch (scratch.search().find(sought, readPoint, found)) {
        case FOUND -> true;
        case ABSENT -> false;
        case BLOCK_ENDS -> findBehind(sought, readPoint, fillCache, found, scratch);
      };
    }
  }

  /** Continues a search after the first block that may have a column. */
  private boolean findBehind(
      LookupKey sought, long readPoint, boolean fillCache, FoundCell found, ReadScratch scratch)
      throws IOException {
    IndexCursor index = new IndexCursor(rootIndex, leaves);
    CellBlockSearch.Outcome outcome =
        index.seek(sought) ? CellBlockSearch.Outcome.BLOCK_ENDS : CellBlockSearch.Outcome.ABSENT;
    while (outcome == CellBlockSearch.Outcome.BLOCK_ENDS && index.next()) {
      scratch.unpin();
      BlockHandle handle = index.handle();
      input.pin(handle.offset(), handle.length(), fillCache, scratch);
      outcome = scratch.search().find(sought, readPoint, found);
    }
    return outcome == CellBlockSearch.Outcome.FOUND;
  }

  /**
   * Returns false if no cell of a row is in the table, as far as its range of rows and its filter
   * tell.
   *
   * @param key a serialised cell of the row
   */
  public boolean mayContainRow(ByteBuffer key, int keyOffset) throws IOException {
    return mayContainRow(LookupKey.of(key, keyOffset), key, keyOffset);
  }

  private boolean mayContainRow(LookupKey sought, ByteBuffer key, int keyOffset)
      throws IOException {
    return isInRowRange(key, keyOffset)
        && (properties.bloomKind() != BloomKind.ROW
            || filter == null
            || filter.mayContainRow(sought, key, keyOffset));
  }

  /**
   * Returns false if neither a cell of a column nor a marker of the whole family in the column's
   * row is in the table, as far as its range of rows and its filter tell.
   *
   * @param key a serialised cell of the column
   */
  public boolean mayContainColumn(ByteBuffer key, int keyOffset) throws IOException {
    return mayContainColumn(LookupKey.of(key, keyOffset), key, keyOffset);
  }

  private boolean mayContainColumn(LookupKey sought, ByteBuffer key, int keyOffset)
      throws IOException {
    if (filter == null || properties.bloomKind() != BloomKind.ROWCOL) {
      return mayContainRow(sought, key, keyOffset);
    }
    return isInRowRange(key, keyOffset)
        && (filter.mayContainColumn(sought, key, keyOffset)
            || properties.familyMarkerCount() > 0 && mayContainFamilyMarker(key, keyOffset));
  }

  private boolean mayContainFamilyMarker(ByteBuffer key, int keyOffset) throws IOException {
    ByteBuffer marker = withoutQualifier(key, keyOffset);
    return filter == null || filter.mayContainColumn(LookupKey.of(marker, 0), marker, 0);
  }

  /** Returns a row near the middle of the table, at or behind its first row. */
  public byte[] middleRow() throws IOException {
    return spreadRows(1, 2).get(0);
  }

  /** Returns up to a number of rows, in order, that are spread evenly over the table. */
  public List<byte[]> spreadRows(int max) throws IOException {
    return spreadRows(0, max);
  }

  /** Returns the rows at the beginnings of parts of the file that are equally long. */
  private List<byte[]> spreadRows(int firstPart, int parts) throws IOException {
    retain();
    try {
      long end = rootIndex.blockOffset(rootIndex.count() - 1);
      List<byte[]> rows = new ArrayList<>();
      for (int part = firstPart; part < parts; part++) {
        byte[] row = rowAt((long) ((double) end * part / parts));
        if (rows.isEmpty() || Arrays.compareUnsigned(rows.get(rows.size() - 1), row) < 0) {
          rows.add(row);
        }
      }
      return rows;
    } finally {
      release();
    }
  }

  /**
   * Returns the bytes of the data blocks of which range tombstones delete every cell, as the index
   * tells without reading them.
   *
   * @param aboveSequence tombstones up to this sequence number do not count
   * @param upTo tombstones above this sequence number do not count
   */
  public long deletedBytes(RangeTombstones ranges, long aboveSequence, long upTo)
      throws IOException {
    retain();
    try {
      return new DeletedBlocks(ranges, aboveSequence, upTo)
          .bytes(properties.firstRow(), rootIndex, leaves);
    } finally {
      release();
    }
  }

  /** Returns the separator behind the data block at an offset in the file. */
  private byte[] rowAt(long offset) throws IOException {
    // An index block is behind the blocks that it names.
    IndexBlock index =
        leaves == null ? rootIndex : leaves.index(rootIndex.firstBlockAtOrBehind(offset));
    int entry = Math.max(0, index.firstBlockAtOrBehind(offset + 1) - 1);
    return KeyValueLayout.row(index.buffer(), index.cellOffset(entry));
  }

  /**
   * Releases the blocks of index and filter that are kept in memory, which reads of the table may
   * keep again. The caller must hold a reference.
   */
  public void letGoKept() {
    if (leaves != null) {
      leaves.letGo();
    }
    if (filter != null) {
      filter.letGo();
    }
  }

  /** Adds a reference, unless the table is closed already; returns whether it did. */
  public boolean tryRetain() {
    return references.tryRetain();
  }

  /**
   * Adds a reference.
   *
   * @throws IllegalStateException if the table is closed
   */
  public void retain() {
    if (!tryRetain()) {
      throw new IllegalStateException("sorted table " + name + " is closed");
    }
  }

  /**
   * Releases a reference. Releasing the last one closes the file and, if the table is obsolete,
   * runs the action of {@link #markObsolete} on this thread.
   */
  public void release() {
    if (references.release()) {
      closeQuietly(file);
      input.dropCached();
      Runnable hook = whenUnused;
      if (hook != null) {
        hook.run();
      }
    }
  }

  /**
   * Sets an action to run after the file has been closed; usually it deletes the file. The caller
   * must hold a reference.
   */
  public void markObsolete(Runnable hook) {
    retain();
    try {
      whenUnused = hook;
    } finally {
      release();
    }
  }

  /**
   * Reads the whole file, not the cache, and checks everything: checksums, the order of the cells,
   * index, filter and properties.
   *
   * @throws CorruptionException if a check fails
   */
  public void verify() throws IOException {
    verify((cell, offset, length) -> {});
  }

  /** Same as {@link #verify()}, and runs a check of the caller for each cell. */
  public void verify(CellCheck check) throws IOException {
    retain();
    try {
      new SortedTableVerifier(name, input, footer, properties, check).verify();
    } finally {
      release();
    }
  }

  private boolean isInRowRange(ByteBuffer key, int keyOffset) {
    return CellComparator.compareRows(properties.firstCell(), 0, key, keyOffset) <= 0
        && CellComparator.compareRows(properties.lastCell(), 0, key, keyOffset) >= 0;
  }

  private static ByteBuffer withoutQualifier(ByteBuffer key, int keyOffset) {
    byte[] row = KeyValueLayout.row(key, keyOffset);
    byte[] family = KeyValueLayout.family(key, keyOffset);
    byte[] none = new byte[0];
    ByteBuffer cell = ByteBuffer.allocate(KeyValueLayout.length(row.length, family.length, 0, 0));
    KeyValueLayout.write(cell, 0, row, family, none, 0, 0, none);
    return cell;
  }

  private static SortedTableFooter readFooter(StorageReader file, String name, long fileNumber)
      throws IOException {
    long size = file.size();
    byte[] footer = SortedTableFooter.readBytes(file, name, size);
    return SortedTableFooter.read(name, footer, fileNumber, size);
  }

  /** Closes a file that was only read. A failure loses nothing. */
  private static void closeQuietly(StorageReader file) {
    try {
      file.close();
    } catch (IOException | RuntimeException | Error e) {
      // The descriptor is released either way. Go on, because other files must be closed as well.
    }
  }
}
