// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.table;

import io.accordiondb.Cell;
import io.accordiondb.CellLimits;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.Delete;
import io.accordiondb.FamilyNotFoundException;
import io.accordiondb.Mutation;
import io.accordiondb.RowTooLongException;
import io.accordiondb.ValueTooLargeException;
import io.accordiondb.encoding.CellType;
import io.accordiondb.encoding.KeyValueLayout;
import io.accordiondb.internal.commit.Batch;
import io.accordiondb.internal.commit.BatchBuilder;
import io.accordiondb.internal.region.Region;
import io.accordiondb.internal.region.Store;
import io.accordiondb.internal.region.TableState;
import java.util.List;

/**
 * Turns mutations into a batch: checks lengths, finds the stores, and fills in the time of the
 * write. Belongs to one thread; used once.
 */
public final class MutationEncoder implements TableWrites.Target {
  private static final byte[] NO_BYTES = {};

  private final DatabaseOptions options;
  private final long nowMillis;
  private final BatchBuilder builder;

  /**
   * Creates an encoder.
   *
   * @param bytesExpected about how many bytes the batch will have
   */
  public MutationEncoder(DatabaseOptions options, long nowMillis, int bytesExpected) {
    this.options = options;
    this.nowMillis = nowMillis;
    this.builder = new BatchBuilder(bytesExpected, options.batchBytesMax());
  }

  /** Returns about how many bytes a mutation has when it is encoded. */
  static long bytesExpected(Mutation mutation) {
    long bytes = 0;
    for (Cell cell : mutation.cells()) {
      bytes += KeyValueLayout.length(cell.row().length, 0, cell.qualifier().length, 0);
      bytes += cell.value().length;
    }
    return bytes;
  }

  @Override
  public void add(TableState table, Mutation mutation) throws FamilyNotFoundException {
    byte[] row = mutation.row();
    checkRow(row, options);
    Region region = table.regions().regionOf(row);
    builder.addRow(row);
    if (mutation instanceof Delete delete && delete.cells().isEmpty()) {
      for (Store store : region.stores()) {
        long timestamp = resolved(delete.timestamp());
        builder.add(store, row, NO_BYTES, timestamp, CellType.DELETE_FAMILY, NO_BYTES);
      }
      return;
    }
    List<Cell> cells = mutation.cells();
    for (int i = 0; i < cells.size(); i++) {
      Cell cell = cells.get(i);
      addCell(table.store(region, cell.family()), cell);
    }
  }

  @Override
  public void add(TableState table, Store store, Cell cell) {
    addCell(store, cell);
  }

  private void addCell(Store store, Cell cell) {
    checkCell(cell, options);
    builder.add(
        store, cell.row(), cell.qualifier(), resolved(cell.timestamp()), cell.type(), cell.value());
  }

  @Override
  public void addRow(byte[] row) {
    checkRow(row, options);
    builder.addRow(row);
  }

  /** Throws for a row that is too long to be written. */
  public static void checkRow(byte[] row, DatabaseOptions options) {
    if (row.length > options.rowBytesMax()) {
      throw new RowTooLongException(row.length, options.rowBytesMax());
    }
  }

  /** Throws for a cell whose qualifier or value is too long to be written. */
  public static void checkCell(Cell cell, DatabaseOptions options) {
    CellLimits.checkQualifier(cell.qualifier());
    if (cell.value().length > options.valueBytesMax()) {
      throw new ValueTooLargeException("the value", cell.value().length, options.valueBytesMax());
    }
  }

  /** Returns whether no cell was added. */
  public boolean isEmpty() {
    return builder.isEmpty();
  }

  /** Returns the batch. */
  public Batch build() {
    Batch batch = builder.build(options.logCompression());
    if (batch.payload().limit() > options.batchBytesMax()) {
      throw new ValueTooLargeException(
          "the batch", batch.payload().limit(), options.batchBytesMax());
    }
    return batch;
  }

  private long resolved(long timestamp) {
    return timestamp == Mutation.LATEST_TIMESTAMP ? nowMillis : timestamp;
  }
}
