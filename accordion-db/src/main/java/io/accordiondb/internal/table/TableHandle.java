// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.table;

import io.accordiondb.Append;
import io.accordiondb.CellLimits;
import io.accordiondb.CheckAndMutate;
import io.accordiondb.CheckAndMutateResult;
import io.accordiondb.Get;
import io.accordiondb.Increment;
import io.accordiondb.Mutation;
import io.accordiondb.Result;
import io.accordiondb.ResultScanner;
import io.accordiondb.RowCursor;
import io.accordiondb.RowMutations;
import io.accordiondb.Scan;
import io.accordiondb.Snapshot;
import io.accordiondb.Table;
import io.accordiondb.TableDescriptor;
import io.accordiondb.WriteBatch;
import io.accordiondb.internal.function.IoFunction;
import io.accordiondb.internal.region.Region;
import io.accordiondb.internal.region.Store;
import io.accordiondb.internal.region.StoreClosedException;
import io.accordiondb.internal.region.TableState;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The table that an application holds. It has only a name, which each call looks up. Thread-safe.
 */
public final class TableHandle implements Table {
  /**
   * The timestamp of markers that also hide cells with timestamps in the future. Cells written
   * after the marker stay visible nevertheless.
   */
  public static final long ALL_TIMESTAMPS = Long.MAX_VALUE - 1;

  private final String name;
  private final OpenTables tables;
  private final TableReads reader;
  private final TableWrites writer;
  private final RowUpdates updates;

  public TableHandle(String name, OpenTables tables, TableReads reader, TableWrites writer) {
    this.name = name;
    this.tables = tables;
    this.reader = reader;
    this.writer = writer;
    this.updates = new RowUpdates(writer);
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public TableDescriptor descriptor() throws IOException {
    return reader.table(name).descriptor();
  }

  @Override
  public Result get(Get get) throws IOException {
    return withTable(get.snapshot(), table -> reader.get(table, get));
  }

  /**
   * Returns the value of a column's newest version, or null.
   *
   * @param snapshot the snapshot to read, or null for the present
   */
  byte @Nullable [] value(byte[] row, byte[] family, byte[] qualifier, @Nullable Snapshot snapshot)
      throws IOException {
    CellLimits.checkRow("get", row);
    while (true) {
      TableState table = reader.table(name, snapshot);
      try {
        return reader.value(table, row, family, qualifier, snapshot);
      } catch (StoreClosedException e) {
        tables.awaitChange();
      }
    }
  }

  @Override
  public List<Result> get(List<Get> gets) throws IOException {
    Snapshot snapshot = gets.isEmpty() ? null : gets.get(0).snapshot();
    return withTable(snapshot, table -> reader.getAll(table, gets));
  }

  @Override
  public ResultScanner scan(Scan scan) throws IOException {
    Scan own = ScanCopy.of(scan);
    RowScanner rows = scanRows(own);
    ResultScanner scanner = null;
    try {
      scanner = new TableScanner(rows, own);
      return scanner;
    } finally {
      if (scanner == null) {
        rows.close();
      }
    }
  }

  @Override
  public RowCursor cursor(Scan scan) throws IOException {
    if (scan.limit() < Long.MAX_VALUE || scan.batch() < Integer.MAX_VALUE || scan.reversed()) {
      throw new IllegalArgumentException("a cursor has no limit, batch or direction; scan instead");
    }
    Scan own = ScanCopy.of(scan);
    return new OpenRowCursor(() -> scanRows(own), own.filter());
  }

  /** Begins a scan whose rows the caller reads; the scan must not change until it ends. */
  RowScanner scanRows(Scan scan) throws IOException {
    return withTable(scan.snapshot(), table -> reader.scan(table, scan));
  }

  @Override
  public void mutate(List<? extends Mutation> mutations) throws IOException {
    if (mutations.size() == 1) {
      writer.write(List.of(new WriteBatch.Entry(name, mutations.get(0))), null);
      return;
    }
    List<WriteBatch.Entry> writes = new ArrayList<>(mutations.size());
    for (Mutation mutation : mutations) {
      writes.add(new WriteBatch.Entry(name, mutation));
    }
    writer.write(writes, null);
  }

  /** Returns the stores of a family, one for each region. */
  List<Store> stores(byte[] family) throws IOException {
    TableState table = reader.table(name);
    List<Store> stores = new ArrayList<>();
    for (Region region : table.regions().regions()) {
      stores.add(table.store(region, family));
    }
    return stores;
  }

  @Override
  public CheckAndMutateResult checkAndMutate(CheckAndMutate change) throws IOException {
    return updates.checkAndMutate(name, Objects.requireNonNull(change, "change"));
  }

  @Override
  public Result mutateRow(RowMutations mutations) throws IOException {
    Objects.requireNonNull(mutations, "mutations");
    return updates.mutate(name, mutations.row(), mutations.mutations());
  }

  @Override
  public Result increment(Increment increment) throws IOException {
    return updates.mutate(name, increment.row(), List.of(increment));
  }

  @Override
  public long increment(byte[] row, byte[] family, byte[] qualifier, long amount)
      throws IOException {
    Result result = increment(new Increment(row).addColumn(family, qualifier, amount));
    return ByteBuffer.wrap(result.cells().get(0).value()).getLong();
  }

  @Override
  public Result append(Append append) throws IOException {
    return updates.mutate(name, append.row(), List.of(append));
  }

  /**
   * Looks the table up and applies a function; repeats this if the table was changed or dropped at
   * the same time.
   */
  private <T> T withTable(@Nullable Snapshot snapshot, IoFunction<TableState, T> function)
      throws IOException {
    while (true) {
      TableState table = reader.table(name, snapshot);
      try {
        return function.apply(table);
      } catch (StoreClosedException e) {
        tables.awaitChange();
      }
    }
  }
}
