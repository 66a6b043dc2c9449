// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.Append;
import io.accordiondb.Cell;
import io.accordiondb.ChangedCell;
import io.accordiondb.CompactionStyle;
import io.accordiondb.Delete;
import io.accordiondb.DeleteRange;
import io.accordiondb.Durability;
import io.accordiondb.FamilyDescriptor;
import io.accordiondb.Merge;
import io.accordiondb.MergeOperator;
import io.accordiondb.Put;
import io.accordiondb.RecoveryMode;
import io.accordiondb.SortedFileWriter;
import io.accordiondb.TableDescriptor;
import io.accordiondb.WriteBatch;
import io.accordiondb.encoding.CellType;
import io.accordiondb.internal.engine.Lulls;
import io.accordiondb.memstore.Policy;
import io.accordiondb.merge.MergeOperators;
import io.accordiondb.model.MergeHistory.Write;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** One random sequence of operations on a table with merge operators, beside its model. */
final class MergeRun extends TableRun {
  private static final String TABLE = "merged";
  private static final long TTL_MILLIS = 300;
  private static final byte[] NONE = new byte[0];
  private static final List<String> ROWS = List.of("row0", "row1", "row2", "row3", "row4", "row5");
  private static final List<String> QUALIFIERS = List.of("", "a", "b", "c");

  /** The operator of each family; appending shows an operand that is lost, doubled or misplaced. */
  private static final Map<String, MergeOperator> FAMILIES =
      new TreeMap<>(
          Map.of(
              "app", MergeOperators.append(),
              "cnt", MergeOperators.counter(),
              "max", MergeOperators.max(),
              "ttl", MergeHistory.PREPEND));

  private final MergeHistory history = new MergeHistory(FAMILIES);
  private final SubjectFeed feed;

  /** What the feed has delivered, with what no feed delivers. */
  private MergeHistory followed = new MergeHistory(FAMILIES);

  /** Whether there are writes that the log does not hold, and a kill would undo. */
  private boolean hasSkipped;

  MergeRun(Policy policy, long seed, Path folder) throws IOException {
    super(policy, seed, folder, TABLE, false, 3);
    TableDescriptor.Builder table = TableDescriptor.builder(TABLE);
    FAMILIES.forEach(
        (name, operator) -> {
          FamilyDescriptor.Builder builder =
              FamilyDescriptor.builder(name).mergeOperator(operator.name());
          if (name.equals("ttl")) {
            builder.ttlMillis(TTL_MILLIS);
          }
          if (random.nextInt(3) == 0) {
            builder.compactionStyle(CompactionStyle.LEVELED);
          }
          table.family(builder.build());
        });
    database().createTable(table.build());
    feed = new SubjectFeed(subject);
    feed.begin();
  }

  @Override
  void step() throws IOException {
    switch (random.nextInt(40)) {
      case 0 -> database().flush(TABLE);
      case 1, 2 -> database().flushInMemory(TABLE);
      case 3 -> Lulls.seal(database(), TABLE);
      case 4 -> database().compact(TABLE);
      case 5 -> database().majorCompact(TABLE);
      case 6 -> {
        flushSkipped();
        reopen();
      }
      case 7, 8 -> takeSnapshot();
      case 9 -> releaseSnapshot();
      case 10, 11 -> ingest();
      case 12 -> transact();
      case 13 -> database().splitRegion(TABLE, bytes(row()));
      case 14 -> database().mergeRegions(TABLE, bytes(row()));
      case 15 -> {
        flushSkipped();
        checkCheckpoint();
      }
      case 16 -> manyOperands();
      case 17 -> hotColumn();
      case 18 -> alter();
      case 19 -> copy();
      case 20 -> {
        flushSkipped();
        checkReader();
      }
      case 21 -> {
        flushSkipped();
        checkFollowed(3);
      }
      default -> {
        if (pauses.nextInt(4) == 0) {
          writeUnlogged();
        } else {
          write(3);
        }
        if (pauses.nextInt(6) == 0) {
          readAndWrite();
        }
      }
    }
    take();
    if (pauses.nextInt(4) == 0) {
      assertThat(followed.read(followed.size(), oldestLive())).isEqualTo(expected(size()));
    }
  }

  /** Flushes what neither a reader nor a copy has otherwise, nor what a kill leaves. */
  private void flushSkipped() throws IOException {
    if (hasSkipped) {
      database().flush();
      hasSkipped = false;
    }
  }

  private void writeUnlogged() throws IOException {
    int before = size();
    write(3, Durability.SKIP);
    hasSkipped = true;
    history.after(before).forEach(followed::add);
  }

  /** Increments, or appends to, a value that operands may make; the log has the result. */
  private void readAndWrite() throws IOException {
    boolean increments = pauses.nextBoolean();
    String family = increments ? "cnt" : "app";
    String row = ROWS.get(pauses.nextInt(ROWS.size()));
    String qualifier = QUALIFIERS.get(pauses.nextInt(QUALIFIERS.size()));
    String before = newest(row, family, qualifier);
    byte[] result;
    if (increments) {
      long amount = pauses.nextInt(1000);
      long sum = amount + (before == null ? 0 : ByteBuffer.wrap(bytes(before)).getLong());
      assertThat(table().increment(bytes(row), bytes(family), bytes(qualifier), amount))
          .isEqualTo(sum);
      result = ByteBuffer.allocate(Long.BYTES).putLong(sum).array();
    } else {
      String suffix = nextToken() + "+";
      result = bytes((before == null ? "" : before) + suffix);
      Append append =
          new Append(bytes(row)).addColumn(bytes(family), bytes(qualifier), bytes(suffix));
      assertThat(table().append(append).value(bytes(family), bytes(qualifier))).isEqualTo(result);
    }
    history.add(new Write(row, family, qualifier, 'p', result, writeTime()));
  }

  /** Takes what the feed delivers. */
  private void take() throws IOException {
    if (!feed.take(this::follow)) {
      followed = new MergeHistory(FAMILIES);
      history.after(0).forEach(followed::add);
    }
  }

  private void follow(ChangedCell changed) {
    assertThat(changed.table()).isEqualTo(TABLE);
    Cell cell = changed.cell();
    String row = text(cell.row());
    String family = text(cell.family());
    switch (cell.type()) {
      case PUT, MERGE ->
          followed.add(
              new Write(
                  row,
                  family,
                  text(cell.qualifier()),
                  cell.type() == CellType.PUT ? 'p' : 'm',
                  cell.value(),
                  cell.timestamp()));
      case DELETE_COLUMN ->
          followed.add(new Write(row, family, text(cell.qualifier()), 'd', NONE, 0));
      case DELETE_FAMILY -> followed.add(new Write(row, family, null, 'd', NONE, 0));
      case DELETE_RANGE ->
          ROWS.stream()
              .filter(each -> each.compareTo(row) >= 0)
              .filter(each -> cell.value().length == 0 || each.compareTo(text(cell.value())) < 0)
              .forEach(each -> followed.add(new Write(each, family, null, 'd', NONE, 0)));
      case DELETE, DELETE_FAMILY_VERSION -> throw new AssertionError(cell);
    }
  }

  /**
   * One column in memory alone, whose operands are combined until the log could do without them.
   */
  private void hotColumn() throws IOException {
    database().flush();
    String row = row();
    for (int i = 0; i < 120; i++) {
      WriteBatch batch = new WriteBatch();
      for (int j = 0; j < 5; j++) {
        merge(batch, row, "cnt", "a");
      }
      database().write(batch);
      if (i % 15 == 14) {
        database().flushInMemory(TABLE);
      }
    }
    releaseSnapshots();
    subject.kill(random, RecoveryMode.TOLERATE_TORN_TAIL);
  }

  /** Many operands of few columns, so that segments are sealed and compacted. */
  private void manyOperands() throws IOException {
    String row = row();
    for (int i = 0; i < 60; i++) {
      WriteBatch batch = new WriteBatch();
      for (int j = 0; j < 5; j++) {
        merge(batch, row, random.nextBoolean() ? "app" : "cnt", "a");
      }
      database().write(batch);
    }
  }

  @Override
  void addWrite(WriteBatch batch) {
    String row = row();
    String family = family();
    String qualifier = qualifier();
    switch (random.nextInt(10)) {
      case 0 -> put(batch, row, family, qualifier);
      case 1 -> {
        batch.delete(TABLE, new Delete(bytes(row)).addColumns(bytes(family), bytes(qualifier)));
        history.add(new Write(row, family, qualifier, 'd', NONE, 0));
      }
      case 2 -> {
        if (random.nextBoolean()) {
          batch.delete(TABLE, new Delete(bytes(row)).addFamily(bytes(family)));
          history.add(new Write(row, family, null, 'd', NONE, 0));
        } else {
          batch.delete(TABLE, new Delete(bytes(row)));
          deleteRow(row);
        }
      }
      case 3 -> {
        if (random.nextInt(4) == 0) {
          String stop = row();
          batch.deleteRange(TABLE, new DeleteRange(bytes(row), bytes(stop)));
          rowsBetween(row, stop).forEach(this::deleteRow);
        }
      }
      default -> merge(batch, row, family, qualifier);
    }
  }

  private void put(WriteBatch batch, String row, String family, String qualifier) {
    byte[] value = value(family);
    Put put = new Put(bytes(row));
    long timestamp = writeTime();
    if (random.nextBoolean()) {
      put.addColumn(bytes(family), bytes(qualifier), value);
    } else {
      timestamp = Math.max(0, subject.now() + random.nextInt(200) - 100);
      put.addColumn(bytes(family), bytes(qualifier), timestamp, value);
    }
    batch.put(TABLE, put);
    history.add(new Write(row, family, qualifier, 'p', value, timestamp));
  }

  private void deleteRow(String row) {
    FAMILIES.keySet().forEach(family -> history.add(new Write(row, family, null, 'd', NONE, 0)));
  }

  private void merge(WriteBatch batch, String row, String family, String qualifier) {
    byte[] operand = value(family);
    batch.merge(TABLE, new Merge(bytes(row)).addColumn(bytes(family), bytes(qualifier), operand));
    history.add(new Write(row, family, qualifier, 'm', operand, writeTime()));
  }

  private void ingest() throws IOException {
    String family = family();
    Path file = folder.resolve("ingested" + nextToken());
    Set<String> rows = new TreeSet<>();
    for (int i = 0; i < 4; i++) {
      rows.add(row());
    }
    long timestamp = Math.max(0, subject.now() + random.nextInt(40) - 20);
    try (SortedFileWriter writer = SortedFileWriter.create(file, FamilyDescriptor.of(family))) {
      for (String row : rows) {
        byte[] value = value(family);
        String qualifier = qualifier();
        writer.add(bytes(row), bytes(qualifier), timestamp, value);
        Write write = new Write(row, family, qualifier, 'p', value, timestamp);
        history.add(write);
        followed.add(write);
      }
      writer.finish();
    }
    database().ingest(TABLE, family, List.of(file));
    Files.delete(file);
  }

  private byte[] value(String family) {
    return family.equals("cnt")
        ? ByteBuffer.allocate(Long.BYTES).putLong(random.nextInt(1000) - 300).array()
        : bytes(nextToken() + ",");
  }

  @Override
  int size() {
    return history.size();
  }

  @Override
  void truncate(int size) {
    history.truncate(size);
  }

  @Override
  void date(int size, long time) {
    history.date(size, time);
  }

  @Override
  Map<String, String> expected(int size) {
    return history.read(size, oldestLive());
  }

  private long oldestLive() {
    return subject.now() - TTL_MILLIS;
  }

  @Override
  @Nullable String newest(String row, String family, String qualifier) {
    return expected(size()).get(row + "/" + family + ":" + qualifier);
  }

  @Override
  String name(Cell cell) {
    return column(cell);
  }

  @Override
  String content(Cell cell) {
    return text(cell.value());
  }

  @Override
  List<String> rows() {
    return ROWS;
  }

  @Override
  List<String> families() {
    return List.copyOf(FAMILIES.keySet());
  }

  @Override
  List<String> qualifiers() {
    return QUALIFIERS;
  }

  @Override
  public void close() throws IOException {
    feed.close();
    super.close();
  }
}
