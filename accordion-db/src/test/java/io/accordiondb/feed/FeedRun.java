// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.feed;

import static io.accordiondb.fixtures.TestData.bytes;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.Cell;
import io.accordiondb.Change;
import io.accordiondb.ChangeFeed;
import io.accordiondb.ChangedCell;
import io.accordiondb.ChangesLostException;
import io.accordiondb.Database;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.Durability;
import io.accordiondb.FamilyDescriptor;
import io.accordiondb.KeyValueIterator;
import io.accordiondb.KeyValueStore;
import io.accordiondb.LogWriting;
import io.accordiondb.SortedFileWriter;
import io.accordiondb.TableDescriptor;
import io.accordiondb.TestKeys;
import io.accordiondb.WriteBatch;
import io.accordiondb.WritesSuspendedException;
import io.accordiondb.encoding.CellType;
import io.accordiondb.feed.FollowingFeed.Delivered;
import io.accordiondb.internal.engine.DatabaseEngine;
import io.accordiondb.internal.engine.StorageOperations;
import io.accordiondb.internal.storage.FaultyStorage;
import io.accordiondb.internal.storage.FaultyStorage.InjectedFault;
import io.accordiondb.internal.storage.FaultyStorage.Operation;
import io.accordiondb.internal.storage.MemoryStorage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Writes to a database and changes it at random, while feeds begin anywhere, follow at any pace,
 * and go on after restarts and in copies. The changes of one feed that follows closely, applied to
 * sorted maps, must give the tables after each step; all others must deliver the same changes. What
 * no feed delivers, such as a truncation, is applied to the maps as well.
 */
final class FeedRun {
  private static final List<String> NAMES = List.of("a", "b", "c");
  private static final int STEPS = 150;
  private static final int KEYS = 40;
  private static final int CELLS_MAX = 30;
  private static final int FEEDS_MAX = 8;
  private static final Duration SOON = Duration.ofSeconds(20);

  private final SplittableRandom random;
  private final Path folder;
  private final DatabaseOptions options;

  /** The clock, which goes on whenever it is read, and never back. */
  private final AtomicLong millis = new AtomicLong(System.currentTimeMillis());

  private final List<Delivered> written = new ArrayList<>();
  private final SortedMap<String, SortedMap<String, String>> tables = new TreeMap<>();
  private final List<FollowingFeed> feeds = new ArrayList<>();
  private MemoryStorage disk = new MemoryStorage();
  private FaultyStorage faulty = new FaultyStorage(disk);
  private Database database;
  private ChangeFeed closest;
  private int number;

  private FeedRun(long seed, Path folder) throws IOException {
    this.random = new SplittableRandom(seed);
    this.folder = folder;
    DatabaseOptions.Builder builder =
        DatabaseOptions.builder()
            .memoryBytes(4 << 20)
            .clock(() -> Instant.ofEpochMilli(millis.incrementAndGet()))
            .logFileBytes(4 << 10)
            .logBytesMax(64 << 10)
            .logWriting(random.nextBoolean() ? LogWriting.MAPPED : LogWriting.PLAIN)
            .asyncLogDelay(Duration.ofMillis(1))
            .logRetention(Duration.ofDays(1));
    if (random.nextInt(4) == 0) {
      builder.encryption(TestKeys.changing(seed));
    }
    this.options = builder.build();
    this.database = DatabaseEngine.open(faulty, options);
    this.closest = database.changes();
  }

  /** Does everything of one run, with a folder for files to ingest. */
  static void run(long seed, Path folder) throws IOException {
    Files.createDirectories(folder);
    FeedRun run = new FeedRun(seed, folder);
    try {
      for (int i = 0; i < STEPS; i++) {
        run.step();
        assertThat(run.closest.next(Duration.ZERO)).isNull();
        assertHolds(run.database, run.tables);
      }
      for (FollowingFeed feed : run.feeds) {
        feed.finish(run.written);
      }
    } finally {
      run.database.close();
    }
  }

  private static void assertHolds(Database actual, Map<String, SortedMap<String, String>> expected)
      throws IOException {
    for (String table : expected.keySet()) {
      assertThat(contents(actual, table)).as(table).isEqualTo(expected.get(table));
    }
  }

  private static SortedMap<String, String> contents(Database read, String table)
      throws IOException {
    SortedMap<String, String> contents = new TreeMap<>();
    try (KeyValueIterator all = read.keyValueStore(table).range(null, null)) {
      all.forEachRemaining(
          entry ->
              contents.put(new String(entry.key(), US_ASCII), new String(entry.value(), US_ASCII)));
    }
    return contents;
  }

  private void step() throws IOException {
    int choice = tables.isEmpty() ? 0 : random.nextInt(100);
    if (choice < 4) {
      create();
    } else if (choice < 45) {
      write();
    } else if (choice < 70) {
      change();
    } else if (choice < 88) {
      follow();
    } else if (choice < 92) {
      copy();
    } else if (choice < 95) {
      writeWhileTheDiskIsFull();
    } else if (choice < 97) {
      losePower();
    } else {
      reopen(random.nextBoolean() ? disk : disk.copy());
    }
  }

  private byte[] key() {
    return bytes(String.format("k%02d", random.nextInt(KEYS)));
  }

  private byte[] value() {
    return bytes(number++ + "x".repeat(random.nextInt(200)));
  }

  private String table() {
    return List.copyOf(tables.keySet()).get(random.nextInt(tables.size()));
  }

  private void create() throws IOException {
    for (String name : NAMES) {
      if (!tables.containsKey(name)) {
        byte[][] splits = random.nextBoolean() ? new byte[][] {key()} : new byte[0][];
        database.createTable(TableDescriptor.of(name, KeyValueStore.FAMILY), splits);
        tables.put(name, new TreeMap<>());
        return;
      }
    }
  }

  private void write() throws IOException {
    assertThat(tryToWrite()).isTrue();
    take(1);
  }

  /** Returns whether the database has accepted the batch. */
  private boolean tryToWrite() throws IOException {
    WriteBatch batch = new WriteBatch();
    int count = 1 + random.nextInt(CELLS_MAX);
    for (int i = 0; i < count; i++) {
      KeyValueStore store = database.keyValueStore(table());
      byte[] key = key();
      switch (random.nextInt(12)) {
        case 0 -> batch.delete(store, key);
        case 1 -> batch.deleteRange(store, key, null);
        case 2 -> batch.deleteRange(store, key, bytes(new String(key, US_ASCII) + "z"));
        default -> batch.put(store, key, value());
      }
    }
    Durability durability = Durability.values()[1 + random.nextInt(3)];
    try {
      database.write(batch, durability);
      return true;
    } catch (WritesSuspendedException e) {
      return false;
    }
  }

  /** Takes changes from the closest feed, and applies them. */
  private void take(int count) throws IOException {
    for (int i = 0; i < count; i++) {
      Change change = closest.next(SOON);
      assertThat(change).as("change %s of %s", i, count).isNotNull();
      if (!written.isEmpty()) {
        assertThat(change.sequence()).isGreaterThan(written.get(written.size() - 1).sequence());
      }
      written.add(Delivered.of(change));
      change.cells().forEach(this::apply);
    }
  }

  private void apply(ChangedCell changed) {
    SortedMap<String, String> table = tables.get(changed.table());
    assertThat(table).as(changed.table()).isNotNull();
    Cell cell = changed.cell();
    String row = new String(cell.row(), US_ASCII);
    String value = new String(cell.value(), US_ASCII);
    if (cell.type() == CellType.PUT) {
      table.put(row, value);
    } else if (cell.type() == CellType.DELETE_RANGE) {
      (value.isEmpty() ? table.tailMap(row) : table.subMap(row, value)).clear();
    } else {
      table.remove(row);
    }
  }

  private void change() throws IOException {
    String table = table();
    switch (random.nextInt(14)) {
      case 0 -> {
        database.truncateTable(table);
        tables.put(table, new TreeMap<>());
      }
      case 1 -> drop(table);
      case 2 -> copyTable(table);
      case 3 -> ingest(table);
      case 4 -> {
        database.alterTable(TableDescriptor.of(table, KeyValueStore.FAMILY, "other"));
        database.alterTable(TableDescriptor.of(table, KeyValueStore.FAMILY));
      }
      default -> changeFiles(table);
    }
  }

  /** Changes regions or files, and nothing that a reader sees. */
  private void changeFiles(String table) throws IOException {
    switch (random.nextInt(8)) {
      case 0, 1 -> database.splitRegion(table, key());
      case 2 -> database.mergeRegions(table, key());
      case 3, 4 -> database.flush(table);
      case 5 -> database.compact(table);
      case 6 -> database.majorCompact(table);
      default -> ((DatabaseEngine) database).truncateLog();
    }
  }

  private void drop(String table) throws IOException {
    database.dropTable(table);
    tables.remove(table);
    // They could not go on after a restart, because the table must exist then.
    for (FollowingFeed feed : List.copyOf(feeds)) {
      if (feed.follows(table)) {
        feed.finish(written);
        feeds.remove(feed);
      }
    }
  }

  private void copyTable(String table) throws IOException {
    for (String name : NAMES) {
      if (!tables.containsKey(name)) {
        database.copyTable(table, TableDescriptor.of(name, KeyValueStore.FAMILY));
        tables.put(name, new TreeMap<>(tables.get(table)));
        return;
      }
    }
  }

  private void ingest(String table) throws IOException {
    FamilyDescriptor family = FamilyDescriptor.of(KeyValueStore.FAMILY);
    Path file = folder.resolve("file" + number++);
    SortedMap<String, String> cells = new TreeMap<>();
    for (int i = 0; i < 5; i++) {
      cells.put(new String(key(), US_ASCII), new String(value(), US_ASCII));
    }
    long timestamp = millis.incrementAndGet();
    try (SortedFileWriter writer = SortedFileWriter.create(file, family)) {
      for (Map.Entry<String, String> cell : cells.entrySet()) {
        writer.add(bytes(cell.getKey()), new byte[0], timestamp, bytes(cell.getValue()));
      }
      writer.finish();
    }
    database.ingest(table, KeyValueStore.FAMILY, List.of(file));
    tables.get(table).putAll(cells);
  }

  private void follow() throws IOException {
    if (feeds.size() < 3 || (feeds.size() < FEEDS_MAX && random.nextInt(4) == 0)) {
      begin();
      return;
    }
    FollowingFeed feed = feeds.get(random.nextInt(feeds.size()));
    switch (random.nextInt(6)) {
      case 0 -> {
        feed.finish(written);
        feeds.remove(feed);
      }
      case 1 -> feed.resume(database, feed.token());
      default -> feed.advance(1 + random.nextInt(20), written);
    }
  }

  private void begin() throws IOException {
    SortedSet<String> wanted = new TreeSet<>();
    if (random.nextBoolean()) {
      wanted.add(table());
      wanted.add(table());
    }
    String[] names = wanted.toArray(String[]::new);
    if (written.isEmpty() || random.nextInt(3) == 0) {
      feeds.add(new FollowingFeed(wanted, database.changes(names), written.size()));
      return;
    }
    int from = random.nextInt(written.size());
    // A feed that begins within a batch delivers the whole of it.
    long sequence = Math.max(0, written.get(from).sequence() - random.nextInt(3));
    while (from > 0 && written.get(from - 1).sequence() >= sequence) {
      from--;
    }
    feeds.add(new FollowingFeed(wanted, database.changes(sequence, names), from));
  }

  /** A copy holds this moment, and feeds go on there. Sometimes it takes the database's place. */
  private void copy() throws IOException {
    MemoryStorage target = new MemoryStorage();
    StorageOperations.checkpointWithLog(database, target);
    try (Database copy = DatabaseEngine.open(target.copy(), options)) {
      assertHolds(copy, tables);
      new FollowingFeed(new TreeSet<>(), copy.changes(0), 0).finish(written);
      for (FollowingFeed feed : feeds) {
        feed.in(copy).finish(written);
      }
    }
    if (random.nextInt(3) == 0) {
      int kept = written.size();
      writeAhead();
      replaceDisk(target, kept);
    }
  }

  private void losePower() throws IOException {
    write();
    WriteBatch forced = new WriteBatch().put(database.keyValueStore(table()), key(), value());
    database.write(forced, Durability.FSYNC);
    take(1);
    int kept = written.size();
    writeAhead();
    MemoryStorage left = disk.crash(random);
    try (Database opened = DatabaseEngine.open(left.copy(), options);
        ChangeFeed all = opened.changes(0)) {
      List<Delivered> there = new ArrayList<>();
      for (Change change = all.next(Duration.ZERO);
          change != null;
          change = all.next(Duration.ZERO)) {
        there.add(Delivered.of(change));
      }
      assertThat(there).hasSizeGreaterThanOrEqualTo(kept);
      assertThat(written).startsWith(there.toArray(Delivered[]::new));
      kept = there.size();
    }
    replaceDisk(left, kept);
  }

  /** Writes what the disk that comes next may lack, and lets some feeds see it. */
  private void writeAhead() throws IOException {
    for (int i = random.nextInt(15); i > 0; i--) {
      write();
    }
    for (FollowingFeed feed : feeds) {
      feed.advance(random.nextInt(40), written);
    }
  }

  /** Goes on with a disk that lacks the last changes. Feeds that have seen one of them notice. */
  private void replaceDisk(MemoryStorage next, int kept) throws IOException {
    List<String> tokens = feeds.stream().map(FollowingFeed::token).toList();
    database.close();
    written.subList(kept, written.size()).clear();
    open(next);
    closest = database.changes();
    for (String table : tables.keySet()) {
      tables.put(table, contents(database, table));
    }
    for (int i = random.nextInt(15); i > 0; i--) {
      write();
    }
    for (int i = feeds.size() - 1; i >= 0; i--) {
      FollowingFeed feed = feeds.get(i);
      boolean isAhead = feed.passed() > kept;
      try {
        feed.resume(database, tokens.get(i));
        assertThat(isAhead).as("a feed continues behind changes that were undone").isFalse();
      } catch (ChangesLostException e) {
        assertThat(isAhead).as(e.getMessage()).isTrue();
        feeds.remove(i);
      }
    }
  }

  private void open(MemoryStorage next) throws IOException {
    disk = next;
    faulty = new FaultyStorage(disk);
    database = DatabaseEngine.open(faulty, options);
  }

  /** Goes on with a disk that has all that the operating system had. */
  private void reopen(MemoryStorage next) throws IOException {
    List<String> tokens = feeds.stream().map(FollowingFeed::token).toList();
    String token = closest.token();
    database.close();
    open(next);
    closest = database.changesAfter(token);
    for (int i = 0; i < tokens.size(); i++) {
      feeds.get(i).resume(database, tokens.get(i));
    }
  }

  /** The feeds deliver what was acknowledged, and nothing that was refused. */
  private void writeWhileTheDiskIsFull() throws IOException {
    faulty.failFor(
        Set.of(Operation.APPEND, Operation.CREATE), 1 + random.nextInt(20), 1 + random.nextInt(40));
    int accepted = 0;
    for (int i = random.nextInt(25); i > 0; i--) {
      if (random.nextInt(3) > 0) {
        accepted += tryToWrite() ? 1 : 0;
        continue;
      }
      try {
        changeFiles(table());
      } catch (InjectedFault | WritesSuspendedException e) {
        // As it must be.
      }
    }
    faulty.count(Set.of());
    database.resume();
    take(accepted);
  }
}
