// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.commit;

import io.accordiondb.Compression;
import io.accordiondb.ValueTooLargeException;
import io.accordiondb.encoding.BatchFormat;
import io.accordiondb.encoding.CellType;
import io.accordiondb.encoding.KeyValueLayout;
import io.accordiondb.internal.region.Region;
import io.accordiondb.internal.region.Store;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Encodes cells into a {@link Batch}, grouped by store. Belongs to one thread; used once. */
public final class BatchBuilder {
  private static final Region[] NO_REGIONS = {};

  private final int bytesExpected;
  private final int bytesMax;
  private StoreCells[] stores = new StoreCells[1];
  private int storeCount;
  private @Nullable StoreCells last;
  private int[] rowHashes = new int[1];
  private int rowCount;

  /** In the order in which they were added, of neighbours only one; null for none. */
  private @Nullable List<Region> regions;

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

  /** Notes that cells which follow delete rows of a region in all of its families. */
  public void addRegion(Region region) {
    if (regions == null) {
      regions = new ArrayList<>();
    }
    if (regions.isEmpty() || regions.get(regions.size() - 1) != region) {
      regions.add(region);
    }
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
    if (target == null || target.store() != store || target.deletesRanges() != deletesRange) {
      target = cellsOf(store, deletesRange);
    }
    boolean hasTags = tags.length > 0;
    int bytes = KeyValueLayout.length(row.length, 0, qualifier.length, value.length);
    long added = (long) bytes + (hasTags || target.isTagged() ? Short.BYTES + tags.length : 0);
    if (hasTags && !target.isTagged()) {
      added += (long) target.cellCount() * Short.BYTES;
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
    int tagLengths =
        hasTags ? (target.isTagged() ? 0 : target.cellCount()) : (target.isTagged() ? 1 : 0);
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
    StoreCells[] groups = storeCount == stores.length ? stores : Arrays.copyOf(stores, storeCount);
    ByteBuffer payload =
        groups.length == 1 ? groups[0].buffer() : ByteBuffer.allocate(payloadBytes(groups));
    payload.putInt(0, groups.length);
    int end = BatchLayout.GROUP_COUNT_BYTES;
    int cellCount = 0;
    boolean deletesRanges = false;
    for (StoreCells cells : groups) {
      int start = end + BatchLayout.GROUP_HEADER_BYTES;
      if (groups.length > 1) {
        cells.moveTo(payload, start);
      }
      cells.writeHeader();
      end = start + cells.bytes();
      deletesRanges |= cells.deletesRanges();
      cellCount += cells.cellCount();
    }
    payload.position(0).limit(end);
    ByteBuffer logged =
        compression == Compression.NONE ? payload : BatchCompression.compress(payload);
    return new Batch(
        payload,
        logged,
        Batch.crcOf(logged),
        cellCount,
        groups,
        regions == null ? NO_REGIONS : regions.toArray(NO_REGIONS),
        rowCount == rowHashes.length ? rowHashes : Arrays.copyOf(rowHashes, rowCount),
        deletesRanges,
        timeMillis,
        postponable);
  }

  private static int payloadBytes(StoreCells[] groups) {
    int bytes = BatchLayout.GROUP_COUNT_BYTES;
    for (StoreCells cells : groups) {
      bytes = Math.addExact(bytes, BatchLayout.GROUP_HEADER_BYTES + cells.bytes());
    }
    return bytes;
  }

  /**
   * Returns the group to which cells of a store are added. Range tombstones and other cells are
   * kept apart; the changes of a store stay in their order.
   */
  private StoreCells cellsOf(Store store, boolean deletesRanges) {
    for (int i = storeCount - 1; i >= 0; i--) {
      StoreCells cells = stores[i];
      if (cells.store() == store) {
        if (cells.deletesRanges() == deletesRanges) {
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
}
