// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.Cell;
import io.accordiondb.CompactionStyle;
import io.accordiondb.Database;
import io.accordiondb.Durability;
import io.accordiondb.FamilyDescriptor;
import io.accordiondb.Get;
import io.accordiondb.RecoveryMode;
import io.accordiondb.Result;
import io.accordiondb.ResultScanner;
import io.accordiondb.Scan;
import io.accordiondb.Snapshot;
import io.accordiondb.Table;
import io.accordiondb.TableDescriptor;
import io.accordiondb.Transaction;
import io.accordiondb.WriteBatch;
import io.accordiondb.memstore.Policy;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A random sequence of operations on one table. A subclass writes, and says what readers see then.
 */
abstract class TableRun implements ModelSequences.Sequence {
  private static final String COPY = "copy";

  /** The time of a write that gets its own when its transaction is committed. */
  static final long UNDATED = Long.MAX_VALUE;

  /** Longer than some cells live. */
  private static final int TRANSACTION_STEP_MILLIS_MAX = 400;

  private static final int FOLLOWED_MAX = 8;

  private record Moment(Snapshot snapshot, int size) {}

  final SplittableRandom random;
  final Path folder;
  final Subject subject;

  private final String table;
  private final boolean readsAllVersions;
  private final int snapshotsMax;

  /** Apart from the rest, so that what is written does not depend on it. */
  final SplittableRandom pauses;

  private final List<Moment> moments = new ArrayList<>();
  private int token;
  private boolean inTransaction;

  /**
   * Creates a run.
   *
   * @param snapshotsMax how many snapshots are open at the most
   */
  TableRun(
      Policy policy,
      long seed,
      Path folder,
      String table,
      boolean readsAllVersions,
      int snapshotsMax)
      throws IOException {
    this.random = new SplittableRandom(seed);
    this.pauses = new SplittableRandom(~seed);
    this.folder = folder;
    this.subject = new Subject(policy, seed);
    this.table = table;
    this.readsAllVersions = readsAllVersions;
    this.snapshotsMax = snapshotsMax;
  }

  abstract void step() throws IOException;

  /** Adds a write to a batch and to the history. */
  abstract void addWrite(WriteBatch batch);

  /** Returns the length of the history. */
  abstract int size();

  /** Forgets what the history has after a length. */
  abstract void truncate(int size);

  /** Gives the writes after a length that are {@link #UNDATED} a time. */
  abstract void date(int size, long time);

  /** Returns what readers see of the history up to a length. */
  abstract Map<String, String> expected(int size);

  /** Returns the newest value of a column. */
  abstract @Nullable String newest(String row, String family, String qualifier);

  /** Returns the name in {@link #expected} of what a cell shows. */
  abstract String name(Cell cell);

  abstract String content(Cell cell);

  abstract List<String> rows();

  abstract List<String> families();

  abstract List<String> qualifiers();

  @Override
  public long run(int operations) throws IOException {
    for (int i = 0; i < operations; i++) {
      step();
      if (random.nextInt(4) == 0) {
        check();
      }
    }
    check();
    database().majorCompact(table);
    check();
    return operations;
  }

  final Database database() {
    return subject.database();
  }

  final Table table() throws IOException {
    return database().table(table);
  }

  /** Writes some cells in one batch. */
  final void write(int millisMax) throws IOException {
    write(millisMax, subject.database().options().durability());
  }

  final void write(int millisMax, Durability durability) throws IOException {
    subject.tick(random.nextInt(millisMax));
    WriteBatch batch = new WriteBatch();
    int count = 1 + random.nextInt(6);
    for (int i = 0; i < count; i++) {
      addWrite(batch);
    }
    database().write(batch, durability);
  }

  final void transact() throws IOException {
    int before = size();
    inTransaction = true;
    try (Transaction transaction = database().beginTransaction()) {
      Table own = transaction.table(table);
      for (int i = 0; i < 3; i++) {
        WriteBatch batch = new WriteBatch();
        addWrite(batch);
        addWrite(batch);
        own.mutate(batch.entries().stream().map(WriteBatch.Entry::mutation).toList());
        if (pauses.nextInt(3) == 0) {
          subject.tick(pauses.nextInt(TRANSACTION_STEP_MILLIS_MAX));
        }
        checkRow(own, row());
      }
      if (random.nextBoolean()) {
        transaction.commit();
        date(before, subject.writeTime());
      } else {
        transaction.rollback();
        truncate(before);
      }
    } finally {
      inTransaction = false;
    }
  }

  /** Returns the time of a write that is not given one. */
  final long writeTime() {
    return inTransaction ? UNDATED : subject.writeTime();
  }

  final void reopen() throws IOException {
    releaseSnapshots();
    if (random.nextBoolean()) {
      subject.reopen(RecoveryMode.TOLERATE_TORN_TAIL);
    } else {
      subject.kill(random, RecoveryMode.TOLERATE_TORN_TAIL);
    }
  }

  final void takeSnapshot() throws IOException {
    if (moments.size() < snapshotsMax) {
      moments.add(new Moment(database().snapshot(), size()));
    }
  }

  final void releaseSnapshot() {
    if (!moments.isEmpty()) {
      moments.remove(random.nextInt(moments.size())).snapshot.close();
    }
  }

  final void releaseSnapshots() {
    moments.forEach(moment -> moment.snapshot.close());
    moments.clear();
  }

  /** Changes how files are written and merged. */
  final void alter() throws IOException {
    database().alterTable(reformatted(table));
  }

  private TableDescriptor reformatted(String name) throws IOException {
    TableDescriptor.Builder descriptor = TableDescriptor.builder(name);
    for (FamilyDescriptor family : database().describe(table).families()) {
      CompactionStyle[] styles = CompactionStyle.values();
      descriptor.family(
          ModelTables.formatted(
              family.toBuilder().compactionStyle(styles[random.nextInt(styles.length)]), random));
    }
    return descriptor.build();
  }

  /** Copies the table, and lets the copy go its own way for a while. */
  final void copy() throws IOException {
    database().copyTable(table, reformatted(COPY));
    checkTable(database().table(COPY));
    database().splitRegion(COPY, bytes(row()));
    if (random.nextBoolean()) {
      database().compact(COPY);
    } else {
      database().majorCompact(COPY);
    }
    checkTable(database().table(COPY));
    database().dropTable(COPY);
  }

  final void check() throws IOException {
    Map<String, String> expected = expected(size());
    assertThat(scanned(table(), scan())).isEqualTo(expected);
    assertThat(scanned(table(), scan().setReversed(true))).isEqualTo(expected);
    String row = row();
    checkRow(table(), row);
    String family = family();
    String qualifier = qualifier();
    String newest = newest(row, family, qualifier);
    for (int i = 0; i < 3; i++) {
      // The second time a column is asked for, a cache may have it.
      Result single = table().get(new Get(bytes(row)).addColumn(bytes(family), bytes(qualifier)));
      byte[] value = single.value(bytes(family), bytes(qualifier));
      assertThat(value == null ? null : text(value)).isEqualTo(newest);
    }
    for (Moment moment : moments) {
      assertThat(scanned(table(), scan().setSnapshot(moment.snapshot)))
          .isEqualTo(expected(moment.size));
    }
  }

  private void checkRow(Table reads, String row) throws IOException {
    Map<String, String> expected = new TreeMap<>(expected(size()));
    expected.keySet().removeIf(column -> !column.startsWith(row + "/"));
    Get get = new Get(bytes(row));
    assertThat(found(reads.get(readsAllVersions ? get.setAllVersions() : get))).isEqualTo(expected);
  }

  final void checkReader() throws IOException {
    checkTable(subject.refreshed().table(table));
  }

  final void checkCheckpoint() throws IOException {
    try (Database copy = subject.openCheckpoint()) {
      checkTable(copy.table(table));
    }
  }

  /** Checks a copy that follows the log past some writes. */
  final void checkFollowed(int millisMax) throws IOException {
    try (Database followed = subject.openFollowed(() -> writeAndFlush(millisMax))) {
      checkTable(followed.table(table));
    }
  }

  private void writeAndFlush(int millisMax) throws IOException {
    int count = 1 + random.nextInt(FOLLOWED_MAX);
    for (int i = 0; i < count; i++) {
      switch (random.nextInt(6)) {
        case 0 -> database().flush(table);
        case 1 -> database().majorCompact(table);
        case 2 -> transact();
        default -> write(millisMax);
      }
    }
  }

  private void checkTable(Table other) throws IOException {
    assertThat(scanned(other, scan())).isEqualTo(expected(size()));
  }

  private Scan scan() {
    return readsAllVersions ? new Scan().setAllVersions() : new Scan();
  }

  private Map<String, String> scanned(Table other, Scan scan) throws IOException {
    Map<String, String> found = new TreeMap<>();
    List<String> rows = new ArrayList<>();
    try (ResultScanner scanner = other.scan(scan)) {
      for (Result result : scanner) {
        rows.add(text(result.row()));
        found.putAll(found(result));
      }
    }
    RowOrder.check(rows, scan);
    return found;
  }

  private Map<String, String> found(Result result) {
    Map<String, String> found = new TreeMap<>();
    result.cells().forEach(cell -> found.put(name(cell), content(cell)));
    return found;
  }

  static String column(Cell cell) {
    return text(cell.row()) + "/" + text(cell.family()) + ":" + text(cell.qualifier());
  }

  final String row() {
    return rows().get(random.nextInt(rows().size()));
  }

  /** Returns the rows of a range, the second bound excluded. */
  final List<String> rowsBetween(String start, String stop) {
    return rows().stream()
        .filter(row -> row.compareTo(start) >= 0 && row.compareTo(stop) < 0)
        .toList();
  }

  final String family() {
    return families().get(random.nextInt(families().size()));
  }

  final String qualifier() {
    return qualifiers().get(random.nextInt(qualifiers().size()));
  }

  final int nextToken() {
    return token++;
  }

  static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }

  @Override
  public void close() throws IOException {
    releaseSnapshots();
    subject.close();
  }
}
