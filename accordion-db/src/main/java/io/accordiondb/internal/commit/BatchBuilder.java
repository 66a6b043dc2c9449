// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.commit;

import io.accordiondb.Compression;
import io.accordiondb.ValueTooLargeException;
import io.accordiondb.encoding.BatchFormat;
import io.accordiondb.encoding.CellTags;
import io.accordiondb.encoding.CellType;
import io.accordiondb.encoding.KeyValueLayout;
import io.accordiondb.internal.region.Store;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Encodes cells into a {@link Batch}, grouped by store. Belongs to one thread; used once. */
public final class BatchBuilder {
  private static final byte[] NO_FAMILY = {};

  private final int bytesExpected;
  private final int bytesMax;
  private StoreCells[] stores = new StoreCells[1];
  private int storeCount;
  private @Nullable StoreCells last;
  private int[] rowHashes = new int[1];
  private int rowCount;

  /** Bytes of all cells, which may exceed the length of an array. */
  private long cellBytes;

  /**
   * Creates a builder.
   *
   * @param bytesExpected about how many bytes of rows, qualifiers and values will be added
   * @param bytesMax bytes of cells that a batch may have
   */
  public BatchBuilder(int bytesExpected, int bytesMax) {
    this.bytesExpected = bytesExpected;
    this.bytesMax = bytesMax;
  }

  /** Begins the cells of a row. */
  public void addRow(byte[] row) {
    if (rowCount == rowHashes.length) {
      rowHashes = Arrays.copyOf(rowHashes, 2 * rowCount);
    }
    rowHashes[rowCount++] = Batch.hashOf(row);
  }

  /** Adds a cell without tags. */
  public void add(
      Store store, byte[] row, byte[] qualifier, long timestamp, CellType type, byte[] value) {
    add(store, row, qualifier, timestamp, type, value, CellTags.NONE);
  }

  /**
   * Adds a cell. The lengths of row, qualifier and value have been checked.
   *
   * @param tags well-formed tags without the length of all of them; empty for none
   * @throws ValueTooLargeException if the batch would become too large; nothing was allocated
   */
  public void add(
      Store store,
      byte[] row,
      byte[] qualifier,
      long timestamp,
      CellType type,
      byte[] value,
      byte[] tags) {
    boolean deletesRange = type == CellType.DELETE_RANGE;
    StoreCells target = last;
    if (target == null || target.store != store || target.deletesRanges != deletesRange) {
      target = cellsOf(store, deletesRange);
    }
    boolean hasTags = tags.length > 0;
    int bytes = KeyValueLayout.length(row.length, 0, qualifier.length, value.length);
    long added = (long) bytes + (hasTags || target.tagged ? Short.BYTES + tags.length : 0);
    if (hasTags && !target.tagged) {
      added += (long) target.count * Short.BYTES;
    }
    cellBytes += added;
    if (cellBytes > bytesMax) {
      throw new ValueTooLargeException("the batch", cellBytes, bytesMax);
    }
    target.makeRoom((int) added, bytesMax);
    if (hasTags) {
      target.makeTagged();
    }
    target.add(row, qualifier, timestamp, type, value, tags);
  }

  /** Adds a cell that is encoded already, without a family, and no range tombstone. */
  public void addEncoded(Store store, BatchFormat format, ByteBuffer source, int offset) {
    int bytes = format.length(source, offset);
    boolean hasTags = bytes > KeyValueLayout.length(source, offset);
    StoreCells target = cellsOf(store, false);
    int tagLengths = hasTags ? (target.tagged ? 0 : target.count) : (target.tagged ? 1 : 0);
    target.makeRoom(bytes + tagLengths * Short.BYTES, bytesMax);
    if (hasTags) {
      target.makeTagged();
    }
    target.add(source, offset, bytes, hasTags);
  }

  /** Returns how many bytes of cells a batch may have. */
  public int bytesMax() {
    return bytesMax;
  }

  /** Returns whether no cell was added. */
  public boolean isEmpty() {
    return storeCount == 0;
  }

  /**
   * Returns the batch, whose cells have their final timestamps.
   *
   * @param compression in the log: NONE or LZ4
   */
  public Batch build(Compression compression) {
    return build(compression, 0, false);
  }

  /**
   * Returns the batch.
   *
   * @param compression in the log: NONE or LZ4
   * @param timeMillis the time of the write
   * @param postponable whether exactly the cells that have this time as their timestamp were
   *     written without one, so that it may change until the batch is numbered
   */
  public Batch build(Compression compression, long timeMillis, boolean postponable) {
    ByteBuffer payload = storeCount == 1 ? stores[0].buffer : concatenated();
    Batch.Group[] groups = new Batch.Group[storeCount];
    payload.putInt(0, storeCount);
    int at = BatchLayout.GROUP_COUNT_BYTES;
    int cellCount = 0;
    long contentBytes = 0;
    boolean deletesRanges = false;
    for (int i = 0; i < storeCount; i++) {
      StoreCells cells = stores[i];
      int bytes = cells.cellBytes();
      payload.putLong(at + BatchLayout.REGION_OFFSET, cells.store.id().regionId());
      payload.putInt(at + BatchLayout.FAMILY_OFFSET, cells.store.id().familyId());
      payload.putInt(
          at + BatchLayout.CELLS_OFFSET,
          cells.tagged ? cells.count | BatchLayout.TAGGED : cells.count);
      payload.putInt(at + BatchLayout.BYTES_OFFSET, bytes);
      at += BatchLayout.GROUP_HEADER_BYTES;
      groups[i] =
          new Batch.Group(
              cells.store, at, cells.count, cellCount, cells.tagged, cells.deletesRanges);
      deletesRanges |= cells.deletesRanges;
      at += bytes;
      cellCount += cells.count;
      contentBytes += cells.contentBytes();
    }
    payload.position(0).limit(at);
    ByteBuffer logged =
        compression == Compression.NONE ? payload : BatchCompression.compress(payload);
    return new Batch(
        payload,
        logged,
        Batch.crcOf(logged),
        cellCount,
        contentBytes,
        groups,
        rowCount == rowHashes.length ? rowHashes : Arrays.copyOf(rowHashes, rowCount),
        deletesRanges,
        timeMillis,
        postponable);
  }

  private ByteBuffer concatenated() {
    int bytes = BatchLayout.GROUP_COUNT_BYTES;
    for (int i = 0; i < storeCount; i++) {
      bytes = Math.addExact(bytes, BatchLayout.GROUP_HEADER_BYTES + stores[i].cellBytes());
    }
    ByteBuffer payload = ByteBuffer.allocate(bytes);
    int at = BatchLayout.GROUP_COUNT_BYTES;
    for (int i = 0; i < storeCount; i++) {
      StoreCells cells = stores[i];
      at += BatchLayout.GROUP_HEADER_BYTES;
      payload.put(at, cells.buffer, StoreCells.START, cells.cellBytes());
      at += cells.cellBytes();
    }
    return payload;
  }

  /**
   * Returns the buffer to which cells of a store are added. Range tombstones and other cells are
   * kept apart; the changes of a store stay in their order.
   */
  private StoreCells cellsOf(Store store, boolean deletesRanges) {
    for (int i = storeCount - 1; i >= 0; i--) {
      StoreCells cells = stores[i];
      if (cells.store == store) {
        if (cells.deletesRanges == deletesRanges) {
          last = cells;
          return cells;
        }
        break;
      }
    }
    // A batch may have thousands of parts. Together they take at most twice what is expected.
    int expected = bytesExpected >>> Math.min(storeCount, Integer.SIZE - 1);
    StoreCells cells = new StoreCells(store, deletesRanges, expected);
    if (storeCount == stores.length) {
      stores = Arrays.copyOf(stores, 2 * storeCount);
    }
    stores[storeCount++] = cells;
    last = cells;
    return cells;
  }

  /** Cells of one store, behind room for the headers that a batch of one group needs. */
  private static final class StoreCells {
    static final int START = BatchLayout.GROUP_COUNT_BYTES + BatchLayout.GROUP_HEADER_BYTES;

    final Store store;
    final boolean deletesRanges;
    ByteBuffer buffer;
    int count;

    /** Whether the length of its tags follows each cell. */
    boolean tagged;

    private int end = START;

    /** Bytes of the tags and of their lengths. */
    private int tagBytes;

    StoreCells(Store store, boolean deletesRanges, int bytesExpected) {
      this.store = store;
      this.deletesRanges = deletesRanges;
      this.buffer = ByteBuffer.allocate(START + bytesExpected);
    }

    int cellBytes() {
      return end - START;
    }

    /** Returns the bytes of rows, qualifiers and values. */
    long contentBytes() {
      return cellBytes() - tagBytes - (long) count * KeyValueLayout.CELL_OVERHEAD_BYTES;
    }

    /** Enlarges the buffer, up to the bytes that a batch may have. */
    void makeRoom(int bytes, int bytesMax) {
      if (buffer.capacity() - end < bytes) {
        int needed = Math.addExact(end, bytes);
        long most = Math.max(needed, (long) START + bytesMax);
        int capacity =
            (int) Math.min(Integer.MAX_VALUE - 8, Math.min(most, Math.max(needed, 2L * end)));
        buffer = ByteBuffer.wrap(Arrays.copyOf(buffer.array(), capacity));
      }
    }

    void add(ByteBuffer source, int offset, int bytes, boolean hasTags) {
      buffer.put(end, source, offset, bytes);
      end += bytes;
      if (hasTags) {
        tagBytes += bytes - KeyValueLayout.length(source, offset);
      } else if (tagged) {
        buffer.putShort(end, (short) 0);
        end += Short.BYTES;
        tagBytes += Short.BYTES;
      }
      count++;
    }

    /** Inserts the length of the tags, 0, behind each cell. There is room for it. */
    void makeTagged() {
      if (tagged) {
        return;
      }
      tagged = true;
      ByteBuffer untagged = ByteBuffer.wrap(Arrays.copyOf(buffer.array(), end));
      int from = START;
      for (int at = START; from < untagged.limit(); at += Short.BYTES) {
        int length = KeyValueLayout.length(untagged, from);
        buffer.put(at, untagged, from, length);
        buffer.putShort(at + length, (short) 0);
        from += length;
        at += length;
      }
      end += count * Short.BYTES;
      tagBytes += count * Short.BYTES;
    }

    void add(
        byte[] row, byte[] qualifier, long timestamp, CellType type, byte[] value, byte[] tags) {
      end +=
          KeyValueLayout.write(
              buffer, end, row, NO_FAMILY, qualifier, timestamp, type.code() & 0xFF, value);
      if (tagged) {
        int written = CellTags.write(buffer, end, tags);
        end += written;
        tagBytes += written;
      }
      count++;
    }
  }
}
