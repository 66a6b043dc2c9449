// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.model;

import io.accordiondb.Cell;
import io.accordiondb.CompactionStyle;
import io.accordiondb.Delete;
import io.accordiondb.FamilyDescriptor;
import io.accordiondb.Put;
import io.accordiondb.SortedFileWriter;
import io.accordiondb.TableDescriptor;
import io.accordiondb.WriteBatch;
import io.accordiondb.encoding.CellTags;
import io.accordiondb.internal.engine.Lulls;
import io.accordiondb.memstore.Policy;
import io.accordiondb.model.ExpiryHistory.Family;
import io.accordiondb.model.ExpiryHistory.Write;
import io.accordiondb.retention.KeepDeletedCells;
import io.accordiondb.retention.VersionRules;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** One random sequence of operations on a table whose cells expire, beside its model. */
final class ExpiryRun extends TableRun {
  private static final String TABLE = "expiring";
  private static final List<String> ROWS = List.of("row0", "row1", "row2", "row3", "row4");
  private static final long TTL_MILLIS = 300;

  /** Tags that have no meaning for the database. */
  private static final byte[] TAGS = {0, 4, 65, 1, 2, 3};

  private static final List<String> QUALIFIERS = List.of("", "a", "b");
  private static final Map<String, Family> FAMILIES = familiesByName();

  private final ExpiryHistory history = new ExpiryHistory(FAMILIES);

  ExpiryRun(Policy policy, long seed, Path folder) throws IOException {
    super(policy, seed, folder, TABLE, true, 2);
    TableDescriptor.Builder table = TableDescriptor.builder(TABLE);
    FAMILIES.forEach((name, family) -> table.family(descriptor(name, family)));
    database().createTable(table.build());
  }

  private static Map<String, Family> familiesByName() {
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
  void step() throws IOException {
    switch (random.nextInt(40)) {
      case 0, 1 -> database().flush(TABLE);
      case 2, 3 -> database().flushInMemory(TABLE);
      case 4 -> Lulls.seal(database(), TABLE);
      case 5, 6 -> database().compact(TABLE);
      case 7 -> database().majorCompact(TABLE);
      case 8 -> reopen();
      case 9 -> takeSnapshot();
      case 10 -> releaseSnapshots();
      case 11, 12 -> ingest();
      case 13, 14 -> transact();
      case 15 -> database().splitRegion(TABLE, bytes(row()));
      case 16 -> database().mergeRegions(TABLE, bytes(row()));
      case 17 -> subject.tick(random.nextInt(150));
      case 18 -> manyVersions();
      case 19 -> comesToLight();
      case 20 -> deleteRange();
      case 21 -> alter();
      case 22 -> copy();
      case 23 -> checkReader();
      case 24 -> checkCheckpoint();
      case 25 -> checkFollowed(20);
      default -> write(20);
    }
  }

  private void deleteRange() throws IOException {
    String start = row();
    String stop = row();
    table().deleteRange(bytes(start), bytes(stop));
    for (String row : rowsBetween(start, stop)) {
      FAMILIES
          .keySet()
          .forEach(family -> add(row, family, null, Long.MAX_VALUE, null, VersionRules.FOREVER));
    }
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
      database().write(batch);
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
    database().flush(TABLE);
    put(row, family, last, 1 + random.nextInt(20));
    ingest(family, Set.of(row), "a", last - 2);
    database().majorCompact(TABLE);
    subject.tick(30);
    check();
  }

  private void put(String row, String family, long timestamp, long ttlMillis) throws IOException {
    String value = value();
    Put put = new Put(bytes(row)).setTtlMillis(ttlMillis);
    table().put(put.addColumn(bytes(family), bytes("a"), timestamp, bytes(value)));
    add(row, family, "a", timestamp, value, ttlMillis);
  }

  @Override
  void addWrite(WriteBatch batch) {
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

  private void ingest() throws IOException {
    Set<String> rows = new TreeSet<>();
    for (int i = 0; i < 3; i++) {
      rows.add(row());
    }
    ingest(family(), rows, qualifier(), timestamp());
  }

  private void ingest(String family, Set<String> rows, String qualifier, long timestamp)
      throws IOException {
    Path file = folder.resolve("ingested" + nextToken());
    try (SortedFileWriter writer = SortedFileWriter.create(file, FamilyDescriptor.of(family))) {
      for (String row : rows) {
        String value = value();
        writer.add(bytes(row), bytes(qualifier), timestamp, bytes(value));
        add(row, family, qualifier, timestamp, value, VersionRules.FOREVER);
      }
      writer.finish();
    }
    database().ingest(TABLE, family, List.of(file));
    Files.delete(file);
  }

  @Override
  int size() {
    return history.size();
  }

  @Override
  void truncate(int size) {
    history.truncate(size);
  }

  /** Does nothing: all writes have times of their own. */
  @Override
  void date(int size, long time) {}

  /** Returns what is to be found of each version, by column and timestamp. */
  @Override
  Map<String, String> expected(int size) {
    Map<String, String> text = new TreeMap<>();
    history
        .read(size, subject.now())
        .forEach(
            (column, versions) ->
                versions.forEach(
                    version ->
                        text.put(
                            column + "@" + version.timestamp(),
                            version.value() + " for " + version.ttlMillis())));
    return text;
  }

  @Override
  @Nullable String newest(String row, String family, String qualifier) {
    List<Write> versions =
        history.read(size(), subject.now()).get(row + "/" + family + ":" + qualifier);
    return versions == null ? null : versions.get(0).value();
  }

  @Override
  String name(Cell cell) {
    return column(cell) + "@" + cell.timestamp();
  }

  @Override
  String content(Cell cell) {
    return text(cell.value()) + " for " + cell.ttlMillis();
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

  /** Returns the present time, or one near by. */
  private long timestamp() {
    return random.nextInt(3) == 0 ? subject.now() + random.nextInt(200) - 150 : subject.now();
  }

  private String value() {
    return (subject.now() + random.nextInt(500))
        + "|"
        + nextToken()
        + " ".repeat(random.nextInt(60));
  }
}
