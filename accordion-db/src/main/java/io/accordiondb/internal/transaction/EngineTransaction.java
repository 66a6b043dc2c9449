// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.transaction;

import io.accordiondb.CellLimits;
import io.accordiondb.Durability;
import io.accordiondb.Get;
import io.accordiondb.KeyValueStore;
import io.accordiondb.Result;
import io.accordiondb.Savepoint;
import io.accordiondb.Table;
import io.accordiondb.Transaction;
import io.accordiondb.internal.read.PendingCells.PendingCell;
import io.accordiondb.internal.table.KeyValueTable;
import io.accordiondb.internal.table.OpenTables;
import io.accordiondb.internal.table.TableHandle;
import io.accordiondb.internal.transaction.ReadSet.TableKey;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * An open transaction: it provides tables that read and write within the transaction, and commits
 * their writes. Belongs to one thread, except for {@link #abandon}.
 */
final class EngineTransaction implements Transaction {
  /** A savepoint, which is identified by its object identity. */
  private static final class Point implements Savepoint {
    final TransactionWrites.Mark mark;

    Point(TransactionWrites.Mark mark) {
      this.mark = mark;
    }
  }

  private final OpenTables tables;
  private final TransactionState state;
  private final TransactionReads reads;
  private final TransactionWrites writes;

  /** The reads of the transaction that the commit must check. */
  private final ReadSet read;

  private final ReadSet readForUpdate = new ReadSet();
  private final TransactionCommit committer;
  private final Consumer<EngineTransaction> onEnd;

  /** The savepoints that are still valid, oldest first. */
  private final List<Point> savepoints = new ArrayList<>();

  /** The stack at the beginning of the transaction. */
  private final Throwable begun;

  /**
   * Creates a transaction.
   *
   * @param onEnd runs when it ends
   */
  EngineTransaction(
      OpenTables tables,
      TransactionState state,
      TransactionReads reads,
      TransactionWrites writes,
      ReadSet read,
      TransactionCommit committer,
      Consumer<EngineTransaction> onEnd) {
    this.tables = tables;
    this.state = state;
    this.reads = reads;
    this.writes = writes;
    this.read = read;
    this.committer = committer;
    this.onEnd = onEnd;
    this.begun = new Throwable("the transaction was begun here");
  }

  /** Returns the stack at the beginning of the transaction. */
  Throwable begun() {
    return begun;
  }

  @Override
  public Table table(String name) throws IOException {
    reads.table(name);
    return handle(name);
  }

  @Override
  public KeyValueStore keyValueStore(String name) throws IOException {
    KeyValueTable.requireFamily(reads.table(name).descriptor());
    return new KeyValueTable(writes, handle(name));
  }

  private TableHandle handle(String name) {
    return new TableHandle(name, tables, reads, writes);
  }

  @Override
  public Result getForUpdate(String table, Get get) throws IOException {
    Table target = table(table);
    Result result = target.get(get);
    noteForUpdate(table, get.row());
    return result;
  }

  @Override
  public byte @Nullable [] getForUpdate(String store, byte[] key) throws IOException {
    CellLimits.checkRow("get", key);
    byte[] value = keyValueStore(store).get(key);
    noteForUpdate(store, key);
    return value;
  }

  private void noteForUpdate(String table, byte[] row) throws IOException {
    tables.checkWritable();
    readForUpdate.addRow(TableKey.of(reads.table(table)), row.clone());
  }

  @Override
  public Savepoint savepoint() {
    state.check();
    Point point = new Point(writes.mark());
    savepoints.add(point);
    return point;
  }

  @Override
  public void rollbackTo(Savepoint savepoint) {
    state.check();
    int index = savepoints.indexOf(Objects.requireNonNull(savepoint, "savepoint"));
    if (index < 0) {
      throw new IllegalArgumentException(
          "the savepoint is of another transaction, or was made after one rolled back to");
    }
    // First, because the writes are discarded later if there is no memory to discard them now.
    savepoints.subList(index + 1, savepoints.size()).clear();
    writes.rollbackTo(savepoints.get(index).mark);
  }

  @Override
  public void commit() throws IOException {
    commitWith(null);
  }

  @Override
  public void commit(Durability durability) throws IOException {
    commitWith(Objects.requireNonNull(durability, "durability"));
  }

  private void commitWith(@Nullable Durability durability) throws IOException {
    state.endOrThrow();
    try {
      List<PendingCell> cells = state.pending().cells();
      if (!cells.isEmpty() || !readForUpdate.isEmpty()) {
        committer.commit(
            cells,
            List.of(readForUpdate, read),
            state.snapshot().sequence(),
            durability == null ? writes.durability() : durability);
      }
    } finally {
      release();
    }
  }

  @Override
  public void rollback() {
    state.endOrThrow();
    release();
  }

  @Override
  public void close() {
    abandon();
  }

  /**
   * Rolls back; any thread may call this. Returns false if the transaction has ended or is ending.
   */
  boolean abandon() {
    boolean ended = state.end();
    if (ended) {
      release();
    }
    return ended;
  }

  private void release() {
    state.release();
    onEnd.accept(this);
  }
}
