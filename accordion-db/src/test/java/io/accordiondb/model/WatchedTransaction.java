// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.model;

import static io.accordiondb.fixtures.TestData.bytes;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.Bound;
import io.accordiondb.Get;
import io.accordiondb.Isolation;
import io.accordiondb.KeyValue;
import io.accordiondb.KeyValueIterator;
import io.accordiondb.KeyValueStore;
import io.accordiondb.Result;
import io.accordiondb.ResultScanner;
import io.accordiondb.Savepoint;
import io.accordiondb.Scan;
import io.accordiondb.Transaction;
import io.accordiondb.TransactionConflictException;
import java.io.IOException;
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

  private final Transaction transaction;
  private final Isolation isolation;
  private final ConflictTables tables;
  private final SplittableRandom random;

  /** How many writes there were when it began. */
  private final int begun;

  private final List<RowSpan> locked = new ArrayList<>();
  private final List<RowSpan> read = new ArrayList<>();

  /** What scans that stopped early have not passed, and may have read ahead. */
  private final List<RowSpan> ahead = new ArrayList<>();

  private List<RowSpan> written = new ArrayList<>();
  private @Nullable Savepoint savepoint;
  private List<RowSpan> writtenBefore = List.of();

  WatchedTransaction(
      Transaction transaction,
      Isolation isolation,
      ConflictTables tables,
      SplittableRandom random,
      int begun) {
    this.transaction = transaction;
    this.isolation = isolation;
    this.tables = tables;
    this.random = random;
    this.begun = begun;
  }

  /** Reads or writes something. */
  void step() throws IOException {
    switch (random.nextInt(16)) {
      case 0 -> get();
      case 1 -> lock();
      case 2 -> deleteRange();
      case 3 -> rollBack();
      case 4 -> neighbour();
      case 5, 6 -> range();
      case 7, 8, 9 -> scan();
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

  private void get() throws IOException {
    String row = tables.row();
    String table = tables.any();
    if (random.nextBoolean()) {
      table = tables.anyStore();
      byte[] unused = transaction.keyValueStore(table).get(bytes(row));
    } else {
      Result unused = transaction.table(table).get(new Get(bytes(row)));
    }
    read.add(RowSpan.ofRow(table, row));
  }

  private void lock() throws IOException {
    String row = tables.row();
    String table = tables.any();
    if (random.nextBoolean()) {
      table = tables.anyStore();
      byte[] unused = transaction.getForUpdate(table, bytes(row));
    } else {
      Result unused = transaction.getForUpdate(table, new Get(bytes(row)));
    }
    locked.add(RowSpan.ofRow(table, row));
  }

  /** Deletes the rows that the transaction sees, of which it writes each. */
  private void deleteRange() throws IOException {
    RowSpan rows = tables.rows(tables.any());
    List<String> found =
        rowsOf(transaction.table(rows.table()).scan(scan(rows, false)), Integer.MAX_VALUE);
    transaction
        .table(rows.table())
        .deleteRange(ConflictTables.bound(rows.first()), ConflictTables.bound(rows.end()));
    read.add(rows);
    found.forEach(row -> written.add(RowSpan.ofRow(rows.table(), row)));
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
    if (random.nextInt(4) == 0) {
      scan.addFamily(bytes(tables.family(rows.table(), random)));
    }
    List<String> found = rowsOf(transaction.table(rows.table()).scan(scan), rowsMax);
    note(rows, downwards, found, found.size() == rowsMax);
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
    KeyValueStore store = transaction.keyValueStore(rows.table());
    List<String> found = new ArrayList<>();
    try (KeyValueIterator keys =
        downwards ? store.reverseRange(first, end) : store.range(first, end)) {
      while (found.size() < rowsMax && keys.hasNext()) {
        found.add(new String(keys.next().key(), US_ASCII));
      }
    }
    note(rows, downwards, found, found.size() == rowsMax);
  }

  /** Reads the key at a place in a store, or the next one upwards or downwards. */
  private void neighbour() throws IOException {
    KeyValueStore store = transaction.keyValueStore(tables.anyStore());
    String at = tables.row();
    boolean open = random.nextInt(3) == 0;
    boolean downwards = random.nextBoolean();
    KeyValue found;
    if (downwards) {
      found = open ? store.last() : store.floor(bytes(at));
    } else {
      found = open ? store.first() : store.ceiling(bytes(at));
    }
    RowSpan rows =
        new RowSpan(
            store.name(),
            downwards || open ? "" : at,
            downwards && !open ? RowSpan.after(at) : null);
    List<String> keys = found == null ? List.of() : List.of(new String(found.key(), US_ASCII));
    note(rows, downwards, keys, found != null);
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
   * @param writes all that was written so far; those of this transaction are added
   * @return whether it has committed
   */
  boolean commit(List<RowSpan> writes) throws IOException {
    List<RowSpan> since = writes.subList(begun, writes.size());
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
      writes.addAll(written);
    }
    return !conflicted;
  }

  private static boolean meet(List<RowSpan> some, List<RowSpan> others) {
    return some.stream().anyMatch(each -> others.stream().anyMatch(each::meets));
  }

  @Override
  public void close() {
    transaction.close();
  }
}
