// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.cell.CellType;
import io.accordiondb.memstore.MemStorePolicy;
import io.accordiondb.memstore.Policy;
import io.accordiondb.retention.KeepDeletedCells;
import io.accordiondb.retention.VersionRules;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.RandomDistribution;
import net.jqwik.api.lifecycle.AfterContainer;

/**
 * Random operations on two tables, each compared with {@link HistoryModel}, under every policy. The
 * memory is so small that in-memory flushes, merges, compactions and flushes to disk happen all the
 * time.
 *
 * <p>Single versions are deleted only in a family that keeps more versions than there are
 * timestamps: elsewhere an older version may or may not come to light, as documented.
 */
class TableModelTest {
  private static final int OPERATIONS_MIN = 10_000;
  private static final long CLOCK_START = 1_000_000;
  private static final long TTL = 2_000;

  private static final TableDescriptor A =
      TableDescriptor.builder("a")
          .family(small(FamilyDescriptor.builder("one")))
          .family(small(FamilyDescriptor.builder("three").maxVersions(3)))
          .family(small(FamilyDescriptor.builder("all").maxVersions(100_000)))
          .build();
  private static final TableDescriptor B =
      TableDescriptor.builder("b")
          .family(
              small(
                  FamilyDescriptor.builder("ttl")
                      .versionRules(new VersionRules(2, 1, TTL, KeepDeletedCells.FALSE))))
          .family(
              small(
                  FamilyDescriptor.builder("keep")
                      .versionRules(
                          new VersionRules(2, 0, VersionRules.FOREVER, KeepDeletedCells.TRUE))))
          .build();

  private static final Map<Policy, AtomicLong> OPERATIONS = new EnumMap<>(Policy.class);

  static {
    for (Policy policy : Policy.values()) {
      OPERATIONS.put(policy, new AtomicLong());
    }
  }

  private static FamilyDescriptor small(FamilyDescriptor.Builder builder) {
    return builder.blockSizeBytes(512).build();
  }

  /** What an operation does; the numbers of an {@link Op} fill in the rest. */
  private enum Kind {
    PUT(30),
    PUT_AT(8),
    DELETE_ROW(2),
    DELETE_FAMILY(2),
    DELETE_COLUMNS(4),
    DELETE_VERSION(3),
    DELETE_NEWEST(2),
    DELETE_FAMILY_VERSION(1),
    BATCH(6),
    CHECK_AND_PUT(3),
    INCREMENT(2),
    GET(14),
    SCAN(6),
    SNAPSHOT(2),
    SNAPSHOT_READ(4),
    SNAPSHOT_CLOSE(2),
    FLUSH_IN_MEMORY(3),
    FLUSH(2),
    COMPACT(2),
    MAJOR(1),
    TICK(6),
    REOPEN(1),
    TRUNCATE(1);

    final int weight;

    Kind(int weight) {
      this.weight = weight;
    }
  }

  private record Op(Kind kind, int row, int column, int number) {}

  @Provide
  Arbitrary<List<Op>> operations() {
    List<Kind> byWeight = new ArrayList<>();
    for (Kind kind : Kind.values()) {
      byWeight.addAll(Collections.nCopies(kind.weight, kind));
    }
    return Combinators.combine(
            Arbitraries.of(byWeight),
            Arbitraries.integers().between(0, 39),
            Arbitraries.integers().between(0, 8),
            Arbitraries.integers().between(0, 10_000))
        .as((kind, row, column, number) -> new Op(kind, row, column, number))
        .list()
        .ofMinSize(1)
        .ofMaxSize(1_200)
        .withSizeDistribution(RandomDistribution.uniform());
  }

  @Property(tries = 60)
  void underNone(@ForAll("operations") List<Op> operations) throws IOException {
    run(Policy.NONE, operations);
  }

  @Property(tries = 60)
  void underBasic(@ForAll("operations") List<Op> operations) throws IOException {
    run(Policy.BASIC, operations);
  }

  @Property(tries = 60)
  void underEager(@ForAll("operations") List<Op> operations) throws IOException {
    run(Policy.EAGER, operations);
  }

  @Property(tries = 60)
  void underAdaptive(@ForAll("operations") List<Op> operations) throws IOException {
    run(Policy.ADAPTIVE, operations);
  }

  @AfterContainer
  static void ranEnough() {
    OPERATIONS.forEach(
        (policy, count) ->
            assertThat(count.get())
                .as("operations under " + policy)
                .matches(n -> n == 0 || n >= OPERATIONS_MIN));
  }

  private static void run(Policy policy, List<Op> operations) throws IOException {
    Path folder = Files.createTempDirectory("accordion-model-");
    try (Run run = new Run(folder, policy)) {
      for (Op operation : operations) {
        run.apply(operation);
        OPERATIONS.get(policy).incrementAndGet();
      }
      run.checkAll();
    } finally {
      try (Stream<Path> paths = Files.walk(folder)) {
        paths.sorted(Comparator.reverseOrder()).forEach(path -> path.toFile().delete());
      }
    }
  }

  /** A database and its models, side by side. */
  private static final class Run implements AutoCloseable {
    private static final String[] COLUMNS = {"", "q", "qq"};

    private record Held(Snapshot snapshot, long sequence) {}

    private final Path folder;
    private final Policy policy;
    private final AtomicLong clock = new AtomicLong(CLOCK_START);
    private final Map<String, HistoryModel> models = new HashMap<>();
    private final List<Held> snapshots = new ArrayList<>();
    private Database database;
    private long sequence;

    Run(Path folder, Policy policy) throws IOException {
      this.folder = folder;
      this.policy = policy;
      this.database = open();
      database.createTable(A, bytes("r15"), bytes("r30"));
      database.createTable(B);
      models.put("a", new HistoryModel(A));
      models.put("b", new HistoryModel(B));
    }

    private Database open() throws IOException {
      InstantSource source = () -> Instant.ofEpochMilli(clock.get());
      return Database.open(
          folder,
          DatabaseOptions.builder()
              .memoryBytes(1 << 20)
              .storeFlushBytes(48 << 10)
              .chunkBytes(4 << 10)
              .blockCacheBytes(64 << 10)
              .logFileBytes(16 << 10)
              .logBytesMax(256 << 10)
              .durability(Durability.ASYNC)
              .memStorePolicy(new MemStorePolicy(policy, 0.08, 3, 0.1))
              .clock(source)
              .build());
    }

    void apply(Op op) throws IOException {
      String table = op.column() < 6 ? "a" : "b";
      String family = family(op.column());
      switch (op.kind()) {
        case PUT -> write(table, new Put(row(op)).addColumn(bytes(family), column(op), value(op)));
        case PUT_AT ->
            write(
                table, new Put(row(op)).addColumn(bytes(family), column(op), near(op), value(op)));
        case DELETE_ROW -> write(table, new Delete(row(op)));
        case DELETE_FAMILY -> write(table, new Delete(row(op)).addFamily(bytes(family), near(op)));
        case DELETE_COLUMNS ->
            write(table, new Delete(row(op)).addColumns(bytes(family), column(op)));
        case DELETE_VERSION ->
            write("a", new Delete(row(op)).addColumn(bytes("all"), column(op), near(op)));
        case DELETE_FAMILY_VERSION ->
            write("a", new Delete(row(op)).addFamilyVersion(bytes("all"), near(op)));
        case DELETE_NEWEST -> deleteNewest(op);
        case BATCH -> batch(op);
        case CHECK_AND_PUT -> checkAndPut(op, table, family);
        case INCREMENT -> increment(op);
        case GET -> checkRow(table, row(op), query(new Get(row(op)), op), sequence);
        case SCAN -> checkScan(table, scan(op), sequence);
        case SNAPSHOT -> snapshots.add(new Held(database.snapshot(), sequence));
        case SNAPSHOT_READ -> {
          if (!snapshots.isEmpty()) {
            Held held = snapshots.get(op.number() % snapshots.size());
            Get get = query(new Get(row(op)), op).setSnapshot(held.snapshot());
            checkRow(table, row(op), get, held.sequence());
            checkScan(table, scan(op).setSnapshot(held.snapshot()), held.sequence());
          }
        }
        case SNAPSHOT_CLOSE -> {
          if (!snapshots.isEmpty()) {
            snapshots.remove(op.number() % snapshots.size()).snapshot().close();
          }
        }
        case FLUSH_IN_MEMORY -> database.flushInMemory(table);
        case FLUSH -> database.flush(table);
        case COMPACT -> database.compact(table, false);
        case MAJOR -> database.compact(table, true);
        case TICK -> clock.addAndGet(op.number() % 97);
        case REOPEN -> reopen();
        case TRUNCATE -> {
          if (op.number() % 10 == 0 && snapshots.isEmpty()) {
            database.truncateTable(table);
            models.get(table).clear();
          }
        }
      }
    }

    void checkAll() throws IOException {
      reopen();
      for (String table : models.keySet()) {
        checkScan(table, new Scan().readAllVersions(), sequence);
        checkScan(table, new Scan().readAllVersions().setReversed(true), sequence);
      }
    }

    private void reopen() throws IOException {
      snapshots.forEach(held -> held.snapshot().close());
      snapshots.clear();
      database.close();
      database = open();
    }

    /** Writes to the database, and what it means to the model. */
    private void write(String table, Mutation mutation) throws IOException {
      if (mutation instanceof Put put) {
        database.table(table).put(put);
      } else if (mutation instanceof Delete delete) {
        database.table(table).delete(delete);
      }
      record(table, mutation);
    }

    private void record(String table, Mutation mutation) throws IOException {
      HistoryModel model = models.get(table);
      if (mutation instanceof Delete delete && delete.cells().isEmpty()) {
        for (FamilyDescriptor family : database.describe(table).families()) {
          model.add(
              new Cell(
                  delete.row(),
                  family.nameBytes(),
                  new byte[0],
                  clock.get(),
                  CellType.DELETE_FAMILY,
                  new byte[0]),
              ++sequence);
        }
      }
      for (Cell cell : mutation.cells()) {
        model.add(resolved(cell), ++sequence);
      }
    }

    private Cell resolved(Cell cell) {
      return cell.timestamp() == Mutation.LATEST_TIMESTAMP
          ? new Cell(
              cell.row(), cell.family(), cell.qualifier(), clock.get(), cell.type(), cell.value())
          : cell;
    }

    private void deleteNewest(Op op) throws IOException {
      byte[] family = bytes("all");
      Get get = new Get(row(op)).addColumn(family, column(op));
      List<Cell> newest = models.get("a").read(row(op), get, sequence, clock.get());
      database.table("a").delete(new Delete(row(op)).addColumn(family, column(op)));
      for (Cell cell : newest) {
        models
            .get("a")
            .add(
                new Cell(
                    row(op), family, column(op), cell.timestamp(), CellType.DELETE, new byte[0]),
                ++sequence);
      }
    }

    private void batch(Op op) throws IOException {
      WriteBatch batch = new WriteBatch();
      for (int i = 0; i < 1 + op.number() % 60; i++) {
        Op part = new Op(Kind.PUT, (op.row() + i * 7) % 40, (op.column() + i) % 9, op.number() + i);
        String table = part.column() < 6 ? "a" : "b";
        byte[] family = bytes(family(part.column()));
        if (i % 9 == 8) {
          batch.delete(table, new Delete(row(part)).addColumns(family, column(part)));
        } else {
          batch.put(table, new Put(row(part)).addColumn(family, column(part), value(part)));
        }
      }
      database.write(batch);
      for (WriteBatch.Entry entry : batch.entries()) {
        record(entry.table(), entry.mutation());
      }
    }

    private void checkAndPut(Op op, String table, String family) throws IOException {
      Get get = new Get(row(op)).addColumn(bytes(family), column(op));
      List<Cell> stored = models.get(table).read(row(op), get, sequence, clock.get());
      byte[] expected = op.number() % 3 == 0 || stored.isEmpty() ? null : stored.get(0).value();
      Put put = new Put(row(op)).addColumn(bytes(family), column(op), value(op));
      boolean done =
          database.table(table).checkAndPut(row(op), bytes(family), column(op), expected, put);
      assertThat(done).isEqualTo(stored.isEmpty() || expected != null);
      if (done) {
        record(table, put);
      }
    }

    private void increment(Op op) throws IOException {
      byte[] family = bytes("one");
      byte[] qualifier = bytes("counter");
      Get get = new Get(row(op)).addColumn(family, qualifier);
      List<Cell> stored = models.get("a").read(row(op), get, sequence, clock.get());
      long before = stored.isEmpty() ? 0 : ByteBuffer.wrap(stored.get(0).value()).getLong();
      long sum = database.table("a").increment(row(op), family, qualifier, op.number());
      assertThat(sum).isEqualTo(before + op.number());
      long timestamp =
          stored.isEmpty() ? clock.get() : Math.max(clock.get(), stored.get(0).timestamp());
      byte[] value = ByteBuffer.allocate(Long.BYTES).putLong(sum).array();
      models
          .get("a")
          .add(new Cell(row(op), family, qualifier, timestamp, CellType.PUT, value), ++sequence);
    }

    private void checkRow(String table, byte[] row, Get get, long readSequence) throws IOException {
      assertThat(database.table(table).get(get).cells())
          .isEqualTo(models.get(table).read(row, get, readSequence, clock.get()));
    }

    private void checkScan(String table, Scan scan, long readSequence) throws IOException {
      List<List<Cell>> expected = new ArrayList<>();
      NavigableSet<byte[]> rows = models.get(table).rowsWritten();
      for (byte[] row : scan.reversed() ? rows.descendingSet() : rows) {
        if (isInside(scan, row) && expected.size() < scan.limit()) {
          List<Cell> cells = models.get(table).read(row, scan, readSequence, clock.get());
          if (!cells.isEmpty()) {
            expected.add(cells);
          }
        }
      }
      List<List<Cell>> found = new ArrayList<>();
      try (ResultScanner scanner = database.table(table).scan(scan)) {
        scanner.forEach(result -> found.add(result.cells()));
      }
      assertThat(found).isEqualTo(expected);
    }

    private static boolean isInside(Scan scan, byte[] row) {
      int sign = scan.reversed() ? -1 : 1;
      int fromStart =
          scan.startRow().length == 0 ? 1 : sign * Arrays.compareUnsigned(row, scan.startRow());
      int toStop =
          scan.stopRow().length == 0 ? 1 : sign * Arrays.compareUnsigned(scan.stopRow(), row);
      return (fromStart > 0 || (fromStart == 0 && scan.startInclusive()))
          && (toStop > 0 || (toStop == 0 && scan.stopInclusive()));
    }

    private Scan scan(Op op) {
      Scan scan = query(new Scan(), op).setReversed(op.number() % 2 == 1);
      byte[] other = bytes(String.format("r%02d", op.number() % 40));
      switch (op.number() % 5) {
        case 0 -> scan.withStartRow(row(op), op.number() % 4 < 2);
        case 1 -> scan.withStopRow(row(op), op.number() % 4 < 2);
        case 2 -> scan.withStartRow(row(op)).withStopRow(other, op.number() % 4 < 2);
        case 3 -> scan.setRowPrefix(bytes("r" + op.row() / 10));
        default -> scan.setLimit(op.number() % 13);
      }
      return scan;
    }

    private <Q extends Query<Q>> Q query(Q query, Op op) {
      if (op.number() % 7 == 1) {
        query.readAllVersions();
      } else if (op.number() % 7 == 2) {
        query.readVersions(2);
      }
      boolean onA = op.column() < 6;
      if (op.number() % 3 == 1) {
        query.addFamily(bytes(onA ? "three" : "ttl"));
      } else if (op.number() % 3 == 2) {
        query.addColumn(bytes(family(op.column())), column(op));
        query.addColumn(bytes(onA ? "one" : "keep"), bytes("q"));
      }
      // A family that keeps deleted cells shows them to readers of the past.
      if (onA && op.number() % 11 == 3) {
        query.setTimeRange(near(op), near(op) + 400);
      }
      return query;
    }

    private long near(Op op) {
      return clock.get() - 300 + op.number() % 350;
    }

    private static String family(int column) {
      return switch (column) {
        case 0, 1 -> "one";
        case 2, 3 -> "three";
        case 4, 5 -> "all";
        case 6, 7 -> "ttl";
        default -> "keep";
      };
    }

    private static byte[] row(Op op) {
      return bytes(String.format("r%02d", op.row()));
    }

    private static byte[] column(Op op) {
      return bytes(COLUMNS[op.number() % COLUMNS.length]);
    }

    private static byte[] value(Op op) {
      byte[] value = new byte[op.number() % 300];
      Arrays.fill(value, (byte) op.number());
      return value;
    }

    private static byte[] bytes(String text) {
      return text.getBytes(US_ASCII);
    }

    @Override
    public void close() throws IOException {
      database.close();
    }
  }
}
