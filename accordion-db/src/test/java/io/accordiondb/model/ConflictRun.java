// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.model;

import static io.accordiondb.fixtures.TestData.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.Database;
import io.accordiondb.FamilyDescriptor;
import io.accordiondb.Isolation;
import io.accordiondb.Mutation;
import io.accordiondb.Snapshot;
import io.accordiondb.SortedFileWriter;
import io.accordiondb.internal.engine.Lulls;
import io.accordiondb.memstore.Policy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;

/**
 * A random sequence of the steps of several transactions and cursors that are open at the same
 * time, of writes beside them, and of all that moves and drops cells. Each transaction must
 * conflict if, and only if, somebody else has written what its isolation protects.
 */
final class ConflictRun implements ModelSequences.Sequence {
  private static final int TRANSACTIONS_MAX = 4;
  private static final int SNAPSHOTS_MAX = 2;
  private static final int CURSORS_MAX = 2;
  private static final int TICK_MILLIS_MAX = 200;

  /** Longer than most cells live. */
  private static final int LIFE_MILLIS_MAX = 600;

  private final SplittableRandom random;
  private final Path folder;
  private final Subject subject;
  private final ConflictTables tables;
  private final ConflictChanges changes;
  private final List<WatchedTransaction> open = new ArrayList<>();
  private final List<Snapshot> snapshots = new ArrayList<>();
  private final List<WatchedCursor> cursors = new ArrayList<>();

  private int committed;
  private int conflicts;
  private int files;

  ConflictRun(Policy policy, long seed, Path folder) throws IOException {
    this.random = new SplittableRandom(seed);
    this.folder = folder;
    this.subject = new Subject(policy, seed);
    this.tables = new ConflictTables(subject, random);
    this.changes = new ConflictChanges(subject, tables, random);
  }

  @Override
  public long run(int operations) throws IOException {
    for (int i = 0; i < operations; i++) {
      step();
    }
    while (!open.isEmpty()) {
      end(false);
    }
    assertThat(committed).isPositive();
    assertThat(conflicts).isPositive();
    release();
    assertThat(database().statistics().readers().readPoints()).as("read points held").isZero();
    return operations;
  }

  private void step() throws IOException {
    switch (random.nextInt(46)) {
      case 0 -> takeSnapshot();
      case 1 -> releaseSnapshot();
      case 2 -> deleteRange(tables.rows(tables.any()));
      case 3 -> ingest(tables.any(), new TreeSet<>(Arrays.asList(tables.row(), tables.row())));
      case 4, 5 -> write(tables.any(), tables.row());
      case 6, 7, 8 -> subject.tick(random.nextInt(TICK_MILLIS_MAX));
      case 9, 10, 11, 12, 13, 14 -> move(tables.any());
      case 15, 16, 17, 18, 19, 20, 21 -> begin();
      case 22, 23, 24, 25 -> end(random.nextInt(8) == 0);
      case 26, 27, 28, 29, 30, 31, 32 -> probe();
      case 33 -> changes.alter(tables.any());
      case 34 -> changes.lose(tables.any());
      case 35, 36, 37, 38 -> moveCursor();
      default -> {
        if (open.isEmpty()) {
          begin();
        } else {
          open.get(random.nextInt(open.size())).step();
        }
      }
    }
  }

  private Database database() {
    return subject.database();
  }

  private void takeSnapshot() throws IOException {
    if (snapshots.size() < SNAPSHOTS_MAX) {
      snapshots.add(database().snapshot());
    }
  }

  private void releaseSnapshot() {
    if (!snapshots.isEmpty()) {
      snapshots.remove(random.nextInt(snapshots.size())).close();
    }
  }

  private WatchedTransaction begun() throws IOException {
    Isolation isolation = random.nextInt(3) == 0 ? Isolation.SNAPSHOT : Isolation.SERIALIZABLE;
    return new WatchedTransaction(
        database().beginTransaction(isolation), isolation, tables, random, changes);
  }

  private void begin() throws IOException {
    if (open.size() < TRANSACTIONS_MAX) {
      open.add(begun());
    }
  }

  private void end(boolean rolledBack) throws IOException {
    if (open.isEmpty()) {
      return;
    }
    try (WatchedTransaction ended = open.remove(random.nextInt(open.size()))) {
      if (!rolledBack) {
        commit(ended);
      }
    }
  }

  private void commit(WatchedTransaction transaction) throws IOException {
    if (transaction.commit()) {
      committed++;
    } else {
      conflicts++;
    }
  }

  /**
   * Runs a transaction that does little, and lets one other write meet it or come near, of which
   * compactions leave as little as they may.
   */
  private void probe() throws IOException {
    try (WatchedTransaction transaction = begun()) {
      transaction.step();
      transaction.write();
      RowSpan near = transaction.anyWatched();
      String row = tables.rowAt(near);
      switch (random.nextInt(16)) {
        case 0, 1 -> deleteRange(tables.rowsFrom(near.table(), row));
        case 2, 3 -> ingest(near.table(), Set.of(row));
        case 4 -> changes.alter(near.table());
        case 5 -> {
          commitWhileDropped(transaction, near.table());
          return;
        }
        case 6 -> {
          commitWithoutFamily(transaction);
          return;
        }
        default -> write(near.table(), row);
      }
      subject.tick(random.nextInt(LIFE_MILLIS_MAX));
      for (int moves = random.nextInt(4); moves > 0; moves--) {
        move(near.table());
      }
      commit(transaction);
    }
  }

  private void commitWhileDropped(WatchedTransaction transaction, String table) throws IOException {
    changes.drop(table);
    commit(transaction);
    tables.create(table);
  }

  private void commitWithoutFamily(WatchedTransaction transaction) throws IOException {
    String family = changes.dropFamily();
    transaction.stepWithoutFamily();
    // Who has only written other families conflicts once the family is there again.
    boolean before = transaction.protectsAllOf(ConflictTables.TABLE);
    if (before) {
      commit(transaction);
    }
    changes.restore(family);
    if (!before) {
      commit(transaction);
    }
  }

  private void moveCursor() throws IOException {
    if (cursors.isEmpty() || (cursors.size() < CURSORS_MAX && random.nextInt(3) == 0)) {
      cursors.add(new WatchedCursor(database(), tables, changes, random));
      return;
    }
    WatchedCursor cursor = cursors.get(random.nextInt(cursors.size()));
    if (!cursor.move() || random.nextInt(6) == 0) {
      cursors.remove(cursor);
      cursor.close();
    }
  }

  /** Writes a row, or several times the same one. */
  private void write(String table, String row) throws IOException {
    List<Mutation> mutations = new ArrayList<>();
    do {
      mutations.add(tables.write(table, row));
    } while (random.nextInt(3) == 0);
    database().table(table).mutate(mutations);
    changes.noteWrite(RowSpan.ofRow(table, row));
  }

  private void deleteRange(RowSpan rows) throws IOException {
    database()
        .table(rows.table())
        .deleteRange(ConflictTables.bound(rows.first()), ConflictTables.bound(rows.end()));
    changes.noteWrite(rows);
  }

  private void ingest(String table, Set<String> rows) throws IOException {
    String family = tables.family(table, random);
    Path file = folder.resolve("ingested" + files++);
    try (SortedFileWriter writer = SortedFileWriter.create(file, FamilyDescriptor.of(family))) {
      for (String row : rows) {
        writer.add(bytes(row), new byte[0], subject.now(), tables.value());
      }
      writer.finish();
    }
    database().ingest(table, family, List.of(file));
    Files.delete(file);
    rows.forEach(row -> changes.noteWrite(RowSpan.ofRow(table, row)));
  }

  /** Moves cells of a table, and drops those that nobody needs. */
  private void move(String table) throws IOException {
    switch (random.nextInt(9)) {
      case 0 -> database().flushInMemory(table);
      case 1 -> Lulls.seal(database(), table);
      case 2 -> database().flush(table);
      case 3 -> database().compact(table);
      case 4 -> database().splitRegion(table, bytes(tables.row()));
      case 5 -> database().mergeRegions(table, bytes(tables.row()));
      default -> {
        database().flush(table);
        database().majorCompact(table);
      }
    }
  }

  private void release() {
    open.forEach(WatchedTransaction::close);
    cursors.forEach(WatchedCursor::close);
    snapshots.forEach(Snapshot::close);
  }

  @Override
  public void close() throws IOException {
    release();
    subject.close();
  }
}
