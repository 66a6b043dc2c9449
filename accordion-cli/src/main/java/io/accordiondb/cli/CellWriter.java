// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli;

import io.accordiondb.Cell;
import io.accordiondb.FamilyDescriptor;
import io.accordiondb.Put;
import io.accordiondb.Table;
import io.accordiondb.TableDescriptor;
import io.accordiondb.encoding.CellTags;
import io.accordiondb.retention.KeepDeletedCells;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes puts into a table, in batches. All versions of a column must come one behind another, in
 * any order. Not thread-safe.
 *
 * <p>A put that expires goes on hiding what was written before it with a lower timestamp, so it
 * must be written behind all older versions of its column. An export lists the newest version
 * first. So such puts are held back until their column ends; the older ones, which pass them, need
 * no memory.
 */
final class CellWriter {
  private static final int CELLS_AT_ONCE = 1000;
  private static final int BYTES_AT_ONCE = 1 << 20;

  private final Table table;
  private final TableDescriptor descriptor;
  private final BatchListener listener;

  private final List<Put> batch = new ArrayList<>();
  private long batchBytes;

  /** Versions of the column of {@link #last} that are written when it ends. */
  private final List<Cell> held = new ArrayList<>();

  private long lowestHeld = Long.MAX_VALUE;
  private @Nullable Cell last;

  /**
   * Creates a writer.
   *
   * @param descriptor of the table
   * @param listener is called behind each batch
   */
  CellWriter(Table table, TableDescriptor descriptor, BatchListener listener) {
    this.table = table;
    this.descriptor = descriptor;
    this.listener = listener;
  }

  /**
   * Returns a cell if its family takes it.
   *
   * @throws IOException if it has a time to live and its family accepts none; says what to do
   */
  Cell check(Cell cell) throws IOException {
    FamilyDescriptor family = family(cell);
    if (family == null || cell.ttlMillis() == CellTags.FOREVER) {
      return cell;
    }
    boolean merges = family.mergeOperator() != null;
    if (merges || family.versionRules().keepDeleted() != KeepDeletedCells.FALSE) {
      throw new IOException(
          "family "
              + family.name()
              + (merges ? " has a merge operator" : " keeps deleted cells")
              + ", so its cells cannot have a time to live of their own; alter the family of table "
              + descriptor.name()
              + ", import again, and alter it back");
    }
    return cell;
  }

  private @Nullable FamilyDescriptor family(Cell cell) {
    return descriptor.family(new String(cell.family(), StandardCharsets.US_ASCII));
  }

  /** Adds a put. */
  void add(Cell cell) throws IOException {
    if (last != null && !isSameColumn(last, cell)) {
      endColumn();
    }
    last = cell;
    // What is not older than a cell held back waits too, so that of two cells of equal timestamp
    // the later one wins.
    if (mayExpire(cell) || cell.timestamp() >= lowestHeld) {
      held.add(cell);
      lowestHeld = Math.min(lowestHeld, cell.timestamp());
    } else {
      write(cell);
    }
  }

  private static boolean isSameColumn(Cell a, Cell b) {
    return Arrays.equals(a.row(), b.row()) && a.isOf(b.family(), b.qualifier());
  }

  /** Returns whether a cell may act as a delete later: when its time has passed, or by a filter. */
  private boolean mayExpire(Cell cell) {
    FamilyDescriptor family = family(cell);
    return cell.ttlMillis() != CellTags.FOREVER
        || (family != null && family.compactionFilter() != null);
  }

  private void endColumn() throws IOException {
    held.sort(Comparator.comparingLong(Cell::timestamp));
    for (Cell cell : held) {
      write(cell);
    }
    held.clear();
    lowestHeld = Long.MAX_VALUE;
  }

  private void write(Cell cell) throws IOException {
    batch.add(
        new Put(cell.row())
            .addColumn(
                cell.family(), cell.qualifier(), cell.timestamp(), cell.value(), cell.tags()));
    batchBytes +=
        cell.row().length + cell.qualifier().length + cell.value().length + cell.tags().length;
    if (batch.size() == CELLS_AT_ONCE || batchBytes >= BYTES_AT_ONCE) {
      writeBatch();
    }
  }

  /** Writes all that was added. */
  void finish() throws IOException {
    endColumn();
    writeBatch();
  }

  private void writeBatch() throws IOException {
    if (!batch.isEmpty()) {
      table.put(batch);
      batch.clear();
      batchBytes = 0;
    }
    listener.onBatch();
  }
}
