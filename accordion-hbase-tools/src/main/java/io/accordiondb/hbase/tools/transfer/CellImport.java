// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.tools.transfer;

import io.accordiondb.Cell;
import io.accordiondb.CellLimits;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.Delete;
import io.accordiondb.Durability;
import io.accordiondb.Mutation;
import io.accordiondb.Put;
import io.accordiondb.RowTooLongException;
import io.accordiondb.Table;
import io.accordiondb.ValueTooLargeException;
import io.accordiondb.encoding.CellType;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Writes the cells of a family into a table, in batches, past the log: they are durable after the
 * next flush.
 *
 * <p>Cells must come in the order of their keys. The import writes the puts of a row before its
 * markers, because a marker of the database hides only what was written before it, and one of
 * HBase's hides all. Not thread-safe.
 */
final class CellImport {
  private static final int CELLS_AT_ONCE = 1000;
  private static final int BYTES_AT_ONCE = 1 << 20;

  private final Table table;
  private final DatabaseOptions limits;
  private final List<Mutation> batch = new ArrayList<>();
  private final List<Mutation> markers = new ArrayList<>();
  private byte[] row = {};
  private byte[] lastPutRow = {};
  private int batchBytes;
  private long bytes;

  CellImport(Table table, DatabaseOptions limits) {
    this.table = table;
    this.limits = limits;
  }

  /**
   * Adds a cell.
   *
   * @throws IOException if the database cannot hold it
   */
  void add(Cell cell) throws IOException {
    check(cell);
    if (!Arrays.equals(row, cell.row())) {
      endRow();
      row = cell.row();
    }
    if (cell.type() == CellType.PUT) {
      batch.add(
          new Put(row)
              .addColumn(
                  cell.family(), cell.qualifier(), cell.timestamp(), cell.value(), cell.tags())
              .setDurability(Durability.SKIP));
      lastPutRow = row;
    } else {
      markers.add(marker(cell));
    }
    batchBytes += row.length + cell.qualifier().length + cell.value().length;
    if (batch.size() >= CELLS_AT_ONCE || batchBytes >= BYTES_AT_ONCE) {
      write();
    }
  }

  private void check(Cell cell) throws IOException {
    try {
      CellLimits.checkTimestamp(cell.timestamp());
      if (cell.row().length > limits.rowBytesMax()) {
        throw new RowTooLongException(cell.row().length, limits.rowBytesMax());
      }
      CellLimits.checkRow("import", cell.row());
      CellLimits.checkQualifier(cell.qualifier());
      if (cell.value().length > limits.valueBytesMax()) {
        throw new ValueTooLargeException("the value", cell.value().length, limits.valueBytesMax());
      }
    } catch (IllegalArgumentException e) {
      throw new IOException("cell " + cell + " cannot be imported: " + e.getMessage(), e);
    }
  }

  private static Mutation marker(Cell cell) {
    Delete delete = new Delete(cell.row()).setDurability(Durability.SKIP);
    return switch (cell.type()) {
      case DELETE -> delete.addColumn(cell.family(), cell.qualifier(), cell.timestamp());
      case DELETE_COLUMN -> delete.addColumns(cell.family(), cell.qualifier(), cell.timestamp());
      case DELETE_FAMILY -> delete.addFamily(cell.family(), cell.timestamp());
      case DELETE_FAMILY_VERSION -> delete.addFamilyVersion(cell.family(), cell.timestamp());
      case PUT, DELETE_RANGE, MERGE ->
          throw new IllegalArgumentException(cell + " is no marker that HBase has");
    };
  }

  private void endRow() {
    batch.addAll(markers);
    markers.clear();
  }

  /** Writes all that was added. */
  void finish() throws IOException {
    endRow();
    write();
  }

  private void write() throws IOException {
    try {
      if (!batch.isEmpty()) {
        table.mutate(batch);
      }
    } catch (IllegalArgumentException e) {
      throw new IOException("table " + table.name() + " refuses a cell: " + e.getMessage(), e);
    }
    batch.clear();
    bytes += batchBytes;
    batchBytes = 0;
  }

  /** Returns the bytes of rows, qualifiers and values that were written. */
  long bytes() {
    return bytes;
  }

  /** Returns the row of the last put; empty if there was none. */
  byte[] lastPutRow() {
    return lastPutRow;
  }
}
