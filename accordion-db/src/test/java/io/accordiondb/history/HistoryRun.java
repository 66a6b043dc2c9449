// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.history;

import static io.accordiondb.fixtures.TestData.bytes;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.accordiondb.Checkpoint;
import io.accordiondb.Compression;
import io.accordiondb.Database;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.Delete;
import io.accordiondb.Durability;
import io.accordiondb.FamilyDescriptor;
import io.accordiondb.LogWriting;
import io.accordiondb.Merge;
import io.accordiondb.Put;
import io.accordiondb.RestorePoint;
import io.accordiondb.RestorePointException;
import io.accordiondb.Result;
import io.accordiondb.ResultScanner;
import io.accordiondb.Scan;
import io.accordiondb.Snapshot;
import io.accordiondb.SortedFileWriter;
import io.accordiondb.Table;
import io.accordiondb.TableDescriptor;
import io.accordiondb.TestKeys;
import io.accordiondb.Transaction;
import io.accordiondb.WriteBatch;
import io.accordiondb.internal.engine.CopyFollower;
import io.accordiondb.internal.engine.DatabaseEngine;
import io.accordiondb.internal.engine.StorageOperations;
import io.accordiondb.internal.storage.FaultyStorage;
import io.accordiondb.internal.storage.MemoryStorage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;

/**
 * Random writes and changes of tables, of which each moment is remembered, between two checkpoints;
 * the first one then follows the log of the second to some of these moments.
 */
final class HistoryRun implements AutoCloseable {
  private static final List<String> TABLES = List.of("t0", "t1", "t2");
  private static final List<String> FAMILIES = List.of("one", "all", "also");
  private static final String COUNTERS = "counters";
  private static final int ROWS = 12;
  private static final byte[] Q = {'q'};

  private final AtomicLong clock = new AtomicLong(1_700_000_000_000L);
  private final RandomGenerator random;
  private final DatabaseOptions options;
  private MemoryStorage disk = new MemoryStorage();
  private FaultyStorage storage = new FaultyStorage(disk);
  private Database database;
  private final List<Moment> moments = new ArrayList<>();

  /**
   * What the database held.
   *
   * @param isNoted whether the log says what time it was
   */
  record Moment(long sequence, Instant time, boolean isNoted, String contents) {}

  HistoryRun(long seed) throws IOException {
    random = new SplittableRandom(seed);
    DatabaseOptions.Builder builder =
        DatabaseOptions.builder()
            .memoryBytes(1 << 20)
            .storeFlushBytes(16 << 10)
            .experiment(e -> e.withChunkBytes(4 << 10))
            .blockCacheBytes(0)
            .logFileBytes(4 << 10)
            .logBytesMax(64 << 10)
            .logRetention(Duration.ofDays(1))
            .logCompression(random.nextBoolean() ? Compression.LZ4 : Compression.NONE)
            .logWriting(random.nextBoolean() ? LogWriting.MAPPED : LogWriting.PLAIN)
            .durability(Durability.SYNC)
            .clock(() -> Instant.ofEpochMilli(clock.get()));
    if (random.nextInt(3) == 0) {
      builder.encryption(TestKeys.changing(seed));
    }
    options = builder.build();
    database = DatabaseEngine.open(storage, options);
  }

  /** Does the given number of operations and remembers what the database holds after each. */
  void run(int operations) throws IOException {
    for (int i = 0; i < operations; i++) {
      clock.addAndGet(1 + random.nextInt(5000));
      remember(step());
    }
  }

  private void remember(boolean isNoted) throws IOException {
    try (Snapshot now = database.snapshot()) {
      Instant time = Instant.ofEpochMilli(clock.get());
      moments.add(new Moment(now.sequenceNumber(), time, isNoted, contents(database)));
    }
  }

  /** Ingests a file into some table, and remembers what the database holds then. */
  void ingest(Path folder) throws IOException {
    clock.addAndGet(1 + random.nextInt(5000));
    String name = TABLES.get(random.nextInt(TABLES.size()));
    if (!database.exists(name)) {
      database.createTable(descriptor(name), splits());
    }
    Path file = Files.createTempFile(folder, "sorted", "");
    Files.delete(file);
    try (SortedFileWriter writer =
        SortedFileWriter.create(file, database.describe(name).family(COUNTERS))) {
      writer.add(row(), Q, clock.get(), new byte[Long.BYTES]);
      writer.finish();
    }
    database.ingest(name, COUNTERS, List.of(file));
    remember(false);
  }

  private boolean step() throws IOException {
    String name = TABLES.get(random.nextInt(TABLES.size()));
    if (!database.exists(name)) {
      database.createTable(descriptor(name), splits());
      return true;
    }
    switch (random.nextInt(30)) {
      case 0 -> {
        database.dropTable(name);
        return true;
      }
      case 1 -> {
        database.truncateTable(name);
        return true;
      }
      case 2, 3 -> {
        TableDescriptor old = database.describe(name);
        TableDescriptor now = descriptor(name);
        database.alterTable(now);
        return !now.equals(old);
      }
      case 4, 5 -> database.flush();
      case 6 -> database.majorCompact(name);
      case 7 -> database.splitRegion(name, row());
      case 8 -> database.mergeRegions(name, row());
      case 9, 10 -> ((DatabaseEngine) database).truncateLog();
      case 11 -> reopen(random.nextBoolean());
      case 12, 13 -> transact(name);
      case 14, 15 -> {
        WriteBatch batch = new WriteBatch();
        for (String other : TABLES) {
          if (database.exists(other)) {
            batch.put(other, put(other));
          }
        }
        database.write(batch);
      }
      case 16, 17, 18 -> delete(name);
      case 19, 20, 21 -> {
        byte[] one = ByteBuffer.allocate(Long.BYTES).putLong(1).array();
        database.table(name).merge(new Merge(row()).addColumn(bytes(COUNTERS), Q, one));
      }
      default -> database.table(name).put(put(name));
    }
    return false;
  }

  private void transact(String name) throws IOException {
    try (Transaction transaction = database.beginTransaction()) {
      transaction.table(name).put(put(name));
      transaction.table(name).delete(new Delete(row()));
      transaction.commit();
    }
  }

  private void delete(String name) throws IOException {
    Table table = database.table(name);
    byte[] family = family(name);
    switch (random.nextInt(4)) {
      case 0 -> table.delete(new Delete(row()).addColumns(family, Q));
      case 1 -> table.delete(new Delete(row()).addFamily(family));
      case 2 -> table.deleteRange(row(), row());
      default -> table.delete(new Delete(row()));
    }
  }

  /** Closes the database, or kills it, and opens it again. */
  private void reopen(boolean killed) throws IOException {
    if (!killed) {
      database.close();
    } else {
      MemoryStorage left = disk.copy();
      storage.failForEver(FaultyStorage.CHANGES, 1);
      try {
        database.close();
      } catch (IOException e) {
        // Expected: nothing can be written.
      }
      disk = left;
      storage = new FaultyStorage(disk);
    }
    database = DatabaseEngine.open(storage, options);
  }

  private TableDescriptor descriptor(String name) {
    TableDescriptor.Builder table =
        TableDescriptor.builder(name)
            .family(FamilyDescriptor.builder(COUNTERS).mergeOperator("counter").build());
    for (String family : FAMILIES) {
      if (random.nextInt(3) > 0) {
        int versions = family.equals("all") ? 1000 : 1;
        table.family(FamilyDescriptor.builder(family).maxVersions(versions).build());
      }
    }
    return table.build();
  }

  private byte[][] splits() {
    return random.nextBoolean() ? new byte[0][] : new byte[][] {bytes("r05")};
  }

  private byte[] family(String table) throws IOException {
    List<String> families =
        database.describe(table).familyNames().stream()
            .filter(family -> !family.equals(COUNTERS))
            .toList();
    return families.isEmpty()
        ? bytes(COUNTERS)
        : bytes(families.get(random.nextInt(families.size())));
  }

  private Put put(String table) throws IOException {
    byte[] value = new byte[Long.BYTES + (random.nextInt(10) == 0 ? 2000 : 0)];
    random.nextBytes(value);
    byte[] family = family(table);
    // Only numbers of eight bytes are counters.
    byte[] own = new String(family, US_ASCII).equals(COUNTERS) ? new byte[Long.BYTES] : value;
    return new Put(row()).addColumn(family, Q, own);
  }

  private byte[] row() {
    return bytes(String.format("r%02d", random.nextInt(ROWS)));
  }

  /** Returns a copy of the database as it is, and of the log that is kept. */
  MemoryStorage checkpoint() throws IOException {
    MemoryStorage target = new MemoryStorage();
    Checkpoint made = StorageOperations.checkpointWithLog(database, target);
    moments.add(new Moment(made.sequence(), made.time(), true, contents(database)));
    return target;
  }

  /** Same by a reader, whose copy nearly always ends with a write. */
  MemoryStorage copyByReader() throws IOException {
    String name = TABLES.get(0);
    if (!database.exists(name)) {
      database.createTable(descriptor(name), splits());
    }
    for (int i = random.nextInt(4); i >= 0; i--) {
      database.table(name).put(put(name));
    }
    MemoryStorage target = new MemoryStorage();
    try (Database reader =
        DatabaseEngine.open(storage, options.toBuilder().readOnly(true).build())) {
      Checkpoint made = StorageOperations.checkpointWithLog(reader, target);
      moments.add(new Moment(made.sequence(), made.time(), false, contents(database)));
    }
    return target;
  }

  List<Moment> moments() {
    return moments;
  }

  DatabaseOptions options() {
    return options;
  }

  Database database() {
    return database;
  }

  /** Has a copy follow the log to a point, and compares it with what was remembered. */
  void check(MemoryStorage copy, MemoryStorage log, RestorePoint point, Moment expected)
      throws IOException {
    MemoryStorage followed = copy.copy();
    CopyFollower.rollForward(followed, log, point, options);
    assertThat(contents(followed))
        .as("%s: %s", point, expected.sequence)
        .isEqualTo(expected.contents);
  }

  /** Checks that no copy follows the log to a point, because of the files that it does not hold. */
  void checkRefused(MemoryStorage copy, MemoryStorage log, RestorePoint point) {
    assertThatThrownBy(() -> CopyFollower.rollForward(copy.copy(), log, point, options))
        .isInstanceOf(RestorePointException.class)
        .hasMessageContaining("files were ingested into table");
  }

  String contents(MemoryStorage copy) throws IOException {
    try (Database opened = DatabaseEngine.open(copy, options)) {
      return contents(opened);
    }
  }

  /** Returns all tables with all cells. */
  private static String contents(Database database) throws IOException {
    TreeMap<String, List<String>> tables = new TreeMap<>();
    for (TableDescriptor table : database.tables()) {
      List<String> lines = new ArrayList<>();
      lines.add(table.toString());
      try (ResultScanner rows = database.table(table.name()).scan(new Scan().setAllVersions())) {
        for (Result row : rows) {
          row.cells().forEach(cell -> lines.add(cell.toString()));
        }
      }
      tables.put(table.name(), lines);
    }
    return tables.toString().replace("], ", "],\n").replace(", ", ",\n ");
  }

  @Override
  public void close() throws IOException {
    database.close();
  }
}
