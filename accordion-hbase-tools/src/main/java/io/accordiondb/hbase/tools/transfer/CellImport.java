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
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes the cells of a family into a table, in batches, past the log: they are durable after the
 * next flush.
 *
 * <p>Cells must come in the order of their keys. The import writes the puts of a row before its
 * markers, because a marker of the database hides only what was written before it, and one of
 * HBase's hides all.
 *
 * <p>An expired put of the database hides only what was written before it, too; one of HBase's
 * hides nothing. So the import writes the versions of a column oldest first if the database
 * exported them, and newest first, as they come, if they are HBase's. Not thread-safe.
 */
final class CellImport implements Closeable {
  private static final int CELLS_AT_ONCE = 1000;
  private static final int BYTES_AT_ONCE = 1 << 20;
  private static final int HELD_BYTES = 16 << 20;

  private final Table table;
  private final DatabaseOptions limits;

  /** The puts of the present column; null if they are written as they come. */
  private final @Nullable ReversedVersions held;

  private final List<Mutation> batch = new ArrayList<>();
  private final List<Mutation> markers = new ArrayList<>();
  private byte[] row = {};
  private byte[] family = {};
  private byte[] qualifier = {};
  private int batchBytes;
  private long bytes;

  /**
   * Creates an import.
   *
   * @param oldestFirst whether a put that expires hides the older versions of its column then
   */
  CellImport(Table table, DatabaseOptions limits, boolean oldestFirst) {
    this.table = table;
    this.limits = limits;
    this.held = oldestFirst ? new ReversedVersions(HELD_BYTES) : null;
  }

  /**
   * Adds a cell.
   *
   * @throws IOException if the database cannot hold it
   */
  void add(Cell cell) throws IOException {
    check(cell);
    boolean isNewRow = !Arrays.equals(row, cell.row());
    if (isNewRow || !Arrays.equals(qualifier, cell.qualifier())) {
      endColumn();
      qualifier = cell.qualifier();
      family = cell.family();
    }
    if (isNewRow) {
      endRow();
      row = cell.row();
    }
    if (cell.type() != CellType.PUT) {
      markers.add(marker(cell));
      count(cell.value(), cell.tags());
    } else if (held != null) {
      held.add(new ReversedVersions.Version(cell.timestamp(), cell.value(), cell.tags()));
    } else {
      put(cell.timestamp(), cell.value(), cell.tags());
    }
  }

  private void put(long timestamp, byte[] value, byte[] tags) throws IOException {
    batch.add(
        new Put(row)
            .addColumn(family, qualifier, timestamp, value, tags)
            .setDurability(Durability.SKIP));
    count(value, tags);
  }

  private void count(byte[] value, byte[] tags) throws IOException {
    batchBytes += row.length + qualifier.length + value.length + tags.length;
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
      throw new IOException(
          "cell " + HBaseCells.keyOf(cell) + " cannot be imported: " + e.getMessage(), e);
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
          throw new IllegalArgumentException(
              HBaseCells.keyOf(cell) + " is no marker that HBase has");
    };
  }

  private void endColumn() throws IOException {
    if (held != null) {
      held.drain(version -> put(version.timestamp(), version.value(), version.tags()));
    }
  }

  private void endRow() {
    batch.addAll(markers);
    markers.clear();
  }

  /** Writes all that was added. */
  void finish() throws IOException {
    endColumn();
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

  /** Returns the bytes of rows, qualifiers, values and tags that were written. */
  long bytes() {
    return bytes;
  }

  @Override
  public void close() throws IOException {
    if (held != null) {
      held.close();
    }
  }
}
