// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.Cell;
import io.accordiondb.CompactionStyle;
import io.accordiondb.Database;
import io.accordiondb.Delete;
import io.accordiondb.DeleteRange;
import io.accordiondb.FamilyDescriptor;
import io.accordiondb.Get;
import io.accordiondb.Merge;
import io.accordiondb.MergeOperator;
import io.accordiondb.Put;
import io.accordiondb.RecoveryMode;
import io.accordiondb.Result;
import io.accordiondb.ResultScanner;
import io.accordiondb.Scan;
import io.accordiondb.Snapshot;
import io.accordiondb.SortedFileWriter;
import io.accordiondb.Table;
import io.accordiondb.TableDescriptor;
import io.accordiondb.Transaction;
import io.accordiondb.WriteBatch;
import io.accordiondb.memstore.Policy;
import io.accordiondb.merge.MergeOperators;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** One random sequence of operations on a table with merge operators, beside its model. */
final class MergeRun implements ModelSequences.Sequence {
  private static final String TABLE = "merged";
  private static final String COPY = "copy";
  private static final int ROWS = 6;
  private static final long TTL_MILLIS = 300;

  /** The operator of each family; appending shows an operand that is lost, doubled or misplaced. */
  private static final Map<String, MergeOperator> FAMILIES =
      Map.of(
          "app", MergeOperators.append(),
          "cnt", MergeOperators.counter(),
          "max", MergeOperators.max(),
          "ttl", MergeOperators.append());

  private static final List<String> QUALIFIERS = List.of("", "a", "b", "c");

  private record Moment(Snapshot snapshot, int size) {}

  private final SplittableRandom random;
  private final Path folder;
  private final Subject subject;
  private final MergeHistory history = new MergeHistory(FAMILIES);
  private final List<Moment> moments = new ArrayList<>();
  private int token;

  MergeRun(Policy policy, long seed, Path folder) throws IOException {
    this.random = new SplittableRandom(seed);
    this.folder = folder;
    this.subject = new Subject(policy, seed);
    TableDescriptor.Builder table = TableDescriptor.builder(TABLE);
    for (Map.Entry<String, MergeOperator> family : new TreeMap<>(FAMILIES).entrySet()) {
      FamilyDescriptor.Builder builder =
          FamilyDescriptor.builder(family.getKey()).mergeOperator(family.getValue().name());
      if (family.getKey().equals("ttl")) {
        builder.ttlMillis(TTL_MILLIS);
      }
      if (random.nextInt(3) == 0) {
        builder.compactionStyle(CompactionStyle.LEVELED);
      }
      table.family(builder.build());
    }
    subject.database().createTable(table.build());
  }

  @Override
  public long run(int operations) throws IOException {
    for (int i = 0; i < operations; i++) {
      step();
      if (random.nextInt(4) == 0) {
        check();
      }
    }
    check();
    subject.database().majorCompact(TABLE);
    check();
    return operations;
  }

  private Table table() throws IOException {
    return subject.database().table(TABLE);
  }

  private void step() throws IOException {
    switch (random.nextInt(40)) {
      case 0 -> subject.database().flush(TABLE);
      case 1, 2, 3 -> subject.database().flushInMemory(TABLE);
      case 4 -> subject.database().compact(TABLE);
      case 5 -> subject.database().majorCompact(TABLE);
      case 6 -> reopen();
      case 7, 8 -> takeSnapshot();
      case 9 -> releaseSnapshot();
      case 10, 11 -> ingest();
      case 12 -> transact();
      case 13 -> subject.database().splitRegion(TABLE, bytes(row()));
      case 14 -> subject.database().mergeRegions(TABLE, bytes(row()));
      case 15 -> checkCheckpoint();
      case 16 -> manyOperands();
      case 17 -> hotColumn();
      case 18 -> alter();
      case 19 -> copy();
      case 20 -> checkOther(subject.refreshed());
      case 21 -> checkFollowed();
      default -> write();
    }
  }

  /** Changes how files are written and merged. */
  private void alter() throws IOException {
    subject.database().alterTable(reformatted(TABLE));
  }

  private TableDescriptor reformatted(String name) throws IOException {
    TableDescriptor.Builder table = TableDescriptor.builder(name);
    for (FamilyDescriptor family : subject.database().describe(TABLE).families()) {
      CompactionStyle[] styles = CompactionStyle.values();
      table.family(
          ModelTables.formatted(
              family.toBuilder().compactionStyle(styles[random.nextInt(styles.length)]), random));
    }
    return table.build();
  }

  /** Copies the table, and lets the copy go its own way for a while. */
  private void copy() throws IOException {
    Database database = subject.database();
    database.copyTable(TABLE, reformatted(COPY));
    checkTable(database.table(COPY));
    database.splitRegion(COPY, bytes(row()));
    if (random.nextBoolean()) {
      database.compact(COPY);
    } else {
      database.majorCompact(COPY);
    }
    checkTable(database.table(COPY));
    database.dropTable(COPY);
  }

  private void checkOther(Database other) throws IOException {
    checkTable(other.table(TABLE));
  }

  private void checkTable(Table other) throws IOException {
    assertThat(scanned(other, new Scan()))
        .containsExactlyInAnyOrderEntriesOf(history.read(history.size(), oldestLive()));
  }

  private void checkFollowed() throws IOException {
    try (Database followed = subject.openFollowed()) {
      if (followed != null) {
        checkOther(followed);
      }
    }
  }

  /**
   * One column in memory alone, whose operands are combined until the log could do without them.
   */
  private void hotColumn() throws IOException {
    subject.database().flush();
    String row = row();
    for (int i = 0; i < 120; i++) {
      WriteBatch batch = new WriteBatch();
      for (int j = 0; j < 5; j++) {
        merge(batch, row, "cnt", "a");
      }
      subject.database().write(batch);
      if (i % 15 == 14) {
        subject.database().flushInMemory(TABLE);
      }
    }
    moments.forEach(moment -> moment.snapshot.close());
    moments.clear();
    subject.kill(random, RecoveryMode.TOLERATE_TORN_TAIL);
  }

  private void reopen() throws IOException {
    moments.forEach(moment -> moment.snapshot.close());
    moments.clear();
    if (random.nextBoolean()) {
      subject.reopen(RecoveryMode.TOLERATE_TORN_TAIL);
    } else {
      subject.kill(random, RecoveryMode.TOLERATE_TORN_TAIL);
    }
  }

  private void takeSnapshot() throws IOException {
    if (moments.size() < 3) {
      moments.add(new Moment(subject.database().snapshot(), history.size()));
    }
  }

  private void releaseSnapshot() {
    if (!moments.isEmpty()) {
      moments.remove(random.nextInt(moments.size())).snapshot.close();
    }
  }

  private void write() throws IOException {
    subject.tick(random.nextInt(3));
    WriteBatch batch = new WriteBatch();
    int count = 1 + random.nextInt(6);
    for (int i = 0; i < count; i++) {
      addWrite(batch);
    }
    subject.database().write(batch);
  }

  /** Many operands of few columns, so that segments are sealed and compacted. */
  private void manyOperands() throws IOException {
    String row = row();
    for (int i = 0; i < 60; i++) {
      WriteBatch batch = new WriteBatch();
      for (int j = 0; j < 5; j++) {
        merge(batch, row, random.nextBoolean() ? "app" : "cnt", "a");
      }
      subject.database().write(batch);
    }
  }

  private void addWrite(WriteBatch batch) {
    String row = row();
    String family = family();
    String qualifier = qualifier();
    switch (random.nextInt(10)) {
      case 0 -> {
        byte[] value = value(family);
        Put put = new Put(bytes(row));
        long timestamp = subject.now();
        if (random.nextBoolean()) {
          put.addColumn(bytes(family), bytes(qualifier), value);
        } else {
          timestamp = Math.max(0, timestamp + random.nextInt(200) - 100);
          put.addColumn(bytes(family), bytes(qualifier), timestamp, value);
        }
        batch.put(TABLE, put);
        history.add(new MergeHistory.Write(row, family, qualifier, 'p', value, timestamp));
      }
      case 1 -> {
        batch.delete(TABLE, new Delete(bytes(row)).addColumns(bytes(family), bytes(qualifier)));
        history.add(new MergeHistory.Write(row, family, qualifier, 'd', new byte[0], 0));
      }
      case 2 -> {
        if (random.nextBoolean()) {
          batch.delete(TABLE, new Delete(bytes(row)).addFamily(bytes(family)));
          history.add(new MergeHistory.Write(row, family, null, 'd', new byte[0], 0));
        } else {
          batch.delete(TABLE, new Delete(bytes(row)));
          for (String each : FAMILIES.keySet()) {
            history.add(new MergeHistory.Write(row, each, null, 'd', new byte[0], 0));
          }
        }
      }
      case 3 -> {
        if (random.nextInt(4) == 0) {
          deleteRange(batch, row, row());
        }
      }
      default -> merge(batch, row, family, qualifier);
    }
  }

  private void deleteRange(WriteBatch batch, String start, String stop) {
    batch.deleteRange(TABLE, new DeleteRange(bytes(start), bytes(stop)));
    for (int i = 0; i < ROWS; i++) {
      String row = "row" + i;
      if (row.compareTo(start) >= 0 && row.compareTo(stop) < 0) {
        for (String each : FAMILIES.keySet()) {
          history.add(new MergeHistory.Write(row, each, null, 'd', new byte[0], 0));
        }
      }
    }
  }

  private void merge(WriteBatch batch, String row, String family, String qualifier) {
    byte[] operand = value(family);
    batch.merge(TABLE, new Merge(bytes(row)).addColumn(bytes(family), bytes(qualifier), operand));
    history.add(new MergeHistory.Write(row, family, qualifier, 'm', operand, subject.now()));
  }

  private void transact() throws IOException {
    int before = history.size();
    try (Transaction transaction = subject.database().beginTransaction()) {
      for (int i = 0; i < 3; i++) {
        WriteBatch batch = new WriteBatch();
        addWrite(batch);
        addWrite(batch);
        transaction
            .table(TABLE)
            .mutate(batch.entries().stream().map(WriteBatch.Entry::mutation).toList());
        String row = row();
        assertThat(found(transaction.table(TABLE).get(new Get(bytes(row)))))
            .containsExactlyInAnyOrderEntriesOf(
                rowOf(history.read(history.size(), oldestLive()), row));
      }
      if (random.nextBoolean()) {
        transaction.commit();
      } else {
        transaction.rollback();
        history.truncate(before);
      }
    }
  }

  private void ingest() throws IOException {
    String family = family();
    Path file = folder.resolve("ingested" + token++);
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
        history.add(new MergeHistory.Write(row, family, qualifier, 'p', value, timestamp));
      }
      writer.finish();
    }
    subject.database().ingest(TABLE, family, List.of(file));
    Files.delete(file);
  }

  private void check() throws IOException {
    Map<String, String> expected = history.read(history.size(), oldestLive());
    assertThat(scanned(new Scan())).containsExactlyInAnyOrderEntriesOf(expected);
    assertThat(scanned(new Scan().setReversed(true))).containsExactlyInAnyOrderEntriesOf(expected);
    String row = row();
    assertThat(found(table().get(new Get(bytes(row)))))
        .containsExactlyInAnyOrderEntriesOf(rowOf(expected, row));
    String family = family();
    String qualifier = qualifier();
    Result single = table().get(new Get(bytes(row)).addColumn(bytes(family), bytes(qualifier)));
    byte[] value = single.value(bytes(family), bytes(qualifier));
    assertThat(value == null ? null : text(value))
        .isEqualTo(expected.get(row + "/" + family + ":" + qualifier));
    for (Moment moment : moments) {
      assertThat(scanned(new Scan().setSnapshot(moment.snapshot)))
          .containsExactlyInAnyOrderEntriesOf(history.read(moment.size, oldestLive()));
    }
  }

  private void checkCheckpoint() throws IOException {
    try (Database copy = subject.openCheckpoint()) {
      checkOther(copy);
    }
  }

  private Map<String, String> scanned(Scan scan) throws IOException {
    return scanned(table(), scan);
  }

  private static Map<String, String> scanned(Table table, Scan scan) throws IOException {
    Map<String, String> found = new TreeMap<>();
    List<String> rows = new ArrayList<>();
    try (ResultScanner scanner = table.scan(scan)) {
      for (Result result : scanner) {
        rows.add(text(result.row()));
        found.putAll(found(result));
      }
    }
    RowOrder.check(rows, scan);
    return found;
  }

  private static Map<String, String> found(Result result) {
    Map<String, String> found = new TreeMap<>();
    for (Cell cell : result.cells()) {
      found.put(
          text(cell.row()) + "/" + text(cell.family()) + ":" + text(cell.qualifier()),
          text(cell.value()));
    }
    return found;
  }

  private static Map<String, String> rowOf(Map<String, String> all, String row) {
    return all.entrySet().stream()
        .filter(column -> column.getKey().startsWith(row + "/"))
        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
  }

  private long oldestLive() {
    return subject.now() - TTL_MILLIS;
  }

  private String row() {
    return "row" + random.nextInt(ROWS);
  }

  private String family() {
    return List.of("app", "cnt", "max", "ttl").get(random.nextInt(4));
  }

  private String qualifier() {
    return QUALIFIERS.get(random.nextInt(QUALIFIERS.size()));
  }

  private byte[] value(String family) {
    return family.equals("cnt")
        ? ByteBuffer.allocate(Long.BYTES).putLong(random.nextInt(1000) - 300).array()
        : bytes(token++ + ",");
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }

  @Override
  public void close() throws IOException {
    moments.forEach(moment -> moment.snapshot.close());
    subject.close();
  }
}
