// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.transaction;

import io.accordiondb.Get;
import io.accordiondb.Query;
import io.accordiondb.Result;
import io.accordiondb.Scan;
import io.accordiondb.Snapshot;
import io.accordiondb.internal.commit.ReadPoints;
import io.accordiondb.internal.read.PendingView;
import io.accordiondb.internal.region.TableState;
import io.accordiondb.internal.table.OpenTables;
import io.accordiondb.internal.table.RowScanner;
import io.accordiondb.internal.table.ScanObserver;
import io.accordiondb.internal.table.TableReader;
import io.accordiondb.internal.table.TableReads;
import io.accordiondb.internal.transaction.ReadSet.TableKey;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads from a transaction's snapshot merged with its own writes, and records what is read if the
 * commit must check it. Belongs to one thread.
 */
final class TransactionReads implements TableReads {
  private final OpenTables tables;
  private final TableReader reader;
  private final ReadPoints readPoints;
  private final TransactionState state;
  private final @Nullable ReadSet noted;

  /** Represents the transaction's snapshot in scans that this class creates. */
  private final Snapshot own = new OwnSnapshot();

  /**
   * Creates reads.
   *
   * @param noted receives the rows that are read; null if the commit does not check them
   */
  TransactionReads(
      OpenTables tables,
      TableReader reader,
      ReadPoints readPoints,
      TransactionState state,
      @Nullable ReadSet noted) {
    this.tables = tables;
    this.reader = reader;
    this.readPoints = readPoints;
    this.state = state;
    this.noted = noted;
  }

  @Override
  public TableState table(String name) throws IOException {
    state.check();
    return tables.get(name);
  }

  @Override
  public Snapshot snapshot() {
    state.check();
    return own;
  }

  @Override
  public Result get(TableState table, Get get) throws IOException {
    refuseSnapshot(get);
    return get(table, get, state.pending().view());
  }

  /** Returns the result of a get from the transaction's snapshot and some of its writes. */
  Result get(TableState table, Get get, @Nullable PendingView pending) throws IOException {
    state.check();
    note(table, get.row());
    return reader.get(table, get, state.snapshot().sequence(), pending);
  }

  @Override
  public List<Result> getAll(TableState table, List<Get> gets) throws IOException {
    List<Result> results = new ArrayList<>(gets.size());
    for (Get get : gets) {
      results.add(get(table, get));
    }
    return results;
  }

  @Override
  public byte @Nullable [] value(
      TableState table, byte[] row, byte[] family, byte[] qualifier, @Nullable Snapshot snapshot)
      throws IOException {
    state.check();
    refuse(snapshot);
    note(table, row);
    return reader.value(
        table, row, family, qualifier, state.snapshot().sequence(), state.pending().view());
  }

  @Override
  public RowScanner scan(TableState table, Scan scan) throws IOException {
    state.check();
    refuseSnapshot(scan);
    RowRangeRead range = new RowRangeRead(scan);
    if (noted != null) {
      // It has no rows until the scanner moves.
      noted.addRange(TableKey.of(table), range);
    }
    PendingView pending = state.pending().view();
    Observer observer = new Observer(range);
    return reader.scan(table, scan, readPoints.enter(state.snapshot()), pending, observer);
  }

  private void note(TableState table, byte[] row) {
    if (noted != null) {
      noted.addRow(TableKey.of(table), row.clone());
    }
  }

  private void refuseSnapshot(Query<?> query) {
    refuse(query.snapshot());
  }

  private void refuse(@Nullable Snapshot snapshot) {
    if (snapshot != null && snapshot != own) {
      throw new IllegalArgumentException(
          "a transaction reads as of its own beginning; the read must not name a snapshot");
    }
  }

  /** Extends a range by the rows that a scan reads. */
  private final class Observer implements ScanObserver {
    private final RowRangeRead range;

    Observer(RowRangeRead range) {
      this.range = range;
    }

    @Override
    public void check() {
      state.check();
    }

    @Override
    public void onRow(byte @Nullable [] row) {
      range.extendTo(row);
    }
  }

  private final class OwnSnapshot implements Snapshot {
    @Override
    public long sequenceNumber() {
      return state.snapshot().sequence();
    }

    @Override
    public void close() {
      // The transaction closes the snapshot.
    }
  }
}
