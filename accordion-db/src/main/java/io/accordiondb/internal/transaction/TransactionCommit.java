// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.transaction;

import io.accordiondb.Cell;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.Durability;
import io.accordiondb.FamilyNotFoundException;
import io.accordiondb.Mutation;
import io.accordiondb.TableNotFoundException;
import io.accordiondb.TransactionConflictException;
import io.accordiondb.encoding.CellTags;
import io.accordiondb.encoding.CellType;
import io.accordiondb.encoding.KeyValueLayout;
import io.accordiondb.internal.clock.DatabaseClock;
import io.accordiondb.internal.commit.Batch;
import io.accordiondb.internal.commit.CommitCondition;
import io.accordiondb.internal.commit.CommitPipeline;
import io.accordiondb.internal.commit.ReadPoints;
import io.accordiondb.internal.commit.ReadPoints.ReadPoint;
import io.accordiondb.internal.maintenance.FlushScheduler;
import io.accordiondb.internal.maintenance.WriteControl;
import io.accordiondb.internal.metrics.Corruptions;
import io.accordiondb.internal.metrics.Operations;
import io.accordiondb.internal.metrics.Tally;
import io.accordiondb.internal.read.PendingCells.PendingCell;
import io.accordiondb.internal.region.Store;
import io.accordiondb.internal.region.StoreClosedException;
import io.accordiondb.internal.region.TableState;
import io.accordiondb.internal.table.MutationEncoder;
import io.accordiondb.internal.table.OpenTables;
import io.accordiondb.internal.table.TableReader;
import io.accordiondb.internal.transaction.ReadSet.TableKey;
import io.accordiondb.statistics.OperationKind;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Checks transactions and commits them. Thread-safe.
 *
 * <p>An attempt takes the newest visible sequence number v, checks that no relevant row has a cell
 * between the transaction's snapshot and v, and then commits on the condition that none of these
 * rows was written after v. The pipeline checks that by hashes of rows. It cannot check ranges: if
 * the transaction has read ranges, the condition is that nothing was written after v. If the
 * condition fails, which may be a false alarm, the attempt is repeated with a newer v, and searches
 * only the segments and files that have a cell above the last v. After a few attempts all other
 * writers wait for one check and commit, so each commit ends. The attempt just before has left
 * little to search then.
 */
final class TransactionCommit {
  private static final int ATTEMPTS_MAX = 3;

  /** What is expected at most of a batch for which there is no room yet. */
  private static final int BYTES_EXPECTED_MAX = 1 << 20;

  private final OpenTables tables;
  private final Supplier<DatabaseOptions> options;
  private final CommitPipeline pipeline;
  private final ReadPoints readPoints;
  private final WriteControl control;
  private final DatabaseClock clock;
  private final FlushScheduler flushes;
  private final Consumer<List<byte[]>> awaitTurns;
  private final Operations operations;
  private final Corruptions corruptions;

  /**
   * Creates an object that commits.
   *
   * @param awaitTurns lets read-modify-writes of some rows end first that were overtaken often
   * @param corruptions receives damage that a check finds
   */
  TransactionCommit(
      OpenTables tables,
      Supplier<DatabaseOptions> options,
      CommitPipeline pipeline,
      ReadPoints readPoints,
      WriteControl control,
      DatabaseClock clock,
      FlushScheduler flushes,
      Consumer<List<byte[]>> awaitTurns,
      Operations operations,
      Corruptions corruptions) {
    this.corruptions = corruptions;
    this.operations = operations;
    this.awaitTurns = awaitTurns;
    this.tables = tables;
    this.options = options;
    this.pipeline = pipeline;
    this.readPoints = readPoints;
    this.control = control;
    this.clock = clock;
    this.flushes = flushes;
  }

  /**
   * Commits cells in one batch.
   *
   * @param snapshot the sequence number of the transaction's snapshot
   * @param read rows and ranges that must not have changed since, in addition to the rows of the
   *     cells
   * @throws TransactionConflictException if any of them has changed; then nothing is written
   */
  void commit(List<PendingCell> cells, List<ReadSet> read, long snapshot, Durability durability)
      throws IOException {
    ReadSet written = new ReadSet();
    long bytes = 0;
    for (PendingCell cell : cells) {
      // Encoding the cells checks their families.
      TableKey table = new TableKey(cell.family().tableId(), cell.table(), List.of());
      written.addRow(table, rowOf(cell));
      bytes += cell.buffer().capacity();
    }
    List<ReadSet> checked = new ArrayList<>(read);
    checked.add(written);
    Validation validation = new Validation(tables, checked, snapshot, corruptions);
    int[] hashes = read.stream().flatMap(ReadSet::allRows).mapToInt(Batch::hashOf).toArray();
    boolean ranges = read.stream().anyMatch(set -> !set.ranges().isEmpty());
    Tally tally = operations.tally();
    long begun = operations.begin(tally);
    awaitTurns.accept(written.allRows().toList());
    int attempts = 0;
    while (true) {
      tables.checkOpen();
      long room = control.takeRoom(bytes);
      try {
        if (cells.isEmpty()) {
          validation.check(visible());
          return;
        }
        long first = cells.size() == 1 ? room : 0;
        Batch batch = encode(cells, Math.max(first, Math.min(BYTES_EXPECTED_MAX, bytes)));
        control.admit(batch);
        if (attempts == ATTEMPTS_MAX) {
          pipeline.commitExclusively(batch, durability, () -> validation.check(visible()));
        } else if (!commitIfValid(batch, durability, validation, hashes, ranges)) {
          attempts++;
          continue;
        }
        flushes.onCommitted(batch, options.get().storeFlushBytes());
        operations.end(tally, OperationKind.TRANSACTION, begun, cells.get(0).table(), null);
        return;
      } catch (StoreClosedException e) {
        tables.awaitChange();
      } finally {
        control.releaseRoom(room);
      }
    }
  }

  /** Returns false if the condition did not hold, which says nothing about conflicts. */
  private boolean commitIfValid(
      Batch batch, Durability durability, Validation validation, int[] hashes, boolean ranges)
      throws IOException {
    long visible = visible();
    validation.check(visible);
    return pipeline.commitIf(
        batch, durability, new CommitCondition(visible, hashes, ranges, validation.stores()));
  }

  private long visible() {
    try (ReadPoint now = readPoints.enterBriefly()) {
      return now.sequence();
    }
  }

  /** Encodes cells for the regions that their tables have now, with the time of the commit. */
  private Batch encode(List<PendingCell> cells, long bytesExpected) throws IOException {
    MutationEncoder encoder =
        MutationEncoder.ofLimitedCells(options.get(), clock.nextTimestamp(), (int) bytesExpected);
    for (PendingCell pending : cells) {
      try {
        TableState table = tables.get(pending.table());
        Cell cell = cellOf(pending);
        Store store = table.store(table.regions().regionOf(cell.row()), pending.familyName());
        if (!TableReader.familyOf(table, store).equals(pending.family())) {
          // Another table or family of the same name, which may refuse the cell.
          throw new TableNotFoundException(pending.table());
        }
        encoder.addRow(cell.row());
        encoder.add(table, store, cell);
      } catch (TableNotFoundException | FamilyNotFoundException e) {
        throw new TransactionConflictException(pending.table(), e);
      }
    }
    return encoder.build();
  }

  private static Cell cellOf(PendingCell pending) {
    ByteBuffer buffer = pending.buffer();
    return new Cell(
        rowOf(pending),
        pending.familyName(),
        KeyValueLayout.qualifier(buffer, 0),
        pending.undated() ? Mutation.LATEST_TIMESTAMP : KeyValueLayout.timestamp(buffer, 0),
        CellType.of(KeyValueLayout.typeCode(buffer, 0)),
        KeyValueLayout.value(buffer, 0),
        CellTags.copyOf(buffer, 0, buffer.capacity()));
  }

  private static byte[] rowOf(PendingCell cell) {
    return KeyValueLayout.row(cell.buffer(), 0);
  }
}
