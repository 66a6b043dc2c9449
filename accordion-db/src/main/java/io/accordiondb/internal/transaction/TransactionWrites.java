// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.transaction;

import io.accordiondb.Cell;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.Delete;
import io.accordiondb.DeleteRange;
import io.accordiondb.Durability;
import io.accordiondb.FamilyNotFoundException;
import io.accordiondb.Get;
import io.accordiondb.Mutation;
import io.accordiondb.Result;
import io.accordiondb.ResultScanner;
import io.accordiondb.Scan;
import io.accordiondb.ValueTooLargeException;
import io.accordiondb.WriteBatch;
import io.accordiondb.encoding.CellType;
import io.accordiondb.internal.clock.DatabaseClock;
import io.accordiondb.internal.function.IoSupplier;
import io.accordiondb.internal.read.PendingCells;
import io.accordiondb.internal.read.PendingView;
import io.accordiondb.internal.region.Region;
import io.accordiondb.internal.region.Store;
import io.accordiondb.internal.region.StoreClosedException;
import io.accordiondb.internal.region.TableState;
import io.accordiondb.internal.table.MutationEncoder;
import io.accordiondb.internal.table.Mutations;
import io.accordiondb.internal.table.OpenTables;
import io.accordiondb.internal.table.TableHandle;
import io.accordiondb.internal.table.TableReader;
import io.accordiondb.internal.table.TableWrites;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Adds writes to a transaction. Each write is added as a whole or, if it throws, not at all. A cell
 * without a timestamp has no final timestamp until the commit. Until then all such cells have the
 * time of the transaction's first write, so that they form the same number of versions as after the
 * commit. Belongs to one thread.
 */
final class TransactionWrites implements TableWrites {
  private static final byte[] NO_BYTES = {};

  /** The number of cells, and the strongest durability that any of them requests. */
  record Mark(int cells, @Nullable Durability durability) {}

  private final OpenTables tables;
  private final TransactionReads reads;
  private final Supplier<DatabaseOptions> options;
  private final DatabaseClock clock;
  private final TransactionState state;

  /** The time of the first write; -1 before it. */
  private long nowMillis = -1;

  private @Nullable Durability durability;

  TransactionWrites(
      OpenTables tables,
      TransactionReads reads,
      Supplier<DatabaseOptions> options,
      DatabaseClock clock,
      TransactionState state) {
    this.tables = tables;
    this.reads = reads;
    this.options = options;
    this.clock = clock;
    this.state = state;
  }

  /** Returns the present point. */
  Mark mark() {
    return new Mark(state.pending().cells().size(), durability);
  }

  /** Discards the writes after a point. */
  void rollbackTo(Mark mark) {
    durability = mark.durability;
    state.pending().truncate(mark.cells);
  }

  /** Returns the strongest durability that any write has requested. */
  Durability durability() {
    Durability strongest = durability;
    return strongest == null ? options.get().durability() : strongest;
  }

  @Override
  public DatabaseOptions options() {
    return options.get();
  }

  @Override
  public void write(List<WriteBatch.Entry> writes, @Nullable Durability asked) throws IOException {
    begin();
    if (writes.isEmpty()) {
      return;
    }
    PendingView before = state.pending().view();
    whole(
        () -> {
          for (WriteBatch.Entry write : writes) {
            TableState table = reads.table(write.table());
            if (write.mutation() instanceof DeleteRange range) {
              deleteRows(table, range);
            } else {
              Mutations.add(
                  table, write.mutation(), new OwnReading(table, before), new PendingTarget());
            }
          }
          strengthen(asked == null ? Mutations.strongestOf(options.get(), writes) : asked);
          return true;
        });
  }

  @Override
  public boolean readModifyWrite(
      String tableName,
      byte[] row,
      @Nullable Durability asked,
      long bytesExpected,
      Modification modification)
      throws IOException {
    begin();
    PendingView before = state.pending().view();
    return whole(
        () -> {
          TableState table = reads.table(tableName);
          if (!modification.apply(table, new OwnReading(table, before), new PendingTarget())) {
            return false;
          }
          strengthen(asked == null ? options.get().durability() : asked);
          return true;
        });
  }

  /** Deletes the rows that the transaction sees in a range, one by one. */
  private void deleteRows(TableState table, DeleteRange range) throws IOException {
    Scan scan = new Scan().setStartRow(range.startRow()).setStopRow(range.stopRow());
    List<byte[]> rows = new ArrayList<>();
    try (ResultScanner scanner = new TableHandle(table.name(), tables, reads, this).scan(scan)) {
      for (Result row = scanner.next(); row != null; row = scanner.next()) {
        rows.add(row.row());
      }
    }
    PendingTarget target = new PendingTarget();
    for (byte[] row : rows) {
      target.add(table, new Delete(row, TableHandle.ALL_TIMESTAMPS));
    }
  }

  private void begin() throws IOException {
    state.check();
    tables.checkWritable();
    if (nowMillis < 0) {
      nowMillis = clock.nextTimestamp();
    }
  }

  /** Adds a write as a whole or not at all; repeats it if a table is changed at the same time. */
  private boolean whole(IoSupplier<Boolean> write) throws IOException {
    Mark mark = mark();
    while (true) {
      boolean done = false;
      try {
        boolean written = write.get();
        done = true;
        return written;
      } catch (StoreClosedException e) {
        tables.awaitChange();
      } finally {
        if (!done) {
          rollbackTo(mark);
        }
      }
    }
  }

  private void strengthen(Durability asked) {
    Durability before = durability;
    durability = before == null || asked.compareTo(before) > 0 ? asked : before;
  }

  /** Reads as of the beginning of a write, without the cells that this write has added so far. */
  private final class OwnReading implements Reading {
    private final TableState table;
    private final @Nullable PendingView pending;

    OwnReading(TableState table, @Nullable PendingView pending) {
      this.table = table;
      this.pending = pending;
    }

    @Override
    public Result get(Get get) throws IOException {
      return reads.get(table, get, pending);
    }

    @Override
    public long nowMillis() {
      return nowMillis;
    }

    @Override
    public long written(long timestamp) {
      return timestamp == nowMillis ? Mutation.LATEST_TIMESTAMP : timestamp;
    }

    @Override
    public long written(Cell stored) throws IOException {
      Store store = table.store(table.regions().regionOf(stored.row()), stored.family());
      boolean undated =
          pending != null
              && pending.isUndated(
                  TableReader.familyOf(table, store),
                  stored.row(),
                  stored.qualifier(),
                  stored.timestamp());
      return undated ? Mutation.LATEST_TIMESTAMP : stored.timestamp();
    }
  }

  /** Adds cells to those that are pending, within the limits of a batch. */
  private final class PendingTarget implements Target {
    @Override
    public void add(TableState table, Mutation mutation) throws FamilyNotFoundException {
      byte[] row = mutation.row();
      addRow(row);
      Region region = table.regions().regionOf(row);
      if (mutation instanceof Delete delete && delete.cells().isEmpty()) {
        for (Store store : region.stores()) {
          add(
              table,
              store,
              new Cell(
                  row,
                  store.family(),
                  NO_BYTES,
                  delete.timestamp(),
                  CellType.DELETE_FAMILY,
                  NO_BYTES));
        }
        return;
      }
      for (Cell cell : mutation.cells()) {
        add(table, table.store(region, cell.family()), cell);
      }
    }

    @Override
    public void addRow(byte[] row) {
      MutationEncoder.checkRow(row, options.get());
    }

    @Override
    public void add(TableState table, Store store, Cell cell) {
      MutationEncoder.checkCell(store, cell, options.get());
      PendingCells pending = state.pending();
      boolean undated = cell.timestamp() == Mutation.LATEST_TIMESTAMP;
      pending.add(
          TableReader.familyOf(table, store),
          table.name(),
          store.family(),
          cell.row(),
          cell.qualifier(),
          undated ? nowMillis : cell.timestamp(),
          cell.type(),
          cell.value(),
          cell.tags(),
          undated);
      if (pending.bytes() > options.get().batchBytesMax()) {
        throw new ValueTooLargeException(
            "the batch", pending.bytes(), options.get().batchBytesMax());
      }
    }
  }
}
