// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.model;

import static io.accordiondb.fixtures.TestData.bytes;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.Bound;
import io.accordiondb.Cursor;
import io.accordiondb.FamilyNotFoundException;
import io.accordiondb.Get;
import io.accordiondb.HistoryLostException;
import io.accordiondb.Isolation;
import io.accordiondb.KeyValue;
import io.accordiondb.KeyValueIterator;
import io.accordiondb.KeyValueStore;
import io.accordiondb.Result;
import io.accordiondb.ResultScanner;
import io.accordiondb.Savepoint;
import io.accordiondb.Scan;
import io.accordiondb.Table;
import io.accordiondb.Transaction;
import io.accordiondb.TransactionConflictException;
import io.accordiondb.internal.function.IoSupplier;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * A transaction, with the rows that nobody else may have written when it commits. What was written
 * does not matter: it may be gone again, by a delete or because it has expired.
 */
final class WatchedTransaction implements AutoCloseable {
  private static final int ROWS_MAX = 4;
  private static final int CURSOR_MOVES_MAX = 4;

  private final Transaction transaction;
  private final Isolation isolation;
  private final ConflictTables tables;
  private final SplittableRandom random;

  private final ConflictChanges changes;

  /** How many writes there were when it began. */
  private final int begun;

  private final List<RowSpan> locked = new ArrayList<>();
  private final List<RowSpan> read = new ArrayList<>();

  /** What scans that stopped early have not passed, and may have read ahead. */
  private final List<RowSpan> ahead = new ArrayList<>();

  private List<RowSpan> written = new ArrayList<>();
  private @Nullable Cursor cursor;
  private RowSpan cursorRows = RowSpan.all(ConflictTables.TABLE);
  private @Nullable Savepoint savepoint;
  private List<RowSpan> writtenBefore = List.of();

  WatchedTransaction(
      Transaction transaction,
      Isolation isolation,
      ConflictTables tables,
      SplittableRandom random,
      ConflictChanges changes) {
    this.transaction = transaction;
    this.isolation = isolation;
    this.tables = tables;
    this.random = random;
    this.changes = changes;
    this.begun = changes.writes();
  }

  /** Reads or writes something. */
  void step() throws IOException {
    switch (random.nextInt(18)) {
      case 0 -> get();
      case 1 -> lock();
      case 2 -> deleteRange();
      case 3 -> rollBack();
      case 4 -> neighbour();
      case 5, 6 -> range();
      case 7, 8, 9 -> scan();
      case 10, 11 -> moveCursor();
      default -> write();
    }
  }

  void write() throws IOException {
    String table = tables.any();
    String row = tables.row();
    transaction.table(table).mutate(List.of(tables.write(table, row)));
    written.add(RowSpan.ofRow(table, row));
  }

  /** Returns something that was read or written. */
  RowSpan anyWatched() {
    List<RowSpan> all = new ArrayList<>(read);
    all.addAll(locked);
    all.addAll(written);
    return all.get(random.nextInt(all.size()));
  }

  /** Reads or writes something while a family of the table does not exist. */
  void stepWithoutFamily() throws IOException {
    try {
      step();
    } catch (FamilyNotFoundException e) {
      // Expected of what names the family; the others may have noted what they were to read.
      ahead.add(RowSpan.all(ConflictTables.TABLE));
    }
  }

  private void get() throws IOException {
    boolean ofStore = random.nextBoolean();
    RowSpan row = RowSpan.ofRow(ofStore ? tables.anyStore() : tables.any(), tables.row());
    byte[] key = bytes(row.first());
    IoSupplier<?> get =
        ofStore
            ? () -> transaction.keyValueStore(row.table()).get(key)
            : () -> transaction.table(row.table()).get(new Get(key));
    if (reads(row.table(), null, get)) {
      read.add(row);
    }
  }

  private void lock() throws IOException {
    boolean ofStore = random.nextBoolean();
    RowSpan row = RowSpan.ofRow(ofStore ? tables.anyStore() : tables.any(), tables.row());
    byte[] key = bytes(row.first());
    IoSupplier<?> get =
        ofStore
            ? () -> transaction.getForUpdate(row.table(), key)
            : () -> transaction.getForUpdate(row.table(), new Get(key));
    if (reads(row.table(), null, get)) {
      locked.add(row);
    }
  }

  /** Deletes the rows that the transaction sees, of which it writes each. */
  private void deleteRange() throws IOException {
    RowSpan rows = tables.rows(tables.any());
    byte[] first = ConflictTables.bound(rows.first());
    byte[] end = ConflictTables.bound(rows.end());
    List<String> found = new ArrayList<>();
    IoSupplier<?> delete =
        () -> {
          Table table = transaction.table(rows.table());
          found.addAll(rowsOf(table.scan(scan(rows, false)), Integer.MAX_VALUE));
          table.deleteRange(first, end);
          return table;
        };
    if (reads(rows.table(), null, delete)) {
      read.add(rows);
      found.forEach(row -> written.add(RowSpan.ofRow(rows.table(), row)));
    }
  }

  /**
   * Reads a table, which must fail if the table has lost since the beginning what is read, and
   * otherwise must not.
   *
   * @param family the only family that is read; null for all
   * @return whether it has been read
   */
  private boolean reads(String table, @Nullable String family, IoSupplier<?> reading)
      throws IOException {
    boolean lost = false;
    try {
      Object unused = reading.get();
    } catch (UncheckedIOException | HistoryLostException e) {
      assertThat(e instanceof HistoryLostException ? e : e.getCause())
          .isInstanceOf(HistoryLostException.class);
      lost = true;
      ahead.add(RowSpan.all(table));
    }
    assertThat(lost)
        .as("whether a read of table %s, family %s, says that it lacks cells", table, family)
        .isEqualTo(changes.hasLost(table, family, begun));
    return !lost;
  }

  /** Returns whether the commit must fail if a table has lost one of its families. */
  boolean protectsAllOf(String table) {
    boolean checksReads = isolation == Isolation.SERIALIZABLE && !written.isEmpty();
    List<RowSpan> all = List.of(RowSpan.all(table));
    return meet(locked, all) || (checksReads && meet(read, all));
  }

  private void rollBack() {
    if (savepoint == null) {
      savepoint = transaction.savepoint();
      writtenBefore = List.copyOf(written);
    } else {
      transaction.rollbackTo(savepoint);
      written = new ArrayList<>(writtenBefore);
    }
  }

  private void scan() throws IOException {
    RowSpan rows = tables.rows(tables.any());
    boolean downwards = random.nextBoolean();
    int rowsMax = random.nextBoolean() ? 1 + random.nextInt(ROWS_MAX) : Integer.MAX_VALUE;
    Scan scan = scan(rows, downwards);
    if (random.nextBoolean() && rowsMax < Integer.MAX_VALUE) {
      scan.setLimit(rowsMax);
    }
    String family = random.nextInt(4) == 0 ? tables.family(rows.table(), random) : null;
    if (family != null) {
      scan.addFamily(bytes(family));
    }
    List<String> found = new ArrayList<>();
    if (reads(
        rows.table(),
        family,
        () -> found.addAll(rowsOf(transaction.table(rows.table()).scan(scan), rowsMax)))) {
      note(rows, downwards, found, found.size() == rowsMax);
    }
  }

  private static Scan scan(RowSpan rows, boolean downwards) {
    byte[] first = ConflictTables.bound(rows.first());
    byte[] end = ConflictTables.bound(rows.end());
    Bound firstBound = Bound.INCLUSIVE;
    Bound endBound = Bound.EXCLUSIVE;
    if (ConflictTables.isBehindRow(first)) {
      first = Arrays.copyOf(first, first.length - 1);
      firstBound = Bound.EXCLUSIVE;
    }
    if (ConflictTables.isBehindRow(end)) {
      end = Arrays.copyOf(end, end.length - 1);
      endBound = Bound.INCLUSIVE;
    }
    return downwards
        ? new Scan().setReversed(true).setStartRow(end, endBound).setStopRow(first, firstBound)
        : new Scan().setStartRow(first, firstBound).setStopRow(end, endBound);
  }

  private static List<String> rowsOf(ResultScanner results, int rowsMax) throws IOException {
    List<String> rows = new ArrayList<>();
    try (results) {
      while (rows.size() < rowsMax) {
        Result next = results.next();
        if (next == null) {
          break;
        }
        rows.add(new String(next.row(), US_ASCII));
      }
    }
    return rows;
  }

  /** Reads some keys of a store. */
  private void range() throws IOException {
    RowSpan rows = tables.rows(tables.anyStore());
    boolean downwards = random.nextBoolean();
    int rowsMax = random.nextBoolean() ? 1 + random.nextInt(ROWS_MAX) : Integer.MAX_VALUE;
    byte[] first = ConflictTables.key(rows.first());
    byte[] end = ConflictTables.key(rows.end());
    List<String> found = new ArrayList<>();
    IoSupplier<?> walk =
        () -> {
          KeyValueStore store = transaction.keyValueStore(rows.table());
          try (KeyValueIterator keys =
              downwards ? store.reverseRange(first, end) : store.range(first, end)) {
            while (found.size() < rowsMax && keys.hasNext()) {
              found.add(new String(keys.next().key(), US_ASCII));
            }
          }
          return found;
        };
    if (reads(rows.table(), null, walk)) {
      note(rows, downwards, found, found.size() == rowsMax);
    }
  }

  /** Reads the key at a place in a store, or the next one upwards or downwards. */
  private void neighbour() throws IOException {
    KeyValueStore store = transaction.keyValueStore(tables.anyStore());
    String at = tables.row();
    boolean open = random.nextInt(3) == 0;
    boolean downwards = random.nextBoolean();
    RowSpan rows =
        new RowSpan(
            store.name(),
            downwards || open ? "" : at,
            downwards && !open ? RowSpan.after(at) : null);
    List<String> keys = new ArrayList<>();
    IoSupplier<?> find =
        () -> {
          KeyValue found =
              downwards
                  ? (open ? store.last() : store.floor(bytes(at)))
                  : (open ? store.first() : store.ceiling(bytes(at)));
          return found != null && keys.add(new String(found.key(), US_ASCII));
        };
    if (reads(rows.table(), null, find)) {
      note(rows, downwards, keys, !keys.isEmpty());
    }
  }

  /** Moves a cursor, which stays open. All rows within its bounds count as read. */
  private void moveCursor() throws IOException {
    Cursor moved = cursor;
    if (moved == null || random.nextInt(3) == 0) {
      close(moved);
      moved = openCursor();
      cursor = moved;
    }
    read.add(cursorRows);
    try {
      for (int left = 1 + random.nextInt(CURSOR_MOVES_MAX); left > 0; left--) {
        byte[] row = bytes(tables.row());
        boolean unused =
            switch (random.nextInt(moved.isValid() ? 6 : 4)) {
              case 0 -> moved.first();
              case 1 -> moved.last();
              case 2 -> moved.seek(row);
              case 3 -> moved.seekBackward(row);
              case 4 -> moved.next();
              default -> moved.previous();
            };
      }
    } catch (HistoryLostException e) {
      // A region that was open before the loss is still read, so others need not fail.
      assertThat(changes.hasLost(cursorRows.table(), null, begun)).as("%s", e).isTrue();
      close(moved);
      cursor = null;
    }
  }

  private Cursor openCursor() throws IOException {
    if (random.nextBoolean()) {
      cursorRows = tables.rows(tables.any());
      return transaction.table(cursorRows.table()).cursor(scan(cursorRows, false));
    }
    cursorRows = tables.rows(tables.anyStore());
    return transaction
        .keyValueStore(cursorRows.table())
        .cursor(ConflictTables.key(cursorRows.first()), ConflictTables.key(cursorRows.end()));
  }

  private static void close(@Nullable Cursor old) {
    if (old != null) {
      old.close();
    }
  }

  /**
   * Notes the rows that a scan has passed, whether there is anything in them or not.
   *
   * @param stopped whether it has not gone on behind the last row that it has found
   */
  private void note(RowSpan rows, boolean downwards, List<String> found, boolean stopped) {
    if (!stopped) {
      read.add(rows);
      return;
    }
    String last = found.get(found.size() - 1);
    read.add(
        downwards
            ? new RowSpan(rows.table(), last, rows.end())
            : new RowSpan(rows.table(), rows.first(), RowSpan.after(last)));
    ahead.add(rows);
  }

  /**
   * Ends the transaction, and checks that it conflicts if it must, and otherwise does not.
   *
   * @return whether it has committed
   */
  boolean commit() throws IOException {
    List<RowSpan> since = changes.since(begun);
    boolean checksReads =
        isolation == Isolation.SERIALIZABLE && !(written.isEmpty() && locked.isEmpty());
    boolean mustConflict =
        meet(written, since) || meet(locked, since) || (checksReads && meet(read, since));
    boolean mayConflict = mustConflict || (checksReads && meet(ahead, since));
    boolean conflicted = false;
    try {
      transaction.commit();
    } catch (TransactionConflictException e) {
      conflicted = true;
    }
    assertThat(conflicted ? mayConflict : !mustConflict)
        .as(
            "%s conflicts: %s, after it has written %s, locked %s and read %s, and others wrote %s",
            isolation, conflicted, written, locked, read, since)
        .isTrue();
    if (!conflicted) {
      written.forEach(changes::noteWrite);
    }
    return !conflicted;
  }

  private static boolean meet(List<RowSpan> some, List<RowSpan> others) {
    return some.stream().anyMatch(each -> others.stream().anyMatch(each::meets));
  }

  @Override
  public void close() {
    close(cursor);
    transaction.close();
  }
}
