// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.durability;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.accordiondb.Append;
import io.accordiondb.CompareOperator;
import io.accordiondb.Database;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.Delete;
import io.accordiondb.Durability;
import io.accordiondb.Filter;
import io.accordiondb.Get;
import io.accordiondb.HistoryLostException;
import io.accordiondb.Put;
import io.accordiondb.Query;
import io.accordiondb.Result;
import io.accordiondb.ResultScanner;
import io.accordiondb.Scan;
import io.accordiondb.Snapshot;
import io.accordiondb.SortedFileWriter;
import io.accordiondb.Table;
import io.accordiondb.TableDescriptor;
import io.accordiondb.WriteBatch;
import io.accordiondb.filter.Filters;
import io.accordiondb.internal.engine.DatabaseEngine;
import io.accordiondb.internal.storage.MemoryStorage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.random.RandomGenerator;

/**
 * A sequence of operations, which follows from a seed alone, and one set of options, with upkeep
 * between the operations, which follows from its number.
 *
 * <p>Single versions are deleted only in a family that keeps all of them: elsewhere an older one
 * may or may not come to light, as documented.
 */
final class MetamorphicRun {
  private static final String TABLE = "t";
  private static final List<String> FAMILIES = List.of("all", "one", "three", "ttl");
  private static final List<String> QUALIFIERS = List.of("", "a", "ab", "b");
  private static final int ROWS = 40;
  private static final int SNAPSHOTS_MAX = 3;

  private final RandomGenerator random;
  private final RandomGenerator upkeep;
  private final int upkeepRarity;
  private final DatabaseOptions options;
  private final TableDescriptor table;
  private final byte[][] splits;
  private final MemoryStorage disk = new MemoryStorage();
  private final Deque<Snapshot> snapshots = new ArrayDeque<>();
  private long now = 1_000_000;

  MetamorphicRun(long seed, int optionSet) {
    random = MetamorphicTest.random(seed, 0);
    upkeep = MetamorphicTest.random(seed, optionSet);
    upkeepRarity = optionSet == 0 ? Integer.MAX_VALUE : 1 + upkeep.nextInt(60);
    options = optionSet == 0 ? builder().build() : MetamorphicOptions.some(builder(), upkeep);
    table = MetamorphicOptions.table(TABLE, optionSet == 0 ? null : upkeep);
    splits = MetamorphicOptions.splits(optionSet == 0 ? 0 : upkeep.nextInt(4), ROWS, upkeep);
  }

  /** Returns what each of so many operations answers. */
  List<String> answers(int operations) throws IOException {
    List<String> answers = new ArrayList<>();
    Database database = DatabaseEngine.open(disk, options);
    try {
      database.createTable(table, splits);
      for (int i = 0; i < operations; i++) {
        answers.add(answer(database));
        if (upkeep.nextInt(upkeepRarity) == 0) {
          database = upkeep(database);
        }
      }
      snapshots.forEach(Snapshot::close);
    } finally {
      database.close();
    }
    return answers;
  }

  private String answer(Database database) throws IOException {
    try {
      return operate(database);
    } catch (HistoryLostException e) {
      // A read of a snapshot that is older than the last truncation.
      return "lost";
    }
  }

  private String operate(Database database) throws IOException {
    Table target = database.table(TABLE);
    byte[] row = row();
    byte[] family = bytes(pick(FAMILIES));
    byte[] qualifier = bytes(pick(QUALIFIERS));
    now += random.nextInt(20);
    switch (random.nextInt(30)) {
      case 0 -> target.delete(new Delete(row));
      case 1 -> target.delete(new Delete(row).addFamily(family, time()));
      case 2 -> target.delete(new Delete(row).addColumns(family, qualifier));
      case 3 -> target.delete(new Delete(row).addColumn(bytes("all"), qualifier));
      case 4 -> target.delete(new Delete(row).addColumn(bytes("all"), qualifier, time()));
      case 5 -> target.delete(new Delete(row).addFamilyVersion(bytes("all"), time()));
      case 6, 7 -> database.write(batch(), Durability.ASYNC);
      case 8 -> {
        byte[] expected = random.nextInt(3) == 0 ? null : new byte[] {(byte) random.nextInt()};
        CompareOperator operator =
            expected == null
                ? pick(List.of(CompareOperator.EQUAL, CompareOperator.NOT_EQUAL))
                : pick(List.of(CompareOperator.values()));
        Put put = new Put(row).addColumn(family, qualifier, value());
        return "checked " + target.checkAndPut(row, family, qualifier, operator, expected, put);
      }
      case 9 -> {
        return "sum " + target.increment(row, bytes("one"), bytes("n"), random.nextInt(100));
      }
      case 10 -> {
        return "appended "
            + target.append(new Append(row).addColumn(bytes("three"), qualifier, bytes("x")));
      }
      case 11 -> {
        if (snapshots.size() < SNAPSHOTS_MAX) {
          snapshots.add(database.snapshot());
        } else {
          snapshots.remove().close();
        }
      }
      case 12, 13, 14, 15 -> {
        Get get = query(new Get(row));
        return target.get(get).toString();
      }
      case 16, 17 -> {
        return scan(target).toString();
      }
      case 18, 19 -> target.put(new Put(row).addColumn(family, qualifier, time(), value()));
      case 20 -> {
        return operateOnMany(database, family);
      }
      default -> target.put(new Put(row).addColumn(family, qualifier, value()));
    }
    return "done";
  }

  /** Does what concerns many rows, and is rare. */
  private String operateOnMany(Database database, byte[] family) throws IOException {
    switch (random.nextInt(8)) {
      case 0 -> {
        if (random.nextInt(4) == 0) {
          database.truncateTable(TABLE);
        }
      }
      case 1, 2 -> {
        return "deleted " + database.table(TABLE).deleteRange(row(), row());
      }
      case 3 -> ingest(database, new String(family, US_ASCII));
      default -> database.write(batch(), Durability.SYNC);
    }
    return "done";
  }

  private void ingest(Database database, String family) throws IOException {
    NavigableMap<byte[], Long> timestamps = new TreeMap<>(Arrays::compareUnsigned);
    int rows = 1 + random.nextInt(20);
    for (int i = 0; i < rows; i++) {
      timestamps.put(row(), time());
    }
    byte[] qualifier = bytes(pick(QUALIFIERS));
    byte[] value = value();
    Path file = Files.createTempFile("ingested", ".sst");
    Files.delete(file);
    try (SortedFileWriter writer = SortedFileWriter.create(file, table.family(family))) {
      for (Map.Entry<byte[], Long> row : timestamps.entrySet()) {
        writer.add(row.getKey(), qualifier, row.getValue(), value);
      }
      writer.finish();
      database.ingest(TABLE, family, List.of(file));
    } finally {
      Files.deleteIfExists(file);
    }
  }

  private List<Result> scan(Table target) throws IOException {
    Scan scan = query(new Scan()).setReversed(random.nextBoolean());
    switch (random.nextInt(5)) {
      case 0 -> scan.withStartRow(row(), random.nextBoolean());
      case 1 -> scan.withStopRow(row(), random.nextBoolean());
      case 2 ->
          scan.withStartRow(row(), random.nextBoolean()).withStopRow(row(), random.nextBoolean());
      case 3 -> scan.setRowPrefix(bytes("r" + random.nextInt(4)));
      default -> {}
    }
    if (random.nextInt(4) == 0) {
      scan.setLimit(random.nextInt(9));
    }
    if (random.nextInt(4) == 0) {
      scan.setBatch(1 + random.nextInt(3));
    }
    List<Result> results = new ArrayList<>();
    try (ResultScanner scanner = target.scan(scan)) {
      for (Result result = scanner.next(); result != null; result = scanner.next()) {
        results.add(result);
      }
    }
    return results;
  }

  private <Q extends Query<Q>> Q query(Q query) {
    if (random.nextInt(3) == 0) {
      query.readVersions(1 + random.nextInt(4));
    }
    if (random.nextInt(3) == 0) {
      query.addFamily(bytes(pick(FAMILIES)));
    }
    if (random.nextInt(3) == 0) {
      query.addColumn(bytes(pick(FAMILIES)), bytes(pick(QUALIFIERS)));
    }
    if (random.nextInt(6) == 0) {
      long from = time();
      query.setTimeRange(from, from + random.nextInt(300));
    }
    if (random.nextInt(4) == 0) {
      query.setFilter(filter(2));
    }
    if (random.nextInt(5) == 0 && !snapshots.isEmpty()) {
      query.setSnapshot(snapshots.peek());
    }
    return query;
  }

  private Filter filter(int depth) {
    CompareOperator operator = pick(List.of(CompareOperator.values()));
    return switch (random.nextInt(depth > 0 ? 10 : 7)) {
      case 0 -> Filters.row(operator, row());
      case 1 -> Filters.rowPrefix(bytes("r" + random.nextInt(4)));
      case 2 -> Filters.family(operator, bytes(pick(FAMILIES)));
      case 3 -> Filters.qualifier(operator, bytes(pick(QUALIFIERS)));
      case 4 -> Filters.qualifierPrefix(bytes("a"));
      case 5 -> Filters.value(operator, value());
      case 6 ->
          Filters.singleColumnValue(
              bytes("one"), bytes("a"), operator, value(), random.nextBoolean());
      case 7 -> Filters.and(filter(depth - 1), filter(depth - 1));
      case 8 -> Filters.or(filter(depth - 1), filter(depth - 1));
      default -> Filters.not(filter(depth - 1));
    };
  }

  private WriteBatch batch() {
    WriteBatch batch = new WriteBatch();
    int changes = 1 + random.nextInt(30);
    for (int i = 0; i < changes; i++) {
      byte[] family = bytes(pick(FAMILIES));
      byte[] qualifier = bytes(pick(QUALIFIERS));
      if (random.nextInt(6) == 0) {
        batch.delete(TABLE, new Delete(row()).addColumns(family, qualifier));
      } else {
        batch.put(TABLE, new Put(row()).addColumn(family, qualifier, value()));
      }
    }
    return batch;
  }

  private Database upkeep(Database database) throws IOException {
    switch (upkeep.nextInt(10)) {
      case 0 -> database.flush();
      case 1, 2, 3 -> database.flushInMemory(TABLE);
      case 4 -> database.compact(TABLE, false);
      case 5 -> database.compact(TABLE, true);
      case 6, 7 -> database.splitRegion(TABLE, anyRow(upkeep));
      case 8 -> database.mergeRegions(TABLE, anyRow(upkeep));
      default -> {
        if (snapshots.isEmpty()) {
          database.close();
          return DatabaseEngine.open(disk, options);
        }
      }
    }
    return database;
  }

  private DatabaseOptions.Builder builder() {
    return DatabaseOptions.builder()
        .memoryBytes(64 << 20)
        .blockCacheBytes(1 << 20)
        .durability(Durability.ASYNC)
        .clock(() -> Instant.ofEpochMilli(now));
  }

  private byte[] row() {
    return anyRow(random);
  }

  private static byte[] anyRow(RandomGenerator choice) {
    return bytes(String.format("r%02d", choice.nextInt(ROWS)));
  }

  private long time() {
    return now - random.nextInt(400);
  }

  private byte[] value() {
    byte[] value = new byte[1 + random.nextInt(120)];
    Arrays.fill(value, (byte) random.nextInt());
    return value;
  }

  private <T> T pick(List<T> choices) {
    return choices.get(random.nextInt(choices.size()));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(US_ASCII);
  }

  @Override
  public String toString() {
    return options
        + ", upkeep after each of "
        + upkeepRarity
        + ", "
        + table
        + ", "
        + splits.length
        + " splits";
  }
}
