// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.Cell;
import io.accordiondb.CompactionStyle;
import io.accordiondb.Database;
import io.accordiondb.Delete;
import io.accordiondb.FamilyDescriptor;
import io.accordiondb.Get;
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
import io.accordiondb.encoding.CellTags;
import io.accordiondb.memstore.Policy;
import io.accordiondb.model.ExpiryHistory.Family;
import io.accordiondb.model.ExpiryHistory.Write;
import io.accordiondb.retention.KeepDeletedCells;
import io.accordiondb.retention.VersionRules;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;

/** One random sequence of operations on a table whose cells expire, beside its model. */
final class ExpiryRun implements ModelSequences.Sequence {
  private static final String TABLE = "expiring";
  private static final String COPY = "copy";
  private static final int ROWS = 5;
  private static final long TTL_MILLIS = 300;

  /** Tags that have no meaning for the database. */
  private static final byte[] TAGS = {0, 4, 65, 1, 2, 3};

  private static final List<String> QUALIFIERS = List.of("", "a", "b");
  private static final Map<String, Family> FAMILIES = families();

  private record Moment(Snapshot snapshot, int size) {}

  private final SplittableRandom random;
  private final Path folder;
  private final Subject subject;
  private final ExpiryHistory history = new ExpiryHistory(FAMILIES);
  private final List<Moment> moments = new ArrayList<>();
  private int token;

  ExpiryRun(Policy policy, long seed, Path folder) throws IOException {
    this.random = new SplittableRandom(seed);
    this.folder = folder;
    this.subject = new Subject(policy, seed);
    TableDescriptor.Builder table = TableDescriptor.builder(TABLE);
    FAMILIES.forEach((name, family) -> table.family(descriptor(name, family)));
    subject.database().createTable(table.build());
  }

  private static Map<String, Family> families() {
    Map<String, Family> families = new LinkedHashMap<>();
    families.put("one", new Family(VersionRules.DEFAULT, false));
    families.put("three", new Family(rules(3, 0, VersionRules.FOREVER), false));
    families.put("ttl", new Family(rules(2, 1, TTL_MILLIS), false));
    families.put("filtered", new Family(VersionRules.DEFAULT, true));
    families.put("filtered2", new Family(rules(2, 0, TTL_MILLIS), true));
    return families;
  }

  private static VersionRules rules(int max, int min, long ttlMillis) {
    return new VersionRules(max, min, ttlMillis, KeepDeletedCells.FALSE);
  }

  private FamilyDescriptor descriptor(String name, Family family) {
    FamilyDescriptor.Builder builder = FamilyDescriptor.builder(name).versionRules(family.rules());
    if (family.filters()) {
      builder.compactionFilter(ExpiryHistory.FILTER_NAME).filtersReads(true);
    }
    if (random.nextInt(3) == 0) {
      builder.compactionStyle(CompactionStyle.LEVELED);
    }
    return builder.build();
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
      case 0, 1 -> subject.database().flush(TABLE);
      case 2, 3, 4 -> subject.database().flushInMemory(TABLE);
      case 5, 6 -> subject.database().compact(TABLE);
      case 7 -> subject.database().majorCompact(TABLE);
      case 8 -> reopen();
      case 9 -> takeSnapshot();
      case 10 -> releaseSnapshots();
      case 11, 12 -> ingest();
      case 13, 14 -> transact();
      case 15 -> subject.database().splitRegion(TABLE, bytes(row()));
      case 16 -> subject.database().mergeRegions(TABLE, bytes(row()));
      case 17 -> subject.tick(random.nextInt(150));
      case 18 -> manyVersions();
      case 19 -> comesToLight();
      case 20 -> deleteRange();
      case 21 -> alter();
      case 22 -> copy();
      case 23 -> checkOther(subject.refreshed());
      case 24 -> {
        try (Database copy = subject.openCheckpoint()) {
          checkOther(copy);
        }
      }
      default -> write();
    }
  }

  private void deleteRange() throws IOException {
    String start = row();
    String stop = row();
    table().deleteRange(bytes(start), bytes(stop));
    for (int i = 0; i < ROWS; i++) {
      String row = "row" + i;
      if (row.compareTo(start) >= 0 && row.compareTo(stop) < 0) {
        FAMILIES
            .keySet()
            .forEach(family -> add(row, family, null, Long.MAX_VALUE, null, VersionRules.FOREVER));
      }
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
    Table copy = database.table(COPY);
    assertThat(scanned(copy, new Scan())).isEqualTo(expected(history.size()));
    database.splitRegion(COPY, bytes(row()));
    if (random.nextBoolean()) {
      database.compact(COPY);
    } else {
      database.majorCompact(COPY);
    }
    assertThat(scanned(copy, new Scan())).isEqualTo(expected(history.size()));
    database.dropTable(COPY);
  }

  private void checkOther(Database other) throws IOException {
    assertThat(scanned(other.table(TABLE), new Scan())).isEqualTo(expected(history.size()));
  }

  private void reopen() throws IOException {
    releaseSnapshots();
    if (random.nextBoolean()) {
      subject.reopen(RecoveryMode.TOLERATE_TORN_TAIL);
    } else {
      subject.kill(random, RecoveryMode.TOLERATE_TORN_TAIL);
    }
  }

  private void takeSnapshot() throws IOException {
    if (moments.size() < 2) {
      moments.add(new Moment(subject.database().snapshot(), history.size()));
    }
  }

  private void releaseSnapshots() {
    moments.forEach(moment -> moment.snapshot.close());
    moments.clear();
  }

  private void write() throws IOException {
    subject.tick(random.nextInt(20));
    WriteBatch batch = new WriteBatch();
    int count = 1 + random.nextInt(6);
    for (int i = 0; i < count; i++) {
      addWrite(batch);
    }
    subject.database().write(batch);
  }

  /** Many versions of few columns, so that segments are sealed and compacted. */
  private void manyVersions() throws IOException {
    String row = row();
    String family = family();
    for (int i = 0; i < 40; i++) {
      WriteBatch batch = new WriteBatch();
      for (int j = 0; j < 5; j++) {
        addPut(batch, row, family, "a");
      }
      subject.database().write(batch);
    }
  }

  /**
   * A version that was written last, with the lowest timestamp, is seen once the one above it has
   * expired; it lies in files, and that one in memory.
   */
  private void comesToLight() throws IOException {
    String row = row();
    String family = random.nextBoolean() ? "one" : "three";
    long last = subject.now();
    put(row, family, last - 1, VersionRules.FOREVER);
    subject.database().flush(TABLE);
    put(row, family, last, 1 + random.nextInt(20));
    ingest(family, Set.of(row), "a", last - 2);
    subject.database().majorCompact(TABLE);
    subject.tick(30);
    check();
  }

  private void put(String row, String family, long timestamp, long ttlMillis) throws IOException {
    String value = value();
    Put put = new Put(bytes(row)).setTtlMillis(ttlMillis);
    table().put(put.addColumn(bytes(family), bytes("a"), timestamp, bytes(value)));
    add(row, family, "a", timestamp, value, ttlMillis);
  }

  private void addWrite(WriteBatch batch) {
    String row = row();
    String family = family();
    String qualifier = qualifier();
    switch (random.nextInt(10)) {
      case 0 -> {
        long timestamp = timestamp();
        Delete delete = new Delete(bytes(row));
        batch.delete(TABLE, delete.addColumns(bytes(family), bytes(qualifier), timestamp));
        add(row, family, qualifier, timestamp, null, VersionRules.FOREVER);
      }
      case 1 -> {
        long timestamp = timestamp();
        batch.delete(TABLE, new Delete(bytes(row)).addFamily(bytes(family), timestamp));
        add(row, family, null, timestamp, null, VersionRules.FOREVER);
      }
      default -> addPut(batch, row, family, qualifier);
    }
  }

  private void addPut(WriteBatch batch, String row, String family, String qualifier) {
    long ttlMillis = random.nextBoolean() ? VersionRules.FOREVER : 1 + random.nextInt(400);
    long timestamp = timestamp();
    String value = value();
    Put put = new Put(bytes(row)).setTtlMillis(ttlMillis);
    byte[] tags = random.nextInt(3) == 0 ? TAGS : CellTags.NONE;
    batch.put(TABLE, put.addColumn(bytes(family), bytes(qualifier), timestamp, bytes(value), tags));
    add(row, family, qualifier, timestamp, value, ttlMillis);
  }

  private void add(
      String row, String family, String qualifier, long timestamp, String value, long ttlMillis) {
    history.add(new Write(row, family, qualifier, timestamp, value, ttlMillis));
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
        assertThat(found(transaction.table(TABLE).get(new Get(bytes(row)).setAllVersions())))
            .isEqualTo(rowOf(expected(history.size()), row));
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
    Set<String> rows = new TreeSet<>();
    for (int i = 0; i < 3; i++) {
      rows.add(row());
    }
    ingest(family(), rows, qualifier(), timestamp());
  }

  private void ingest(String family, Set<String> rows, String qualifier, long timestamp)
      throws IOException {
    Path file = folder.resolve("ingested" + token++);
    try (SortedFileWriter writer = SortedFileWriter.create(file, FamilyDescriptor.of(family))) {
      for (String row : rows) {
        String value = value();
        writer.add(bytes(row), bytes(qualifier), timestamp, bytes(value));
        add(row, family, qualifier, timestamp, value, VersionRules.FOREVER);
      }
      writer.finish();
    }
    subject.database().ingest(TABLE, family, List.of(file));
    Files.delete(file);
  }

  private void check() throws IOException {
    Map<String, List<Write>> seen = history.read(history.size(), subject.now());
    Map<String, String> expected = asText(seen);
    assertThat(scanned(new Scan())).isEqualTo(expected);
    assertThat(scanned(new Scan().setReversed(true))).isEqualTo(expected);
    String row = row();
    assertThat(found(table().get(new Get(bytes(row)).setAllVersions())))
        .isEqualTo(rowOf(expected, row));
    String family = family();
    String qualifier = qualifier();
    List<Write> versions = seen.getOrDefault(row + "/" + family + ":" + qualifier, List.of());
    for (int i = 0; i < 3; i++) {
      // The second time a column is asked for, a cache may have it.
      Result single = table().get(new Get(bytes(row)).addColumn(bytes(family), bytes(qualifier)));
      byte[] value = single.value(bytes(family), bytes(qualifier));
      assertThat(value == null ? null : text(value))
          .isEqualTo(versions.isEmpty() ? null : versions.get(0).value());
    }
    for (Moment moment : moments) {
      assertThat(scanned(new Scan().setSnapshot(moment.snapshot))).isEqualTo(expected(moment.size));
    }
  }

  /** Returns what is to be found of each version, by column and timestamp. */
  private Map<String, String> expected(int size) {
    return asText(history.read(size, subject.now()));
  }

  private static Map<String, String> asText(Map<String, List<Write>> seen) {
    Map<String, String> text = new TreeMap<>();
    seen.forEach(
        (column, versions) ->
            versions.forEach(
                version ->
                    text.put(
                        column + "@" + version.timestamp(),
                        version.value() + " for " + version.ttlMillis())));
    return text;
  }

  private Map<String, String> scanned(Scan scan) throws IOException {
    return scanned(table(), scan);
  }

  private static Map<String, String> scanned(Table table, Scan scan) throws IOException {
    Map<String, String> found = new TreeMap<>();
    List<String> rows = new ArrayList<>();
    try (ResultScanner scanner = table.scan(scan.setAllVersions())) {
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
          text(cell.row())
              + "/"
              + text(cell.family())
              + ":"
              + text(cell.qualifier())
              + "@"
              + cell.timestamp(),
          text(cell.value()) + " for " + cell.ttlMillis());
    }
    return found;
  }

  private static Map<String, String> rowOf(Map<String, String> all, String row) {
    Map<String, String> ofRow = new TreeMap<>(all);
    ofRow.keySet().removeIf(column -> !column.startsWith(row + "/"));
    return ofRow;
  }

  private String row() {
    return "row" + random.nextInt(ROWS);
  }

  private String family() {
    List<String> names = List.copyOf(FAMILIES.keySet());
    return names.get(random.nextInt(names.size()));
  }

  private String qualifier() {
    return QUALIFIERS.get(random.nextInt(QUALIFIERS.size()));
  }

  /** Returns the present time, or one near by. */
  private long timestamp() {
    return random.nextInt(3) == 0 ? subject.now() + random.nextInt(200) - 150 : subject.now();
  }

  private String value() {
    return (subject.now() + random.nextInt(500)) + "|" + token++ + " ".repeat(random.nextInt(60));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }

  @Override
  public void close() throws IOException {
    releaseSnapshots();
    subject.close();
  }
}
