// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.table;

import io.accordiondb.Cell;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.DeleteRange;
import io.accordiondb.Durability;
import io.accordiondb.Get;
import io.accordiondb.HistoryLostException;
import io.accordiondb.Result;
import io.accordiondb.WriteBatch;
import io.accordiondb.internal.clock.DatabaseClock;
import io.accordiondb.internal.commit.AsyncCommits;
import io.accordiondb.internal.commit.Batch;
import io.accordiondb.internal.commit.CommitPipeline;
import io.accordiondb.internal.commit.ReadPoints;
import io.accordiondb.internal.commit.ReadPoints.ReadPoint;
import io.accordiondb.internal.maintenance.FlushScheduler;
import io.accordiondb.internal.maintenance.WriteControl;
import io.accordiondb.internal.metrics.Operations;
import io.accordiondb.internal.metrics.Tally;
import io.accordiondb.internal.region.StoreClosedException;
import io.accordiondb.internal.region.TableState;
import io.accordiondb.statistics.OperationKind;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Writes to tables, either blindly or depending on what is stored. Thread-safe. */
public final class TableWriter implements TableWrites {
  private static final int BYTES_EXPECTED = 256;

  /** What is expected at most of a batch for which there is no room yet. */
  private static final int BYTES_EXPECTED_MAX = 1 << 20;

  private static final CompletionStage<@Nullable Void> DONE =
      CompletableFuture.completedStage(null);

  private final OpenTables tables;
  private final TableReader reader;
  private final Supplier<DatabaseOptions> options;
  private final CommitPipeline pipeline;
  private final AsyncCommits asyncCommits;
  private final ReadPoints readPoints;
  private final WriteControl control;
  private final DatabaseClock clock;
  private final FlushScheduler flushes;
  private final Operations operations;
  private final RowLocks rowLocks = new RowLocks();

  public TableWriter(
      TableReader reader,
      Supplier<DatabaseOptions> options,
      CommitPipeline pipeline,
      AsyncCommits asyncCommits,
      ReadPoints readPoints,
      WriteControl control,
      DatabaseClock clock,
      FlushScheduler flushes) {
    this.operations = reader.operations();
    this.tables = reader.tables();
    this.reader = reader;
    this.options = options;
    this.pipeline = pipeline;
    this.asyncCommits = asyncCommits;
    this.readPoints = readPoints;
    this.control = control;
    this.clock = clock;
    this.flushes = flushes;
  }

  @Override
  public DatabaseOptions options() {
    return options.get();
  }

  @Override
  public void write(List<WriteBatch.Entry> writes, @Nullable Durability durability)
      throws IOException {
    CompletionStage<@Nullable Void> unused = write(writes, durability, false);
  }

  /**
   * Writes a batch that was read from a log again, with {@link Durability#ASYNC}; each cell to the
   * region that now has its row. It may be larger than the present options allow.
   */
  public void writeLogged(List<LoggedCells> groups) throws IOException {
    tables.checkWritable();
    while (!groups.isEmpty()) {
      Batch batch = LoggedCells.encode(groups, tables, options.get().logCompression());
      try {
        control.admit(batch);
        pipeline.commit(batch, Durability.ASYNC);
        flushes.onCommitted(batch, options.get().storeFlushBytes());
        return;
      } catch (StoreClosedException e) {
        tables.awaitChange();
      }
    }
  }

  /**
   * Submits several changes that are written atomically; see {@link AsyncCommits}. Changes that
   * need a read first are written before this returns, after everything that was submitted before.
   *
   * @param durability null for the strongest that any change requests
   */
  public CompletionStage<@Nullable Void> writeAsync(
      List<WriteBatch.Entry> writes, @Nullable Durability durability) throws IOException {
    return write(writes, durability, true);
  }

  /**
   * Writes several changes atomically.
   *
   * @param submits whether to submit them instead of waiting for them
   */
  private CompletionStage<@Nullable Void> write(
      List<WriteBatch.Entry> writes, @Nullable Durability durability, boolean submits)
      throws IOException {
    // All in one method, which is thereby longer than what HotSpot inlines. Otherwise each place of
    // an application that writes would contain the whole path of a write, and be compiled with it.
    tables.checkWritable();
    if (writes.isEmpty()) {
      return DONE;
    }
    Durability effective =
        durability == null ? Mutations.strongestOf(options.get(), writes) : durability;
    for (WriteBatch.Entry write : writes) {
      if (Mutations.mustBeLookedUp(write.mutation())) {
        if (submits) {
          asyncCommits.awaitSubmitted();
        }
        writeWithLookups(writes, effective);
        return DONE;
      }
    }
    Tally tally = operations.tally();
    long begun =
        effective == Durability.FSYNC ? operations.beginTimed(tally) : operations.begin(tally);
    awaitTurns(writes);
    long bytes = bytesExpected(writes);
    while (true) {
      long room = control.takeRoom(bytes);
      try {
        Batch batch = encoded(writes, bytesAtFirst(writes, bytes, room));
        if (batch == null) {
          return DONE;
        }
        control.admit(batch);
        OperationKind kind =
            switch (effective) {
              case SKIP -> OperationKind.WRITE_SKIP;
              case ASYNC -> OperationKind.WRITE_ASYNC;
              case SYNC -> OperationKind.WRITE_SYNC;
              case FSYNC -> OperationKind.WRITE_FSYNC;
            };
        if (submits) {
          // It may wait for callbacks of other writes, which may need room, too.
          control.releaseRoom(room);
          room = 0;
          return asyncCommits.submit(batch, effective, counting(kind, begun, writes.get(0)));
        }
        pipeline.commit(batch, effective);
        flushes.onCommitted(batch, options.get().storeFlushBytes());
        end(tally, kind, begun, writes.get(0));
        return DONE;
      } catch (StoreClosedException e) {
        tables.awaitChange();
      } finally {
        control.releaseRoom(room);
      }
    }
  }

  /**
   * Returns what to allocate first for a batch. A single large cell needs no copies then; several
   * may belong to several stores, each of which has a part of its own.
   */
  private static long bytesAtFirst(List<WriteBatch.Entry> writes, long bytes, long room) {
    boolean single = writes.size() == 1 && writes.get(0).mutation().cells().size() == 1;
    return Math.max(single ? room : 0, Math.min(BYTES_EXPECTED_MAX, bytes));
  }

  /** Returns what counts and times an asynchronous write when it is visible. */
  private Runnable counting(OperationKind kind, long begun, WriteBatch.Entry first) {
    String table = first.table();
    byte[] row = first.mutation().row();
    return () -> operations.endElsewhere(kind, begun, table, row);
  }

  private void end(Tally tally, OperationKind kind, long begun, WriteBatch.Entry first) {
    tally.count(kind, 1);
    if (begun != Operations.NOT_TIMED) {
      operations.endTimed(tally, kind, begun, first.table(), first.mutation().row());
    }
  }

  /** Returns changes that need no read as a batch; null if it would be empty. */
  private @Nullable Batch encoded(List<WriteBatch.Entry> writes, long bytesExpected)
      throws IOException {
    tables.checkOpen();
    MutationEncoder encoder =
        new MutationEncoder(options.get(), clock.nextTimestamp(), (int) bytesExpected);
    for (WriteBatch.Entry write : writes) {
      Mutations.checkBatchable(write.mutation());
      encoder.add(tables.get(write.table()), write.mutation());
    }
    return encoder.isEmpty() ? null : encoder.build();
  }

  @Override
  public boolean readModifyWrite(
      String tableName,
      byte[] row,
      @Nullable Durability durability,
      long bytesExpected,
      Modification modification)
      throws IOException {
    tables.checkWritable();
    Durability effective = durability == null ? options.get().durability() : durability;
    Tally tally = operations.tally();
    long begun = operations.begin(tally);
    boolean written = modify(List.of(row), tableName, effective, bytesExpected, modification);
    operations.end(tally, OperationKind.READ_MODIFY_WRITE, begun, tableName, row);
    return written;
  }

  /**
   * Reads and writes rows, again until no other write and no change of a table comes in between.
   */
  private boolean modify(
      List<byte[]> rows,
      String tableName,
      Durability durability,
      long bytesExpected,
      Modification modification)
      throws IOException {
    while (true) {
      long room = 0;
      try (RowLocks.Claim claim = rowLocks.lock(rows)) {
        // Not before the rows are locked: a write that has room must not wait for a lock.
        room = control.takeRoom(bytesExpected);
        return modifyLocked(claim, tableName, durability, modification);
      } catch (StoreClosedException | HistoryLostException e) {
        // The change may take long. Rows of other tables share the locks, which are released now.
        tables.awaitChange();
      } finally {
        control.releaseRoom(room);
      }
    }
  }

  private boolean modifyLocked(
      RowLocks.Claim claim, String tableName, Durability durability, Modification modification)
      throws IOException {
    while (true) {
      Boolean written = tryModify(tableName, durability, modification);
      if (written != null) {
        return written;
      }
      claim.beforeNextAttempt();
    }
  }

  /** Lets read-modify-writes of some rows end first that were overtaken often. */
  public void awaitTurnsOf(List<byte[]> rows) {
    rowLocks.awaitTurns(rows);
  }

  /** Lets read-modify-writes of the same rows end first that were overtaken often. */
  private void awaitTurns(List<WriteBatch.Entry> writes) {
    if (!rowLocks.hasTurns()) {
      return;
    }
    if (writes.stream().anyMatch(write -> write.mutation() instanceof DeleteRange)) {
      // The range may have any row.
      rowLocks.awaitTurns();
    } else {
      rowLocks.awaitTurns(rowsOf(writes));
    }
  }

  private static List<byte[]> rowsOf(List<WriteBatch.Entry> writes) {
    return writes.stream().map(write -> write.mutation().row()).toList();
  }

  /**
   * Returns whether something was written, or null on a conflict.
   *
   * @throws StoreClosedException if a table is being changed
   * @throws HistoryLostException if a table was changed after the read point
   */
  private @Nullable Boolean tryModify(
      String tableName, Durability durability, Modification modification) throws IOException {
    TableState table = tables.get(tableName);
    long readSequence;
    MutationEncoder encoder;
    try (ReadPoint readPoint = readPoints.enterBriefly()) {
      readSequence = readPoint.sequence();
      // Not before the read point: what is read must not be newer than what is written.
      long now = clock.nextTimestamp();
      encoder = new MutationEncoder(options.get(), now, BYTES_EXPECTED);
      if (!modification.apply(table, reading(table, readSequence, now), encoder)) {
        return false;
      }
    }
    if (encoder.isEmpty()) {
      return true;
    }
    Batch batch = encoder.build();
    control.admit(batch);
    if (!pipeline.commitIf(batch, durability, readSequence)) {
      return null;
    }
    flushes.onCommitted(batch, options.get().storeFlushBytes());
    return true;
  }

  private void writeWithLookups(List<WriteBatch.Entry> writes, Durability durability)
      throws IOException {
    Tally tally = operations.tally();
    long begun = operations.begin(tally);
    // The batch is blind to the rows of its ranges, which it does not lock.
    awaitTurns(writes);
    boolean unused =
        modify(
            rowsOf(writes),
            writes.get(0).table(),
            durability,
            bytesExpected(writes),
            (first, read, encoder) -> {
              for (WriteBatch.Entry write : writes) {
                TableState table = tables.get(write.table());
                Reading own = table.tableId() == first.tableId() ? read : reading(table, read);
                Mutations.add(table, write.mutation(), own, encoder);
              }
              return true;
            });
    end(tally, OperationKind.READ_MODIFY_WRITE, begun, writes.get(0));
  }

  private Reading reading(TableState table, long sequence, long nowMillis) {
    return new TableReading(table, sequence, nowMillis);
  }

  /** Returns reads of another table as of the same moment. */
  private Reading reading(TableState table, Reading moment) {
    return reading(table, ((TableReading) moment).sequence, moment.nowMillis());
  }

  private final class TableReading implements Reading {
    private final TableState table;
    private final long sequence;
    private final long nowMillis;

    TableReading(TableState table, long sequence, long nowMillis) {
      this.table = table;
      this.sequence = sequence;
      this.nowMillis = nowMillis;
    }

    @Override
    public Result get(Get get) throws IOException {
      return reader.read(table, get, sequence, null);
    }

    @Override
    public long nowMillis() {
      return nowMillis;
    }

    @Override
    public long written(long timestamp) {
      return timestamp;
    }

    @Override
    public long written(Cell stored) {
      return stored.timestamp();
    }
  }

  private static long bytesExpected(List<WriteBatch.Entry> writes) {
    long bytes = 0;
    for (int i = 0; i < writes.size(); i++) {
      bytes += MutationEncoder.bytesExpected(writes.get(i).mutation());
    }
    return bytes;
  }
}
