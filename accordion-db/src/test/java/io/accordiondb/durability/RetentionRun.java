// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.durability;

import static io.accordiondb.fixtures.TestData.bytes;
import static io.accordiondb.fixtures.TestData.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.Cell;
import io.accordiondb.CompactionStyle;
import io.accordiondb.Compression;
import io.accordiondb.Database;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.Delete;
import io.accordiondb.Durability;
import io.accordiondb.FamilyDescriptor;
import io.accordiondb.Put;
import io.accordiondb.Result;
import io.accordiondb.ResultScanner;
import io.accordiondb.Scan;
import io.accordiondb.Snapshot;
import io.accordiondb.SortedFileWriter;
import io.accordiondb.Table;
import io.accordiondb.TableDescriptor;
import io.accordiondb.durability.RetentionModel.Written;
import io.accordiondb.encoding.CellType;
import io.accordiondb.internal.engine.DatabaseEngine;
import io.accordiondb.internal.storage.MemoryStorage;
import io.accordiondb.internal.storage.Storage;
import io.accordiondb.memstore.MemStorePolicy;
import io.accordiondb.memstore.Policy;
import io.accordiondb.retention.KeepDeletedCells;
import io.accordiondb.retention.VersionRules;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * Puts, deletes of every kind and ingested files over a few columns and timestamps, with flushes,
 * flushes that fail, compactions, splits and snapshots in between: so each of them meets cells and
 * markers that others have not settled yet. After each step every reader must find what {@link
 * RetentionModel} says.
 */
final class RetentionRun implements AutoCloseable {
  private static final String TABLE = "t";
  private static final String[] ROWS = {"a", "b", "c"};
  private static final String[] QUALIFIERS = {"", "q"};
  private static final int TIMES = 8;
  private static final long TIME_STEP = 10;
  private static final int SNAPSHOTS_MAX = 2;
  private static final long TTL = 3 * TIME_STEP;

  /** Makes a few cells fill a file of a level. */
  private static final String PADDING = " ".repeat(500);

  private static final Map<String, VersionRules> FAMILIES = families();

  private record Held(Snapshot snapshot, long sequence) {}

  private final SplittableRandom random;
  private final Path folder;
  private final DatabaseOptions options;
  private final MemoryStorage disk = new MemoryStorage();
  private final Storage storage;
  private final Map<String, RetentionModel> models = new HashMap<>();
  private final Deque<Held> snapshots = new ArrayDeque<>();
  private final List<String> steps = new ArrayList<>();
  private Database database;
  private boolean tablesFail;
  private long now = 1_000;
  private long sequence;
  private int files;

  /**
   * Opens a database with an empty table.
   *
   * @param folder for the files that are ingested
   */
  RetentionRun(long seed, Path folder) throws IOException {
    this.random = MetamorphicTest.random(seed, 0);
    this.folder = folder;
    this.storage =
        DefectiveStorage.with(
                (operation, name, original) -> {
                  if (tablesFail && operation.equals("create") && name.startsWith("sst/")) {
                    throw new IOException("no table can be created");
                  }
                  return original.run();
                })
            .apply(disk);
    this.options =
        DatabaseOptions.builder()
            .memoryBytes(8 << 20)
            .durability(Durability.SKIP)
            .levelFileBytes(4 << 10)
            .memStorePolicy(
                new MemStorePolicy(
                    Policy.values()[random.nextInt(Policy.values().length)], 0.1, 2, 0.5))
            .clock(() -> Instant.ofEpochMilli(now))
            .build();
    this.database = DatabaseEngine.open(storage, options);
    TableDescriptor.Builder table = TableDescriptor.builder(TABLE);
    CompactionStyle style = CompactionStyle.values()[random.nextInt(2)];
    FAMILIES.forEach(
        (name, rules) -> {
          models.put(name, new RetentionModel(rules));
          table.family(
              FamilyDescriptor.builder(name)
                  .versionRules(rules)
                  .compactionStyle(style)
                  .compression(Compression.NONE)
                  .build());
        });
    database.createTable(table.build());
  }

  private static Map<String, VersionRules> families() {
    Map<String, VersionRules> families = new LinkedHashMap<>();
    families.put("one", VersionRules.DEFAULT);
    families.put("three", new VersionRules(3, 0, VersionRules.FOREVER, KeepDeletedCells.FALSE));
    families.put("keep", new VersionRules(2, 0, VersionRules.FOREVER, KeepDeletedCells.TRUE));
    families.put("ttl", new VersionRules(2, 1, TTL, KeepDeletedCells.FALSE));
    families.put("until", new VersionRules(2, 1, TTL, KeepDeletedCells.TTL));
    return families;
  }

  /** Does the given number of random steps, and checks all answers after each. */
  void run(int count) throws IOException {
    try {
      for (int i = 0; i < count; i++) {
        step();
        check();
      }
    } catch (AssertionError e) {
      throw new AssertionError(String.join("\n", steps) + "\n" + e.getMessage(), e);
    }
  }

  private void step() throws IOException {
    String row = pick(ROWS);
    String family = pick(FAMILIES.keySet().toArray(String[]::new));
    String qualifier = pick(QUALIFIERS);
    long time = time();
    now += random.nextInt(3) == 0 ? 1 : 0;
    Table table = database.table(TABLE);
    byte[] familyBytes = bytes(family);
    byte[] qualifierBytes = bytes(qualifier);
    switch (random.nextInt(40)) {
      case 0 -> {
        note("delete row", row, time);
        table.delete(new Delete(bytes(row), time));
        FAMILIES.keySet().forEach(f -> mark(f, row, "", time, CellType.DELETE_FAMILY));
      }
      case 1, 2 -> {
        note("delete family", row, family, time);
        table.delete(new Delete(bytes(row)).addFamily(familyBytes, time));
        mark(family, row, "", time, CellType.DELETE_FAMILY);
      }
      case 3, 4, 5, 6 -> {
        note("delete columns", row, family, qualifier, time);
        table.delete(new Delete(bytes(row)).addColumns(familyBytes, qualifierBytes, time));
        mark(family, row, qualifier, time, CellType.DELETE_COLUMN);
      }
      case 7 -> {
        note("delete version", row, family, qualifier, time);
        table.delete(new Delete(bytes(row)).addColumn(familyBytes, qualifierBytes, time));
        mark(family, row, qualifier, time, CellType.DELETE);
      }
      case 8 -> {
        note("delete version of family", row, family, time);
        table.delete(new Delete(bytes(row)).addFamilyVersion(familyBytes, time));
        mark(family, row, "", time, CellType.DELETE_FAMILY_VERSION);
      }
      case 9 -> deleteRange(table, row);
      case 10, 11, 12, 13, 14, 15, 16, 17 -> ingest(family);
      case 18, 19 -> {
        note("flush");
        database.flush();
      }
      case 20 -> failToFlush();
      case 21, 22 -> {
        note("compact");
        database.compact(TABLE);
      }
      case 23 -> {
        note("compact all");
        database.majorCompact(TABLE);
      }
      case 24, 25 -> {
        note("flush in memory");
        database.flushInMemory(TABLE);
      }
      case 26 -> holdOrLetGo();
      case 27 -> changeRegions();
      default -> {
        String value = "v" + sequence + PADDING;
        note("put", row, family, qualifier, time);
        table.put(new Put(bytes(row)).addColumn(familyBytes, qualifierBytes, time, bytes(value)));
        models.get(family).add(put(row, qualifier, time, ++sequence, value));
      }
    }
  }

  private void deleteRange(Table table, String from) throws IOException {
    note("delete range from", from);
    List<String> rows = Arrays.stream(ROWS).filter(row -> row.compareTo(from) >= 0).toList();
    table.deleteRange(bytes(from), new byte[0]);
    for (String row : rows) {
      FAMILIES.keySet().forEach(f -> mark(f, row, "", Long.MAX_VALUE - 1, CellType.DELETE_FAMILY));
    }
  }

  private void ingest(String family) throws IOException {
    TreeMap<String, Written> cells = new TreeMap<>();
    sequence++;
    for (int i = 0; i < 1 + random.nextInt(3); i++) {
      String row = pick(ROWS);
      String qualifier = pick(QUALIFIERS);
      long time = time();
      String key = row + "/" + qualifier + "/" + (Integer.MAX_VALUE - time);
      cells.put(key, put(row, qualifier, time, sequence, "i" + sequence + "." + i + PADDING));
    }
    note("ingest", family, cells.keySet());
    Path file = folder.resolve("file" + files++);
    try (SortedFileWriter writer = SortedFileWriter.create(file, FamilyDescriptor.of(family))) {
      for (Written cell : cells.values()) {
        writer.add(
            bytes(cell.row()), bytes(cell.qualifier()), cell.timestamp(), bytes(cell.value()));
      }
      writer.finish();
    }
    database.ingest(TABLE, family, List.of(file));
    Files.delete(file);
    cells.values().forEach(models.get(family)::add);
  }

  /** Leaves a snapshot of each memory store standing. */
  private void failToFlush() throws IOException {
    note("fail to flush");
    tablesFail = true;
    try {
      database.flush();
    } catch (IOException e) {
      assertThat(e).hasMessageContaining("no table can be created");
    } finally {
      tablesFail = false;
    }
  }

  private void holdOrLetGo() throws IOException {
    if (snapshots.size() < SNAPSHOTS_MAX) {
      note("snapshot");
      snapshots.add(new Held(database.snapshot(), sequence));
    } else {
      note("let go of the snapshots");
      snapshots.forEach(held -> held.snapshot.close());
      snapshots.clear();
    }
  }

  private void changeRegions() throws IOException {
    if (database.regionStarts(TABLE).size() == 1) {
      note("split");
      database.splitRegion(TABLE, bytes("b"));
    } else {
      note("merge");
      database.mergeRegions(TABLE, bytes("a"));
    }
  }

  private void check() throws IOException {
    check(scan(null), sequence);
    for (Held held : snapshots) {
      check(scan(held.snapshot), held.sequence);
    }
  }

  private void check(Map<String, Map<String, Map<Long, String>>> found, long readSequence) {
    for (String row : ROWS) {
      Map<String, Map<Long, String>> columns = found.getOrDefault(row, Map.of());
      models.forEach(
          (family, model) -> {
            for (String qualifier : QUALIFIERS) {
              Map<Long, String> versions = columns.getOrDefault(family + ":" + qualifier, Map.of());
              assertThat(model.mistake(row, qualifier, versions, readSequence, now))
                  .as("%s %s:%s up to %d: %s", row, family, qualifier, readSequence, versions)
                  .isNull();
            }
          });
    }
  }

  /** Returns the values found by row, column and timestamp. */
  private Map<String, Map<String, Map<Long, String>>> scan(Snapshot snapshot) throws IOException {
    Map<String, Map<String, Map<Long, String>>> rows = new TreeMap<>();
    Scan scan = new Scan().setAllVersions();
    if (snapshot != null) {
      scan.setSnapshot(snapshot);
    }
    try (ResultScanner scanner = database.table(TABLE).scan(scan)) {
      for (Result result : scanner) {
        for (Cell cell : result.cells()) {
          rows.computeIfAbsent(text(cell.row()), row -> new TreeMap<>())
              .computeIfAbsent(
                  text(cell.family()) + ":" + text(cell.qualifier()), column -> new TreeMap<>())
              .put(cell.timestamp(), text(cell.value()));
        }
      }
    }
    return rows;
  }

  private void mark(String family, String row, String qualifier, long time, CellType type) {
    models.get(family).add(new Written(row, qualifier, time, type, ++sequence, ""));
  }

  private static Written put(String row, String qualifier, long time, long sequence, String value) {
    return new Written(row, qualifier, time, CellType.PUT, sequence, value);
  }

  private void note(Object... words) {
    steps.add(
        String.join(
            " ",
            IntStream.range(0, words.length).mapToObj(i -> String.valueOf(words[i])).toList()));
  }

  private long time() {
    return now - now % TIME_STEP - TIME_STEP * random.nextInt(TIMES);
  }

  private String pick(String[] choices) {
    return choices[random.nextInt(choices.length)];
  }

  @Override
  public void close() throws IOException {
    snapshots.forEach(held -> held.snapshot.close());
    database.close();
  }
}
