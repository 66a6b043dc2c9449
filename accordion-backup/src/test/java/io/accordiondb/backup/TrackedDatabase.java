// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.backup;

import static io.accordiondb.fixtures.TestData.bytes;
import static io.accordiondb.fixtures.TestData.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.Database;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.Durability;
import io.accordiondb.KeyValueIterator;
import io.accordiondb.KeyValueStore;
import io.accordiondb.Snapshot;
import io.accordiondb.TableDescriptor;
import io.accordiondb.WriteBatch;
import io.accordiondb.backup.History.Moment;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;

/** A database that is changed at random, with its history. Belongs to one thread. */
final class TrackedDatabase implements Closeable {
  private static final List<String> NAMES = List.of("a", "b", "c");
  private static final int KEYS = 30;
  private static final int CELLS_MAX = 12;
  private static final int MILLIS_MAX = 2000;
  private static final int SNAPSHOTS_MAX = 2;

  private final Path folder;
  private final DatabaseOptions options;
  private final SplittableRandom random;
  private final AtomicLong clock;
  private final History history;
  private final SortedMap<String, SortedMap<String, String>> tables;
  private final Deque<Snapshot> snapshots = new ArrayDeque<>();
  private Database database;
  private int values;

  /**
   * Opens a database.
   *
   * @param clock the time of its options, which goes on with each change
   * @param history that of the database up to now, which goes on
   */
  TrackedDatabase(
      Path folder,
      DatabaseOptions options,
      SplittableRandom random,
      AtomicLong clock,
      History history)
      throws IOException {
    this.folder = folder;
    this.options = options;
    this.random = random;
    this.clock = clock;
    this.history = history;
    this.database = Database.open(folder, options);
    this.tables = contents(database);
    remember(false);
  }

  Database database() {
    return database;
  }

  Path folder() {
    return folder;
  }

  History history() {
    return history;
  }

  /** Returns all entries of all tables. */
  static SortedMap<String, SortedMap<String, String>> contents(Database read) throws IOException {
    SortedMap<String, SortedMap<String, String>> contents = new TreeMap<>();
    for (TableDescriptor table : read.tables()) {
      SortedMap<String, String> entries = new TreeMap<>();
      try (KeyValueIterator all = read.keyValueStore(table.name()).range(null, null)) {
        all.forEachRemaining(entry -> entries.put(text(entry.key()), text(entry.value())));
      }
      contents.put(table.name(), entries);
    }
    return contents;
  }

  /** Changes it, and remembers what it holds then. */
  void change() throws IOException {
    clock.addAndGet(1 + random.nextInt(MILLIS_MAX));
    remember(step());
  }

  /** Remembers the moment, of which a backup may have noted the time. */
  void remember(boolean isNoted) throws IOException {
    SortedMap<String, SortedMap<String, String>> copy = new TreeMap<>();
    tables.forEach((name, entries) -> copy.put(name, new TreeMap<>(entries)));
    try (Snapshot now = database.snapshot()) {
      Instant time = Instant.ofEpochMilli(clock.get());
      history.add(new Moment(now.sequenceNumber(), time, isNoted, copy));
    }
  }

  private String key() {
    return String.format(Locale.ROOT, "k%02d", random.nextInt(KEYS));
  }

  /** Returns whether the log notes the time. */
  private boolean step() throws IOException {
    String name = NAMES.get(random.nextInt(NAMES.size()));
    if (!tables.containsKey(name)) {
      byte[][] splits = random.nextBoolean() ? new byte[][] {bytes(key())} : new byte[0][];
      database.createTable(TableDescriptor.of(name, KeyValueStore.FAMILY), splits);
      tables.put(name, new TreeMap<>());
      return true;
    }
    switch (random.nextInt(24)) {
      case 0 -> {
        database.dropTable(name);
        tables.remove(name);
        return true;
      }
      case 1 -> {
        database.truncateTable(name);
        tables.put(name, new TreeMap<>());
        return true;
      }
      case 2, 3, 4 -> database.flush();
      case 5, 6 -> database.majorCompact(name);
      case 7 -> database.splitRegion(name, bytes(key()));
      case 8 -> holdSnapshot();
      case 9 -> reopen();
      default -> write();
    }
    return false;
  }

  private void holdSnapshot() throws IOException {
    snapshots.add(database.snapshot());
    if (snapshots.size() > SNAPSHOTS_MAX) {
      snapshots.remove().close();
    }
  }

  private void reopen() throws IOException {
    close();
    database = Database.open(folder, options);
    assertThat(contents(database)).isEqualTo(tables);
  }

  /** Writes a batch, some of which is synced. */
  private void write() throws IOException {
    WriteBatch batch = new WriteBatch();
    // Single cells let two databases have moments of the same sequence number.
    int count = random.nextInt(3) > 0 ? 1 : 1 + random.nextInt(CELLS_MAX);
    for (int i = 0; i < count; i++) {
      String name = List.copyOf(tables.keySet()).get(random.nextInt(tables.size()));
      write(batch, database.keyValueStore(name), tables.get(name));
    }
    database.write(batch, Durability.values()[1 + random.nextInt(3)]);
  }

  private void write(WriteBatch batch, KeyValueStore store, SortedMap<String, String> entries) {
    String key = key();
    switch (random.nextInt(10)) {
      case 0 -> {
        String end = key + "z";
        batch.deleteRange(store, bytes(key), bytes(end));
        entries.subMap(key, end).clear();
      }
      case 1 -> {
        batch.deleteRange(store, bytes(key), null);
        entries.tailMap(key).clear();
      }
      case 2, 3 -> {
        batch.delete(store, bytes(key));
        entries.remove(key);
      }
      default -> {
        String value = clock.get() + "." + values++ + "x".repeat(random.nextInt(200));
        batch.put(store, bytes(key), bytes(value));
        entries.put(key, value);
      }
    }
  }

  /** Makes all writes visible to a process that reads the folder. */
  void sync() throws IOException {
    if (!tables.isEmpty()) {
      String name = tables.firstKey();
      database.keyValueStore(name).put(bytes("sync"), bytes("x"), Durability.SYNC);
      tables.get(name).put("sync", "x");
      remember(false);
    }
  }

  @Override
  public void close() throws IOException {
    for (Snapshot each : snapshots) {
      each.close();
    }
    snapshots.clear();
    database.close();
  }
}
