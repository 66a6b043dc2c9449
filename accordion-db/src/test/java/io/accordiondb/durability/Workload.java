// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.durability;

import static io.accordiondb.fixtures.TestData.bytes;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.accordiondb.BloomKind;
import io.accordiondb.Cell;
import io.accordiondb.CompactionStyle;
import io.accordiondb.Compression;
import io.accordiondb.Database;
import io.accordiondb.Delete;
import io.accordiondb.DeleteRange;
import io.accordiondb.Durability;
import io.accordiondb.FamilyDescriptor;
import io.accordiondb.Get;
import io.accordiondb.Merge;
import io.accordiondb.Put;
import io.accordiondb.Result;
import io.accordiondb.ResultScanner;
import io.accordiondb.RowCursor;
import io.accordiondb.Scan;
import io.accordiondb.SortedFileWriter;
import io.accordiondb.Stages;
import io.accordiondb.Table;
import io.accordiondb.TableDescriptor;
import io.accordiondb.Transaction;
import io.accordiondb.WriteBatch;
import io.accordiondb.WriteStalledException;
import io.accordiondb.WritesSuspendedException;
import io.accordiondb.durability.WriteHistory.Catalog;
import io.accordiondb.durability.WriteHistory.Column;
import io.accordiondb.durability.WriteHistory.Contents;
import io.accordiondb.internal.engine.DatabaseEngine;
import io.accordiondb.internal.engine.Lulls;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Random operations of one writer on a few tables, families, rows and columns, told to a {@link
 * WriteHistory} as they are begun and acknowledged. No two values are the same.
 */
final class Workload {
  private static final List<String> TABLES = List.of("t0", "t1", "t2");
  private static final List<String> FAMILIES = List.of("f0", "f1", "f2");

  /** A family with operands, which are appended: so one that is merged twice is noticed. */
  private static final String MERGING = "f2";

  private static final List<String> QUALIFIERS = List.of("a", "b");
  private static final int ROWS = 8;

  /** A time to live that no run outlives; cells that have it have another form. */
  private static final long TTL_MILLIS = 1L << 40;

  /** Writes of one column that fill the smallest log files. */
  private static final int WRITES_OF_A_LOG_FILE = 50;

  /** How long a compaction in memory is waited for; some policies do none. */
  private static final long COMPACTION_NANOS_MAX = 3_000_000;

  private static final int VALUE_BYTES_MAX = 160;
  private static final int ASYNC_WRITES_MAX = 5;

  private final Database database;
  private final WriteHistory history;
  private final RandomGenerator random;
  private final Runnable tick;
  private long lastValue;

  /**
   * Creates a workload.
   *
   * @param tick moves the database's clock
   * @param lastValue the last number of a value that was given out before
   */
  Workload(
      Database database,
      WriteHistory history,
      RandomGenerator random,
      Runnable tick,
      long lastValue) {
    this.database = database;
    this.history = history;
    this.random = random;
    this.tick = tick;
    this.lastValue = lastValue;
  }

  /** Returns the number of the last value given out. */
  long lastValue() {
    return lastValue;
  }

  /** Does the given number of operations. */
  void run(int operations) throws IOException {
    for (int i = 0; i < operations; i++) {
      step();
    }
  }

  private void step() throws IOException {
    tick.run();
    String table = pick(TABLES);
    if (!history.catalog().tables().containsKey(table)) {
      List<String> others = new ArrayList<>(history.catalog().tables().keySet());
      if (others.isEmpty() || random.nextInt(3) > 0) {
        create(table);
      } else {
        copy(pick(others), table);
      }
      return;
    }
    switch (random.nextInt(47)) {
      case 0 -> drop(table);
      case 1 -> truncate(table);
      case 2, 3 -> alter(table);
      case 4, 5 -> flush(table);
      case 6 -> flushAll();
      case 7, 8 -> database.flushInMemory(table);
      case 9 -> Lulls.seal(database, table);
      case 10, 11 -> database.compact(table);
      case 12 -> database.majorCompact(table);
      case 40 -> database.splitRegion(table, anyRow());
      case 41 -> database.mergeRegions(table, anyRow());
      case 43, 44 -> writeAsync();
      case 45, 46 -> ingest(table);
      case 42 -> database.reconfigure(now -> MetamorphicOptions.changed(now, random));
      case 13 -> ((DatabaseEngine) database).truncateLog();
      case 14 -> {
        // Takes as long as fifty others.
        if (random.nextInt(3) == 0) {
          displace();
        }
      }
      case 15, 16, 17, 18, 19 -> write(anyDurability(), 2 + random.nextInt(8));
      default -> write(anyDurability(), 1);
    }
  }

  /** Creates a table of random families and regions. */
  void create(String table) throws IOException {
    Set<String> families = someFamilies();
    byte[][] splits =
        random.nextInt(3) == 0 ? new byte[][] {bytes("r3"), bytes("r6")} : new byte[0][];
    history.beginCatalog(history.catalog().with(table, history.numbered(families)));
    database.createTable(descriptorOf(table, families), splits);
    history.acknowledgeCatalog();
  }

  /** Creates a table that holds what another one holds. */
  private void copy(String original, String copy) throws IOException {
    SortedMap<String, Long> families = familiesOf(original);
    SortedMap<String, Long> copied = history.numbered(families.keySet());
    history.beginCatalog(history.catalog().with(copy, copied));
    history.copy(families, copied);
    database.copyTable(original, descriptorOf(copy, families.keySet()));
    history.acknowledgeCatalog();
    history.acknowledgeFlush(copy);
  }

  private void drop(String table) throws IOException {
    history.beginCatalog(history.catalog().without(table));
    database.dropTable(table);
    history.acknowledgeCatalog();
  }

  private void truncate(String table) throws IOException {
    Catalog catalog = history.catalog();
    Set<String> families = familiesOf(table).keySet();
    history.beginCatalog(catalog.with(table, history.numbered(families)));
    database.truncateTable(table);
    history.acknowledgeCatalog();
  }

  private void alter(String table) throws IOException {
    Set<String> families = someFamilies();
    SortedMap<String, Long> numbers = history.numbered(families);
    familiesOf(table).forEach((name, number) -> numbers.replace(name, number));
    history.beginCatalog(history.catalog().with(table, numbers));
    database.alterTable(descriptorOf(table, families));
    history.acknowledgeCatalog();
  }

  /** Flushes a table. */
  void flush(String table) throws IOException {
    database.flush(table);
    history.acknowledgeFlush(table);
  }

  /** Overwrites what is durable, and nowhere but in the log, by what may not be. */
  private void displace() throws IOException {
    flushAll();
    List<String> tables = new ArrayList<>(history.catalog().tables().keySet());
    String table = pick(tables);
    String other = pick(tables);
    if (table.equals(other)) {
      return;
    }
    String family = pick(new ArrayList<>(familiesOf(table).keySet()));
    String row = "r" + random.nextInt(ROWS);
    put(table, row, family, Durability.FSYNC);
    String filled = pick(new ArrayList<>(familiesOf(other).keySet()));
    for (int i = 0; i < WRITES_OF_A_LOG_FILE; i++) {
      put(other, row, filled, Durability.FSYNC);
    }
    flush(other);
    long before = database.statistics().memory().cellsEliminated();
    put(table, row, family, random.nextBoolean() ? Durability.ASYNC : Durability.SYNC);
    database.flushInMemory(table);
    long end = System.nanoTime() + COMPACTION_NANOS_MAX;
    while (database.statistics().memory().cellsEliminated() == before && System.nanoTime() < end) {
      Thread.onSpinWait();
    }
    ((DatabaseEngine) database).truncateLog();
  }

  private void put(String table, String row, String family, Durability durability)
      throws IOException {
    tick.run();
    history.begin(durability);
    String qualifier = QUALIFIERS.get(0);
    long value = ++lastValue;
    history.add(column(table, row, family, qualifier), value);
    Put put = new Put(bytes(row)).addColumn(bytes(family), bytes(qualifier), valueOf(value));
    write(new WriteBatch().put(table, put), durability, false);
  }

  /**
   * Ingests a file. It is durable whatever becomes of the writes before it, so they are made
   * durable first.
   */
  private void ingest(String table) throws IOException {
    String family = pick(new ArrayList<>(familiesOf(table).keySet()));
    put(table, "r" + random.nextInt(ROWS), family, Durability.FSYNC);
    tick.run();
    history.begin(Durability.FSYNC);
    boolean done = false;
    Path file = Files.createTempFile("ingested", ".sst");
    try {
      Files.delete(file);
      writeSorted(file, table, family);
      database.ingest(table, family, List.of(file));
      done = true;
    } finally {
      if (!done) {
        history.failWrite();
      }
      Files.deleteIfExists(file);
    }
    history.acknowledgeWrite();
  }

  private void writeSorted(Path file, String table, String family) throws IOException {
    long now =
        Math.max(database.options().clock().millis(), ((DatabaseEngine) database).clock().floor());
    try (SortedFileWriter writer =
        SortedFileWriter.create(file, database.describe(table).family(family))) {
      for (int row = random.nextInt(ROWS); row < ROWS; row += 1 + random.nextInt(ROWS)) {
        String qualifier = pick(QUALIFIERS);
        long value = ++lastValue;
        history.add(column(table, "r" + row, family, qualifier), value);
        writer.add(bytes("r" + row), bytes(qualifier), now, valueOf(value));
      }
      writer.finish();
    }
  }

  private void flushAll() throws IOException {
    database.flush();
    acknowledgeFlushes();
  }

  /** Notes that the database was flushed whole. */
  void acknowledgeFlushes() {
    history.catalog().tables().keySet().forEach(history::acknowledgeFlush);
  }

  private Durability anyDurability() {
    return switch (random.nextInt(10)) {
      case 0 -> Durability.SKIP;
      case 1, 2, 3, 4 -> Durability.ASYNC;
      case 5, 6, 7 -> Durability.SYNC;
      default -> Durability.FSYNC;
    };
  }

  /** Writes a batch of random changes, at most the given number. */
  void write(Durability durability, int changesMax) throws IOException {
    WriteBatch batch = begin(durability, changesMax);
    // A transaction that deletes a range without rows writes nothing, so it forces nothing either.
    boolean mayBeEmpty =
        batch.entries().stream().anyMatch(entry -> entry.mutation() instanceof DeleteRange);
    write(batch, durability, !mayBeEmpty && random.nextInt(4) == 0);
  }

  /** Writes the batch that was begun last. */
  private void write(WriteBatch batch, Durability durability, boolean inTransaction)
      throws IOException {
    try {
      if (inTransaction) {
        writeInTransaction(batch, durability);
      } else {
        database.write(batch, durability);
      }
    } catch (WritesSuspendedException e) {
      history.suspendWrite(history.started());
      throw e;
    } catch (WriteStalledException e) {
      history.refuseWrite(history.started());
      throw e;
    }
    history.acknowledgeWrite();
  }

  /** Submits a few batches; each is acknowledged when its stage completes. */
  private void writeAsync() throws IOException {
    CompletableFuture<?> all = CompletableFuture.completedFuture(null);
    try {
      for (int left = random.nextInt(1, ASYNC_WRITES_MAX + 1); left > 0; left--) {
        Durability durability = anyDurability();
        WriteBatch batch = begin(durability, 2);
        all = CompletableFuture.allOf(all, submit(batch, durability).toCompletableFuture());
      }
    } finally {
      Stages.await(all);
    }
  }

  /** Submits the batch that was begun last. */
  private CompletionStage<?> submit(WriteBatch batch, Durability durability) throws IOException {
    int writes = history.started();
    try {
      return database
          .writeAsync(batch, durability)
          .whenComplete((done, failure) -> noteEnd(writes, durability, failure));
    } catch (WritesSuspendedException e) {
      history.suspendWrite(writes);
      throw e;
    } catch (WriteStalledException e) {
      history.refuseWrite(writes);
      throw e;
    }
  }

  private void noteEnd(int writes, Durability durability, @Nullable Throwable failure) {
    if (failure == null) {
      history.acknowledgeWrites(writes, durability);
    } else if (failure instanceof WritesSuspendedException) {
      history.suspendWrite(writes);
    }
  }

  private WriteBatch begin(Durability durability, int changesMax) {
    tick.run();
    history.begin(durability);
    WriteBatch batch = new WriteBatch();
    int changes = random.nextInt(1, changesMax + 1);
    List<String> tables = new ArrayList<>(history.catalog().tables().keySet());
    for (int i = 0; i < changes; i++) {
      add(batch, pick(tables));
    }
    return batch;
  }

  private void writeInTransaction(WriteBatch batch, Durability durability) throws IOException {
    try (Transaction transaction = database.beginTransaction()) {
      for (WriteBatch.Entry entry : batch.entries()) {
        transaction.table(entry.table()).mutate(List.of(entry.mutation()));
      }
      transaction.commit(durability);
    }
  }

  private void add(WriteBatch batch, String table) {
    String row = "r" + random.nextInt(ROWS);
    List<String> families = new ArrayList<>(familiesOf(table).keySet());
    String family = pick(families);
    String qualifier = pick(QUALIFIERS);
    switch (random.nextInt(13)) {
      case 12 -> {
        int start = row.charAt(1) - '0';
        int stop = start + random.nextInt(1, ROWS - start + 1);
        byte[] end = stop == ROWS ? new byte[0] : bytes("r" + stop);
        batch.deleteRange(table, new DeleteRange(bytes(row), end));
        for (int each = start; each < stop; each++) {
          String deleted = "r" + each;
          families.forEach(name -> deleteAll(table, deleted, name));
        }
      }
      case 0 -> {
        batch.delete(table, new Delete(bytes(row)));
        families.forEach(each -> deleteAll(table, row, each));
      }
      case 1 -> {
        batch.delete(table, new Delete(bytes(row)).addFamily(bytes(family)));
        deleteAll(table, row, family);
      }
      case 2, 3 -> {
        batch.delete(table, new Delete(bytes(row)).addColumns(bytes(family), bytes(qualifier)));
        history.add(column(table, row, family, qualifier), null);
      }
      default -> {
        Put put = new Put(bytes(row));
        for (String each : random.nextBoolean() ? families : List.of(family)) {
          long value = ++lastValue;
          if (each.equals(MERGING) && random.nextBoolean()) {
            Merge merge = new Merge(bytes(row));
            batch.merge(table, merge.addColumn(bytes(each), bytes(qualifier), valueOf(value)));
            history.addOperand(column(table, row, each, qualifier), value);
          } else {
            put.addColumn(bytes(each), bytes(qualifier), valueOf(value));
            history.add(column(table, row, each, qualifier), value);
          }
        }
        if (random.nextInt(3) == 0 && put.cells().stream().noneMatch(Workload::merges)) {
          put.setTtlMillis(TTL_MILLIS);
        }
        if (!put.cells().isEmpty()) {
          batch.put(table, put);
        }
      }
    }
  }

  private static boolean merges(Cell cell) {
    return Arrays.equals(cell.family(), bytes(MERGING));
  }

  private void deleteAll(String table, String row, String family) {
    QUALIFIERS.forEach(qualifier -> history.add(column(table, row, family, qualifier), null));
  }

  private byte[] anyRow() {
    return bytes("r" + random.nextInt(1, ROWS));
  }

  private Column column(String table, String row, String family, String qualifier) {
    return history.columnOf(history.catalog(), table, row + "/" + family + ":" + qualifier);
  }

  private SortedMap<String, Long> familiesOf(String table) {
    return history.catalog().tables().getOrDefault(table, Collections.emptySortedMap());
  }

  private Set<String> someFamilies() {
    Set<String> families = new TreeSet<>();
    families.add(pick(FAMILIES));
    families.add(pick(FAMILIES));
    return families;
  }

  private TableDescriptor descriptorOf(String name, Set<String> families) {
    TableDescriptor.Builder table = TableDescriptor.builder(name);
    for (String family : families) {
      table.family(
          FamilyDescriptor.builder(family)
              .blockSizeBytes(FamilyDescriptor.BLOCK_BYTES_MIN)
              .compression(pick(Arrays.asList(Compression.values())))
              .compactionStyle(pick(Arrays.asList(CompactionStyle.values())))
              .bloomFilter(pick(Arrays.asList(BloomKind.values())))
              .mergeOperator(family.equals(MERGING) ? "append" : null)
              .build());
    }
    return table.build();
  }

  private <T> T pick(List<T> choices) {
    return choices.get(random.nextInt(choices.size()));
  }

  /** Returns all that a database holds, read by scans and, a part of it, by gets. */
  static Contents contentsOf(Database database) throws IOException {
    Map<String, Set<String>> names = new TreeMap<>();
    Map<String, Map<String, List<Long>>> values = new TreeMap<>();
    for (TableDescriptor table : database.tables()) {
      names.put(table.name(), new TreeSet<>(table.familyNames()));
      Map<String, List<Long>> found = new TreeMap<>();
      List<Result> rows = scan(database, table.name(), false);
      List<Result> downwards = scan(database, table.name(), true);
      Collections.reverse(downwards);
      if (!rows.equals(downwards)) {
        throw new AssertionError("upwards " + rows + ", downwards " + downwards);
      }
      checkCursor(database.table(table.name()), rows);
      for (Result row : rows) {
        row.cells().forEach(cell -> found.put(nameOf(cell), numbersOf(cell.value())));
      }
      for (int row = 0; row < ROWS; row++) {
        byte[] key = bytes("r" + row);
        Result got = database.table(table.name()).get(new Get(key));
        Result scanned =
            rows.stream().filter(r -> Arrays.equals(r.row(), key)).findFirst().orElse(Result.EMPTY);
        if (!got.equals(scanned)) {
          throw new AssertionError("got " + got + ", scanned " + scanned);
        }
      }
      values.put(table.name(), found);
    }
    return new Contents(names, values);
  }

  private static void checkCursor(Table table, List<Result> rows) throws IOException {
    try (RowCursor cursor = table.cursor(new Scan())) {
      for (Result row : rows) {
        boolean stands = cursor.isValid() ? cursor.next() : cursor.first();
        if (!stands || !cursor.result().equals(row)) {
          throw new AssertionError("a cursor does not find " + row);
        }
      }
    }
  }

  private static List<Result> scan(Database database, String table, boolean reversed)
      throws IOException {
    List<Result> rows = new ArrayList<>();
    try (ResultScanner scanner = database.table(table).scan(new Scan().setReversed(reversed))) {
      Result row = next(scanner);
      while (row != null) {
        rows.add(row);
        row = next(scanner);
      }
    }
    return rows;
  }

  /** Returns the next row; a scanner that has failed does not go on as if nothing had been. */
  private static @Nullable Result next(ResultScanner scanner) throws IOException {
    try {
      return scanner.next();
    } catch (IOException e) {
      assertThatIOException().isThrownBy(scanner::next);
      throw e;
    }
  }

  private static String nameOf(Cell cell) {
    return new String(cell.row(), US_ASCII)
        + "/"
        + new String(cell.family(), US_ASCII)
        + ":"
        + new String(cell.qualifier(), US_ASCII);
  }

  /** Returns the bytes of the value of a number: the number, and more of it. */
  static byte[] valueOf(long number) {
    byte[] value = new byte[bytesOf(number)];
    Arrays.fill(value, (byte) number);
    ByteBuffer.wrap(value).putLong(0, number);
    return value;
  }

  private static int bytesOf(long number) {
    return Long.BYTES + (int) (number * 31 % VALUE_BYTES_MAX);
  }

  /** Returns the numbers whose values make a value, one behind the other. */
  private static List<Long> numbersOf(byte[] value) {
    List<Long> numbers = new ArrayList<>();
    for (int from = 0; from < value.length || numbers.isEmpty(); ) {
      long number = value.length - from < Long.BYTES ? 0 : ByteBuffer.wrap(value).getLong(from);
      int to = from + bytesOf(Math.max(0, number));
      if (number < 1
          || to > value.length
          || !Arrays.equals(Arrays.copyOfRange(value, from, to), valueOf(number))) {
        throw new AssertionError("a value that was never written: " + Arrays.toString(value));
      }
      numbers.add(number);
      from = to;
    }
    return numbers;
  }
}
