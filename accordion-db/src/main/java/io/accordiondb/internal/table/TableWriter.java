// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.table;

import io.accordiondb.Cell;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.Delete;
import io.accordiondb.Durability;
import io.accordiondb.Get;
import io.accordiondb.HistoryLostException;
import io.accordiondb.Mutation;
import io.accordiondb.Put;
import io.accordiondb.Result;
import io.accordiondb.WriteBatch;
import io.accordiondb.encoding.CellType;
import io.accordiondb.internal.clock.DatabaseClock;
import io.accordiondb.internal.commit.AsyncCommits;
import io.accordiondb.internal.commit.Batch;
import io.accordiondb.internal.commit.CommitPipeline;
import io.accordiondb.internal.commit.ReadPoints;
import io.accordiondb.internal.commit.ReadPoints.ReadPoint;
import io.accordiondb.internal.maintenance.FlushScheduler;
import io.accordiondb.internal.maintenance.WriteControl;
import io.accordiondb.internal.region.Region;
import io.accordiondb.internal.region.StoreClosedException;
import io.accordiondb.internal.region.TableState;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Writes to tables: blindly, or depending on what is stored. Thread-safe. */
public final class TableWriter {
  private static final int BYTES_EXPECTED = 256;
  private static final int BYTES_EXPECTED_MAX = 1 << 20;

  private final OpenTables tables;
  private final TableReader reader;
  private final Supplier<DatabaseOptions> options;
  private final CommitPipeline pipeline;
  private final AsyncCommits asyncCommits;
  private final ReadPoints readPoints;
  private final WriteControl control;
  private final DatabaseClock clock;
  private final FlushScheduler flushes;
  private final RowLocks rowLocks = new RowLocks();

  public TableWriter(
      OpenTables tables,
      TableReader reader,
      Supplier<DatabaseOptions> options,
      CommitPipeline pipeline,
      AsyncCommits asyncCommits,
      ReadPoints readPoints,
      WriteControl control,
      DatabaseClock clock,
      FlushScheduler flushes) {
    this.tables = tables;
    this.reader = reader;
    this.options = options;
    this.pipeline = pipeline;
    this.asyncCommits = asyncCommits;
    this.readPoints = readPoints;
    this.control = control;
    this.clock = clock;
    this.flushes = flushes;
  }

  /** Returns how long a value may be, in bytes. */
  int valueBytesMax() {
    return options.get().valueBytesMax();
  }

  /** Reads on behalf of a write, all as of one moment. */
  interface Reading {
    /** Returns what a get finds in the table. */
    Result get(Get get) throws IOException;

    /** Returns the time of the write. */
    long nowMillis();
  }

  /** Decides by what is stored what is written. May be run several times. */
  interface Modification {
    /** Adds what to write; returns false to write nothing. */
    boolean apply(TableState table, Reading read, MutationEncoder encoder) throws IOException;
  }

  /**
   * Writes several changes atomically.
   *
   * @param durability null for the strongest that any change asks for
   */
  public void write(List<WriteBatch.Entry> writes, @Nullable Durability durability)
      throws IOException {
    tables.checkWritable();
    if (writes.isEmpty()) {
      return;
    }
    Durability effective = durability == null ? strongestOf(writes) : durability;
    if (mustBeLookedUp(writes)) {
      writeWithLookups(writes, effective);
      return;
    }
    while (true) {
      Batch batch = encoded(writes);
      if (batch == null) {
        return;
      }
      try {
        control.admit(batch);
        pipeline.commit(batch, effective);
        flushes.onCommitted(batch, options.get().storeFlushBytes());
        return;
      } catch (StoreClosedException e) {
        tables.awaitChange();
      }
    }
  }

  /**
   * Submits several changes that are written atomically; see {@link AsyncCommits}. Changes that
   * must be looked up are written before this returns, after all that was submitted before.
   *
   * @param durability null for the strongest that any change asks for
   */
  public CompletionStage<@Nullable Void> writeAsync(
      List<WriteBatch.Entry> writes, @Nullable Durability durability) throws IOException {
    tables.checkWritable();
    if (writes.isEmpty()) {
      return CompletableFuture.completedFuture(null);
    }
    Durability effective = durability == null ? strongestOf(writes) : durability;
    if (mustBeLookedUp(writes)) {
      asyncCommits.awaitSubmitted();
      writeWithLookups(writes, effective);
      return CompletableFuture.completedFuture(null);
    }
    while (true) {
      Batch batch = encoded(writes);
      if (batch == null) {
        return CompletableFuture.completedFuture(null);
      }
      try {
        control.admit(batch);
        return asyncCommits.submit(batch, effective);
      } catch (StoreClosedException e) {
        tables.awaitChange();
      }
    }
  }

  /** Returns changes that need no look at what is stored as a batch; null if it would be empty. */
  private @Nullable Batch encoded(List<WriteBatch.Entry> writes) throws IOException {
    tables.checkOpen();
    MutationEncoder encoder =
        new MutationEncoder(options.get(), clock.nextTimestamp(), bytesExpected(writes));
    for (WriteBatch.Entry write : writes) {
      requireBlind(write.mutation());
      encoder.add(tables.get(write.table()), write.mutation());
    }
    return encoder.isEmpty() ? null : encoder.build();
  }

  /**
   * Changes a row depending on what is stored in it, atomically.
   *
   * @return whether anything was written
   */
  boolean readModifyWrite(
      String tableName, byte[] row, @Nullable Durability durability, Modification modification)
      throws IOException {
    tables.checkWritable();
    Durability effective = durability == null ? options.get().durability() : durability;
    try (RowLocks.Claim locked = rowLocks.lock(List.of(row))) {
      while (true) {
        Boolean written = tryModify(tableName, effective, modification);
        if (written != null) {
          return written;
        }
      }
    }
  }

  /** Adds a put or delete, after looking up which versions it means. */
  void encode(TableState table, Mutation mutation, Reading read, MutationEncoder encoder)
      throws IOException {
    requireBlind(mutation);
    if (!mustBeLookedUp(mutation)) {
      encoder.add(table, mutation);
      return;
    }
    Region region = table.regions().regionOf(mutation.row());
    encoder.addRow(mutation.row());
    for (Cell cell : mutation.cells()) {
      Cell resolved = isNewestVersion(cell) ? newestVersion(cell, read) : cell;
      if (resolved != null) {
        encoder.add(table.store(region, cell.family()), resolved);
      }
    }
  }

  /** Returns whether something was written, or null on a conflict. */
  private @Nullable Boolean tryModify(
      String tableName, Durability durability, Modification modification) throws IOException {
    TableState table = tables.get(tableName);
    long now = clock.nextTimestamp();
    MutationEncoder encoder = new MutationEncoder(options.get(), now, BYTES_EXPECTED);
    try {
      long readSequence;
      try (ReadPoint readPoint = readPoints.enterBriefly()) {
        readSequence = readPoint.sequence();
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
    } catch (StoreClosedException | HistoryLostException e) {
      tables.awaitChange();
      return null;
    }
  }

  private void writeWithLookups(List<WriteBatch.Entry> writes, Durability durability)
      throws IOException {
    List<byte[]> rows = writes.stream().map(write -> write.mutation().row()).toList();
    try (RowLocks.Claim locked = rowLocks.lock(rows)) {
      Boolean written = null;
      while (written == null) {
        written =
            tryModify(
                writes.get(0).table(),
                durability,
                (first, read, encoder) -> {
                  for (WriteBatch.Entry write : writes) {
                    TableState table = tables.get(write.table());
                    Reading own = table.tableId() == first.tableId() ? read : reading(table, read);
                    encode(table, write.mutation(), own, encoder);
                  }
                  return true;
                });
      }
    }
  }

  private Reading reading(TableState table, long sequence, long nowMillis) {
    return new TableReading(table, sequence, nowMillis);
  }

  /** Returns a reading of another table at the same moment. */
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
      return reader.get(table, get, sequence);
    }

    @Override
    public long nowMillis() {
      return nowMillis;
    }
  }

  /** Judges a long batch by its first change, which is right for most. */
  private static int bytesExpected(List<WriteBatch.Entry> writes) {
    long first = MutationEncoder.bytesExpected(writes.get(0).mutation());
    return (int) Math.min(BYTES_EXPECTED_MAX, first * writes.size() + first / 8);
  }

  /** Returns the strongest durability that any of some changes of a row asks for. */
  Durability strongest(List<? extends Mutation> mutations) {
    Durability strongest = Durability.SKIP;
    for (Mutation mutation : mutations) {
      strongest = stronger(strongest, mutation);
    }
    return strongest;
  }

  private Durability strongestOf(List<WriteBatch.Entry> writes) {
    Durability strongest = Durability.SKIP;
    for (WriteBatch.Entry write : writes) {
      strongest = stronger(strongest, write.mutation());
    }
    return strongest;
  }

  private Durability stronger(Durability least, Mutation mutation) {
    Durability asked = mutation.durability();
    Durability durability = asked == null ? options.get().durability() : asked;
    return durability.compareTo(least) > 0 ? durability : least;
  }

  private static void requireBlind(Mutation mutation) {
    if (!(mutation instanceof Put) && !(mutation instanceof Delete)) {
      throw new IllegalArgumentException(
          mutation.getClass().getSimpleName()
              + " has a method of its own and cannot be part of a batch");
    }
    if (mutation instanceof Put && mutation.cells().isEmpty()) {
      throw new IllegalArgumentException("the put has no column; add one with addColumn()");
    }
  }

  private static boolean mustBeLookedUp(List<WriteBatch.Entry> writes) {
    for (WriteBatch.Entry write : writes) {
      if (mustBeLookedUp(write.mutation())) {
        return true;
      }
    }
    return false;
  }

  private static boolean mustBeLookedUp(Mutation mutation) {
    if (mutation instanceof Delete) {
      for (Cell cell : mutation.cells()) {
        if (isNewestVersion(cell)) {
          return true;
        }
      }
    }
    return false;
  }

  private static boolean isNewestVersion(Cell cell) {
    return cell.type() == CellType.DELETE && cell.timestamp() == Mutation.LATEST_TIMESTAMP;
  }

  private static @Nullable Cell newestVersion(Cell marker, Reading read) throws IOException {
    Cell newest =
        read.get(new Get(marker.row()).addColumn(marker.family(), marker.qualifier()))
            .cell(marker.family(), marker.qualifier());
    return newest == null
        ? null
        : new Cell(
            marker.row(),
            marker.family(),
            marker.qualifier(),
            newest.timestamp(),
            CellType.DELETE,
            marker.value());
  }
}
