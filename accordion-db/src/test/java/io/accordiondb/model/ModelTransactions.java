// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.model;

import static io.accordiondb.fixtures.TestData.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.accordiondb.Cell;
import io.accordiondb.Delete;
import io.accordiondb.DeleteRange;
import io.accordiondb.Get;
import io.accordiondb.Isolation;
import io.accordiondb.Mutation;
import io.accordiondb.Put;
import io.accordiondb.Result;
import io.accordiondb.ResultScanner;
import io.accordiondb.Savepoint;
import io.accordiondb.Scan;
import io.accordiondb.Transaction;
import io.accordiondb.TransactionConflictException;
import io.accordiondb.WriteBatch;
import io.accordiondb.internal.engine.Lulls;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Random transactions. What one sees must be what the model holds at its beginning, changed by its
 * own writes, whatever others write and however the cells are moved meanwhile.
 */
final class ModelTransactions {
  private static final int STEPS_MAX = 14;

  private final Pair pair;

  ModelTransactions(Pair pair) {
    this.pair = pair;
  }

  /** Writes, the model that they lead to, and rows that were read, also before a rollback. */
  private static final class View {
    final Expected expected;
    final List<WriteBatch.Entry> written;
    final List<Row> read;

    View(Expected expected, List<WriteBatch.Entry> written, List<Row> read) {
      this.expected = expected;
      this.written = written;
      this.read = read;
    }

    View copy() {
      return new View(expected.copy(), new ArrayList<>(written), read);
    }
  }

  private record Row(String table, byte[] row) {
    boolean isOf(WriteBatch.Entry entry) {
      if (!table.equals(entry.table())) {
        return false;
      }
      if (entry.mutation() instanceof DeleteRange range) {
        return Arrays.compareUnsigned(row, range.startRow()) >= 0
            && (range.stopRow().length == 0 || Arrays.compareUnsigned(row, range.stopRow()) < 0);
      }
      return Arrays.equals(row, entry.mutation().row());
    }
  }

  /** Runs a transaction, and perhaps one write of somebody else in its midst. */
  void run(Draw draw) throws IOException {
    View view = new View(pair.expected().copy(), new ArrayList<>(), new ArrayList<>());
    Savepoint savepoint = null;
    View saved = view;
    List<Row> locked = new ArrayList<>();
    WriteBatch.Entry foreign = null;
    Isolation isolation = draw.pick(List.of(Isolation.values()));
    try (Transaction transaction = pair.database().beginTransaction(isolation)) {
      int steps = 1 + draw.number(STEPS_MAX);
      for (int step = 0; step < steps; step++) {
        switch (draw.number(13)) {
          case 0 -> {
            savepoint = transaction.savepoint();
            saved = view.copy();
          }
          case 1 -> {
            if (savepoint != null) {
              rollBack(transaction, savepoint, view, saved, draw);
              view = saved.copy();
            }
          }
          case 2 -> upkeep(draw);
          case 3 -> checkGet(transaction, view, draw);
          case 4 -> checkScan(transaction, view, draw);
          case 5 -> foreign = foreign == null ? writeOfAnother(draw) : foreign;
          case 6 -> locked.add(lock(transaction, view.expected, draw));
          default -> write(transaction, view, draw);
        }
      }
      checkScan(transaction, view, draw);
      checkGet(transaction, view, draw);
      if (draw.oneIn(4)) {
        transaction.rollback();
      } else {
        commit(transaction, view, locked, foreign, isolation);
      }
    }
  }

  private void write(Transaction transaction, View view, Draw draw) throws IOException {
    String table = draw.oneIn(3) ? ModelTables.B : ModelTables.A;
    byte[] row = draw.row();
    byte[] family = bytes(draw.pick(ModelTables.FAMILIES.get(table)));
    byte[] qualifier = draw.qualifier();
    Mutation mutation =
        switch (draw.number(9)) {
          case 0 -> new Delete(row);
          case 1 -> new Delete(row).addFamily(family, draw.anyTimestamp());
          case 2 -> new Delete(row).addColumns(family, qualifier);
          case 3 -> new Delete(row).addColumns(family, qualifier, draw.anyTimestamp());
          case 4 -> new Put(row).addColumn(family, qualifier, draw.near(), draw.value());
          default -> new Put(row).addColumn(family, qualifier, draw.value());
        };
    if (draw.oneIn(10)) {
      deleteNewest(transaction, view, row, qualifier);
      return;
    }
    transaction.table(table).mutate(List.of(mutation));
    record(view, table, mutation);
  }

  private void deleteNewest(Transaction transaction, View view, byte[] row, byte[] qualifier)
      throws IOException {
    byte[] family = bytes(ModelTables.ALL);
    Get get = new Get(row).addColumn(family, qualifier);
    transaction.table(ModelTables.A).delete(new Delete(row).addColumn(family, qualifier));
    Expected expected = view.expected;
    for (Cell cell : expected.read(ModelTables.A, row, get, expected.sequence(), pair.now())) {
      record(view, ModelTables.A, new Delete(row).addColumn(family, qualifier, cell.timestamp()));
    }
  }

  private void record(View view, String table, Mutation mutation) {
    view.written.add(new WriteBatch.Entry(table, mutation));
    view.expected.record(table, mutation, pair.writeTime());
  }

  private WriteBatch.Entry writeOfAnother(Draw draw) throws IOException {
    byte[] row = draw.row();
    Mutation mutation =
        switch (draw.number(4)) {
          case 0 -> new Delete(row);
          case 1 -> new DeleteRange(row, draw.row());
          default -> new Put(row).addColumn(bytes(ModelTables.ALL), draw.qualifier(), draw.value());
        };
    pair.change(
        () -> pair.database().table(ModelTables.A).mutate(List.of(mutation)),
        () -> pair.expected().record(ModelTables.A, mutation, pair.writeTime()));
    return new WriteBatch.Entry(ModelTables.A, mutation);
  }

  private void upkeep(Draw draw) throws IOException {
    String table = table(draw);
    switch (draw.number(6)) {
      case 0 -> pair.database().flush(table);
      case 4 -> Lulls.seal(pair.database(), table);
      case 1 -> pair.database().majorCompact(table);
      case 2 -> pair.database().splitRegion(table, draw.row());
      case 3 -> pair.database().mergeRegions(table, draw.row());
      default -> pair.database().flushInMemory(table);
    }
  }

  private void commit(
      Transaction transaction,
      View view,
      List<Row> locked,
      WriteBatch.@Nullable Entry foreign,
      Isolation isolation)
      throws IOException {
    List<WriteBatch.Entry> written = view.written;
    boolean validatesReads =
        isolation == Isolation.SERIALIZABLE && !(written.isEmpty() && locked.isEmpty());
    List<Row> watched = new ArrayList<>(locked);
    written.forEach(own -> watched.add(new Row(own.table(), own.mutation().row())));
    if (validatesReads) {
      watched.addAll(view.read);
    }
    boolean mustConflict = foreign != null && watched.stream().anyMatch(row -> row.isOf(foreign));
    boolean mayConflict = foreign != null && validatesReads;
    try {
      pair.change(
          () -> {
            transaction.commit();
            if (mustConflict) {
              fail("a conflict was overlooked");
            }
          },
          () ->
              written.forEach(
                  entry ->
                      pair.expected().record(entry.table(), entry.mutation(), pair.writeTime())));
    } catch (TransactionConflictException e) {
      assertThat(mustConflict || mayConflict).as("%s", e).isTrue();
    }
  }

  /** Reads a row that others must not write until the commit. */
  private Row lock(Transaction transaction, Expected expected, Draw draw) throws IOException {
    Row at = new Row(table(draw), draw.row());
    Get get = new Get(at.row);
    assertThat(transaction.getForUpdate(at.table, get).cells())
        .isEqualTo(expected.read(at.table, at.row, get, expected.sequence(), pair.now()));
    return at;
  }

  private void checkGet(Transaction transaction, View view, Draw draw) throws IOException {
    Expected expected = view.expected;
    String table = table(draw);
    Get get = new Get(draw.row()).setVersions(1 + draw.number(4));
    Result found = transaction.table(table).get(get);
    assertThat(found.cells())
        .isEqualTo(expected.read(table, get.row(), get, expected.sequence(), pair.now()));
    view.read.add(new Row(table, get.row()));
    byte[] key = draw.row();
    byte[] family = bytes(ModelTables.COUNTERS);
    Get column = new Get(key).addColumn(family, new byte[0]);
    List<Cell> value = expected.read(ModelTables.A, key, column, expected.sequence(), pair.now());
    assertThat(transaction.keyValueStore(ModelTables.A).get(key))
        .isEqualTo(value.isEmpty() ? null : value.get(0).value());
  }

  /** Rolls back to a savepoint while a scan is open, which then goes on with what is left. */
  private void rollBack(
      Transaction transaction, Savepoint savepoint, View view, View saved, Draw draw)
      throws IOException {
    String table = table(draw);
    Scan scan = scan(table, draw);
    List<List<Cell>> all = expectedOf(view, table, scan);
    List<List<Cell>> found = new ArrayList<>();
    int rowsBefore = all.isEmpty() ? 0 : draw.number(all.size());
    try (ResultScanner rows = transaction.table(table).scan(scan)) {
      for (int row = 0; row < rowsBefore; row++) {
        found.add(rows.next().cells());
      }
      transaction.rollbackTo(savepoint);
      rows.forEach(row -> found.add(row.cells()));
    }
    List<List<Cell>> expected = new ArrayList<>(all.subList(0, rowsBefore));
    for (List<Cell> row : expectedOf(saved, table, scan)) {
      if (rowsBefore == 0 || isAfter(rowOf(row), rowOf(expected.get(rowsBefore - 1)), scan)) {
        expected.add(row);
      }
    }
    assertThat(found).as("rows, %d of them before a rollback", rowsBefore).isEqualTo(expected);
  }

  private static boolean isAfter(byte[] row, byte[] other, Scan scan) {
    int order = Arrays.compareUnsigned(row, other);
    return scan.reversed() ? order < 0 : order > 0;
  }

  private static byte[] rowOf(List<Cell> cells) {
    return cells.get(0).row();
  }

  private List<List<Cell>> expectedOf(View view, String table, Scan scan) {
    return view.expected.scan(table, scan, view.expected.sequence(), pair.now());
  }

  private static String table(Draw draw) {
    return draw.oneIn(2) ? ModelTables.A : ModelTables.B;
  }

  /** Scans to the end, or only some rows. */
  private void checkScan(Transaction transaction, View view, Draw draw) throws IOException {
    String table = table(draw);
    Scan scan = scan(table, draw);
    int rowsMax = draw.oneIn(3) ? draw.number(6) : Integer.MAX_VALUE;
    List<List<Cell>> found = new ArrayList<>();
    try (ResultScanner rows = transaction.table(table).scan(scan)) {
      while (found.size() < rowsMax) {
        Result row = rows.next();
        if (row == null) {
          break;
        }
        found.add(row.cells());
      }
    }
    List<List<Cell>> all = expectedOf(view, table, scan);
    assertThat(found).isEqualTo(all.subList(0, Math.min(rowsMax, all.size())));
    noteRead(view, table, scan, found, found.size() == rowsMax);
  }

  /**
   * Notes the rows that a scan of all families has passed, whether there is anything in them or
   * not: up to the last that was found, or all if it has not stopped there.
   */
  private static void noteRead(
      View view, String table, Scan scan, List<List<Cell>> found, boolean stopped) {
    if (!scan.families().isEmpty() || (stopped && found.isEmpty())) {
      return;
    }
    for (byte[] row : Draw.rows()) {
      if (Expected.isInside(scan, row)
          && !(stopped && isAfter(row, rowOf(found.get(found.size() - 1)), scan))) {
        view.read.add(new Row(table, row));
      }
    }
  }

  private static Scan scan(String table, Draw draw) {
    Scan scan = new Scan().setReversed(draw.oneIn(2)).setVersions(1 + draw.number(3));
    if (draw.oneIn(2)) {
      scan.setStartRow(draw.row(), draw.bound()).setStopRow(draw.row(), draw.bound());
    }
    if (draw.oneIn(3)) {
      scan.addFamily(bytes(draw.pick(ModelTables.FAMILIES.get(table))));
    }
    return scan;
  }
}
