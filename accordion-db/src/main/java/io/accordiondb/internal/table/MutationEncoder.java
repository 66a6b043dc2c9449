// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.table;

import io.accordiondb.Cell;
import io.accordiondb.CellLimits;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.Delete;
import io.accordiondb.DeleteRange;
import io.accordiondb.FamilyDescriptor;
import io.accordiondb.FamilyNotFoundException;
import io.accordiondb.Mutation;
import io.accordiondb.RowTooLongException;
import io.accordiondb.ValueTooLargeException;
import io.accordiondb.encoding.CellTags;
import io.accordiondb.encoding.CellType;
import io.accordiondb.encoding.KeyValueLayout;
import io.accordiondb.internal.commit.Batch;
import io.accordiondb.internal.commit.BatchBuilder;
import io.accordiondb.internal.read.RowRange;
import io.accordiondb.internal.region.Region;
import io.accordiondb.internal.region.Store;
import io.accordiondb.internal.region.TableState;
import io.accordiondb.retention.KeepDeletedCells;
import io.accordiondb.retention.VersionRules;
import java.util.Arrays;
import java.util.List;

/**
 * Encodes mutations into a batch: it checks lengths, finds the stores, and fills in the time of the
 * write. Belongs to one thread; used once.
 */
public final class MutationEncoder implements TableWrites.Target {
  private static final byte[] NO_BYTES = {};

  private final DatabaseOptions options;
  private final long nowMillis;
  private final BatchBuilder builder;

  /** Whether a cell was written with the very timestamp that cells without one get. */
  private boolean anyDatedNow;

  /**
   * Creates an encoder.
   *
   * @param bytesExpected approximate number of bytes of the batch
   */
  public MutationEncoder(DatabaseOptions options, long nowMillis, int bytesExpected) {
    this(options, nowMillis, bytesExpected, options.batchBytesMax());
  }

  private MutationEncoder(
      DatabaseOptions options, long nowMillis, int bytesExpected, int batchBytesMax) {
    this.options = options;
    this.nowMillis = nowMillis;
    this.builder = new BatchBuilder(bytesExpected, batchBytesMax);
  }

  /**
   * Creates an encoder of cells that together are within the limit of a batch. It accepts what the
   * batch adds to them: headers of groups, and the lengths of tags.
   *
   * @param bytesExpected approximate number of bytes of the batch
   */
  public static MutationEncoder ofLimitedCells(
      DatabaseOptions options, long nowMillis, int bytesExpected) {
    return new MutationEncoder(options, nowMillis, bytesExpected, Integer.MAX_VALUE);
  }

  /** Returns the approximate number of bytes of encoded mutations. */
  static long bytesExpected(List<? extends Mutation> mutations) {
    long bytes = 0;
    for (int i = 0; i < mutations.size(); i++) {
      bytes += bytesExpected(mutations.get(i));
    }
    return bytes;
  }

  /** Returns the approximate number of bytes of an encoded mutation. */
  static long bytesExpected(Mutation mutation) {
    long bytes = mutation instanceof DeleteRange range ? bytesOf(range) : 0;
    List<Cell> cells = mutation.cells();
    // No iterators here and in add(), because each write would have to allocate them.
    for (int i = 0; i < cells.size(); i++) {
      Cell cell = cells.get(i);
      bytes += KeyValueLayout.length(cell.row().length, 0, cell.qualifier().length, 0);
      bytes += cell.value().length;
      bytes += cell.tags().length > 0 ? Short.BYTES + cell.tags().length : 0;
    }
    return bytes;
  }

  private static long bytesOf(DeleteRange range) {
    return KeyValueLayout.length(0, 0, 0, 0) + range.startRow().length + range.stopRow().length;
  }

  @Override
  public void add(TableState table, Mutation mutation) throws FamilyNotFoundException {
    if (mutation instanceof DeleteRange range) {
      addRange(table, range);
      return;
    }
    byte[] row = mutation.row();
    checkRow(row, options);
    Region region = table.regions().regionOf(row);
    builder.addRow(row);
    if (mutation instanceof Delete delete && delete.cells().isEmpty()) {
      builder.addRegion(region);
      for (Store store : region.stores()) {
        checkMarker(store, CellType.DELETE_FAMILY, delete.timestamp());
        long timestamp = resolved(delete.timestamp());
        builder.add(
            store, row, NO_BYTES, timestamp, CellType.DELETE_FAMILY, NO_BYTES, CellTags.NONE);
      }
      return;
    }
    List<Cell> cells = mutation.cells();
    for (int i = 0; i < cells.size(); i++) {
      Cell cell = cells.get(i);
      addCell(table.store(region, cell.family()), cell);
    }
  }

  /** Adds a tombstone for each family of each region that has rows of a range. */
  private void addRange(TableState table, DeleteRange range) {
    byte[] start = RowBounds.lowestRowFrom(range.startRow());
    byte[] stop = RowBounds.lowestRowFrom(range.stopRow());
    if (start == null) {
      return;
    }
    for (Region region : table.regions().regions()) {
      byte[] from = RowRange.higher(start, region.startKey());
      byte[] to = RowRange.lower(stop == null ? NO_BYTES : stop, region.endKey());
      if (to.length > 0 && Arrays.compareUnsigned(from, to) >= 0) {
        continue;
      }
      builder.addRegion(region);
      for (Store store : region.stores()) {
        builder.add(store, from, NO_BYTES, nowMillis, CellType.DELETE_RANGE, to, CellTags.NONE);
      }
    }
  }

  @Override
  public void add(TableState table, Store store, Cell cell) {
    addCell(store, cell);
  }

  private void addCell(Store store, Cell cell) {
    checkCell(store, cell, options);
    builder.add(
        store,
        cell.row(),
        cell.qualifier(),
        resolved(cell.timestamp()),
        cell.type(),
        cell.value(),
        cell.tags());
  }

  @Override
  public void addRow(byte[] row) {
    checkRow(row, options);
    builder.addRow(row);
  }

  /** Throws an exception if a row is too long to be written. */
  public static void checkRow(byte[] row, DatabaseOptions options) {
    if (row.length > options.rowBytesMax()) {
      throw new RowTooLongException(row.length, options.rowBytesMax());
    }
  }

  /**
   * Throws an exception if the qualifier or the value of a cell is too long to be written, or if
   * the merge operator or the rules of the family do not allow the cell.
   */
  public static void checkCell(Store store, Cell cell, DatabaseOptions options) {
    if (cell.type() != CellType.PUT) {
      checkMarker(store, cell.type(), cell.timestamp());
    }
    if (cell.ttlMillis() != VersionRules.FOREVER) {
      checkMayExpire(store.descriptor());
    }
    CellLimits.checkQualifier(cell.qualifier());
    if (cell.value().length > options.valueBytesMax()) {
      throw new ValueTooLargeException("the value", cell.value().length, options.valueBytesMax());
    }
  }

  private static void checkMayExpire(FamilyDescriptor family) {
    boolean merges = family.mergeOperator() != null;
    if (merges || family.versionRules().keepDeleted() != KeepDeletedCells.FALSE) {
      throw new IllegalArgumentException(
          "family "
              + family.name()
              + (merges ? " has a merge operator" : " keeps deleted cells")
              + ", so its cells cannot have a time to live of their own");
    }
  }

  /**
   * Throws an exception for an operand in a family without a merge operator, and for a marker of
   * single versions in a family with one.
   */
  public static void checkMarker(Store store, CellType type, long timestamp) {
    boolean merges = store.descriptor().mergeOperator() != null;
    if (type == CellType.MERGE && !merges) {
      throw new IllegalArgumentException(
          "family " + store.descriptor().name() + " has no merge operator");
    }
    if (type != CellType.MERGE && merges) {
      boolean all = type == CellType.DELETE_COLUMN || type == CellType.DELETE_FAMILY;
      if (!all || timestamp < TableHandle.ALL_TIMESTAMPS) {
        throw new IllegalArgumentException(
            "family "
                + store.descriptor().name()
                + " has a merge operator, so its columns have no versions to choose from; delete"
                + " whole columns, without a timestamp");
      }
    }
  }

  /** Returns whether no cell was added. */
  public boolean isEmpty() {
    return builder.isEmpty();
  }

  /** Returns the batch. */
  public Batch build() {
    Batch batch = builder.build(options.logCompression(), nowMillis, !anyDatedNow);
    if (batch.payload().limit() > builder.bytesMax()) {
      throw new ValueTooLargeException("the batch", batch.payload().limit(), builder.bytesMax());
    }
    return batch;
  }

  private long resolved(long timestamp) {
    anyDatedNow |= timestamp == nowMillis;
    return timestamp == Mutation.LATEST_TIMESTAMP ? nowMillis : timestamp;
  }
}
