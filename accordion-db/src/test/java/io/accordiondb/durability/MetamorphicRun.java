// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.durability;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.accordiondb.Append;
import io.accordiondb.BloomKind;
import io.accordiondb.CompareOperator;
import io.accordiondb.Compression;
import io.accordiondb.Database;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.Delete;
import io.accordiondb.Durability;
import io.accordiondb.FamilyDescriptor;
import io.accordiondb.Get;
import io.accordiondb.Put;
import io.accordiondb.Query;
import io.accordiondb.Result;
import io.accordiondb.ResultScanner;
import io.accordiondb.Scan;
import io.accordiondb.Snapshot;
import io.accordiondb.Table;
import io.accordiondb.TableDescriptor;
import io.accordiondb.WriteBatch;
import io.accordiondb.filter.Filter;
import io.accordiondb.filter.Filters;
import io.accordiondb.internal.database.DatabaseEngine;
import io.accordiondb.internal.storage.MemoryStorage;
import io.accordiondb.memstore.MemStorePolicy;
import io.accordiondb.memstore.Policy;
import io.accordiondb.memstore.layout.CellMemory;
import io.accordiondb.memstore.layout.IndexKind;
import io.accordiondb.memstore.layout.SegmentLayout;
import io.accordiondb.retention.KeepDeletedCells;
import io.accordiondb.retention.VersionRules;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

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
    options = optionSet == 0 ? builder().build() : someOptions(upkeep);
    table = descriptor(optionSet == 0 ? null : upkeep);
    splits = splits(optionSet == 0 ? 0 : upkeep.nextInt(4), upkeep);
  }

  /** Returns what each of so many operations answers. */
  List<String> answers(int operations) throws IOException {
    List<String> answers = new ArrayList<>();
    Database database = DatabaseEngine.open(disk, options);
    try {
      database.createTable(table, splits);
      for (int i = 0; i < operations; i++) {
        answers.add(operate(database));
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
      default -> target.put(new Put(row).addColumn(family, qualifier, value()));
    }
    return "done";
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
      scanner.forEach(results::add);
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
    switch (upkeep.nextInt(7)) {
      case 0 -> database.flush();
      case 1, 2, 3 -> database.flushInMemory(TABLE);
      case 4 -> database.compact(TABLE, false);
      case 5 -> database.compact(TABLE, true);
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

  private DatabaseOptions someOptions(RandomGenerator choice) {
    Policy policy = Policy.values()[choice.nextInt(Policy.values().length)];
    return builder()
        .memoryBytes((long) (1 + choice.nextInt(8)) << 20)
        .storeFlushBytes(choice.nextBoolean() ? 0 : 1 << (10 + choice.nextInt(6)))
        .blockCacheBytes(choice.nextInt(3) == 0 ? 0 : 1 << (14 + choice.nextInt(6)))
        .memStorePolicy(
            new MemStorePolicy(
                policy,
                0.01 + 0.5 * choice.nextDouble(),
                1 + choice.nextInt(6),
                choice.nextDouble()))
        .segmentLayout(layout(choice))
        .chunkBytes(1 << (14 + choice.nextInt(4)))
        .logFileBytes(4 << (10 + choice.nextInt(6)))
        .logBytesMax(64 << (10 + choice.nextInt(4)))
        .asyncLogDelay(Duration.ofMillis(1 + choice.nextInt(50)))
        .flushThreads(1 + choice.nextInt(2))
        .compactionThreads(1 + choice.nextInt(2))
        .seed(choice.nextLong())
        .build();
  }

  private static TableDescriptor descriptor(@Nullable RandomGenerator choice) {
    return TableDescriptor.builder(TABLE)
        .family(formatted(FamilyDescriptor.builder("all").maxVersions(100_000), choice))
        .family(formatted(FamilyDescriptor.builder("one"), choice))
        .family(formatted(FamilyDescriptor.builder("three").maxVersions(3), choice))
        .family(
            formatted(
                FamilyDescriptor.builder("ttl")
                    .versionRules(new VersionRules(2, 1, 1_000, KeepDeletedCells.FALSE)),
                choice))
        .build();
  }

  private static FamilyDescriptor formatted(
      FamilyDescriptor.Builder family, @Nullable RandomGenerator choice) {
    if (choice != null) {
      family
          .blockSizeBytes(512 << choice.nextInt(5))
          .compression(Compression.values()[choice.nextInt(Compression.values().length)])
          .bloomFilter(BloomKind.values()[choice.nextInt(BloomKind.values().length)]);
    }
    return family.build();
  }

  private static byte[][] splits(int count, RandomGenerator choice) {
    Set<String> rows = new TreeSet<>();
    for (int i = 0; i < count; i++) {
      rows.add(String.format("r%02d", choice.nextInt(ROWS)));
    }
    return rows.stream().map(MetamorphicRun::bytes).toArray(byte[][]::new);
  }

  private byte[] row() {
    return bytes(String.format("r%02d", random.nextInt(ROWS)));
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

  private static SegmentLayout layout(RandomGenerator choice) {
    CellMemory cells = CellMemory.values()[choice.nextInt(CellMemory.values().length)];
    boolean array = cells == CellMemory.OBJECTS || choice.nextBoolean();
    return SegmentLayout.of(cells, array ? IndexKind.ARRAY : IndexKind.CHUNK);
  }
}
