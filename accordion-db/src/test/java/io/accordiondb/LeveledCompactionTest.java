// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import static io.accordiondb.fixtures.TestData.key;
import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.fixtures.TestData;
import io.accordiondb.fixtures.TestFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
@Timeout(120)
class LeveledCompactionTest {
  private static final int ROWS = 2000;

  @TempDir Path folder;

  private static DatabaseOptions options() {
    return DatabaseOptions.builder().memoryBytes(4 << 20).levelFileBytes(8 << 10).build();
  }

  private static TableDescriptor table(CompactionStyle style) {
    return TableDescriptor.builder("s")
        .family(FamilyDescriptor.builder(KeyValueStore.FAMILY).compactionStyle(style).build())
        .build();
  }

  private static byte[] value(Random random) {
    byte[] value = new byte[50];
    random.nextBytes(value);
    return value;
  }

  private static void assertHolds(Database database, TreeMap<Integer, byte[]> model)
      throws IOException {
    KeyValueStore store = database.keyValueStore("s");
    for (boolean reversed : new boolean[] {false, true}) {
      List<byte[]> keys = new ArrayList<>();
      try (KeyValueIterator all =
          reversed ? store.reverseRange(null, null) : store.range(null, null)) {
        while (all.hasNext()) {
          keys.add(all.next().key());
        }
      }
      assertThat(keys)
          .containsExactlyElementsOf(
              (reversed ? model.descendingKeySet() : model.keySet())
                  .stream().map(TestData::key).toList());
    }
    for (int row = 0; row < ROWS; row += 7) {
      assertThat(store.get(key(row))).isEqualTo(model.get(row));
    }
  }

  @Test
  void levelsHoldWhatWasWrittenWhateverHappens() throws IOException {
    Random random = new Random(11);
    TreeMap<Integer, byte[]> model = new TreeMap<>();
    Path path = folder.resolve("db");
    Database database = Database.open(path, options());
    database.createTable(table(CompactionStyle.LEVELED));
    for (int step = 0; step < 120; step++) {
      KeyValueStore store = database.keyValueStore("s");
      KeyValueBatch batch = store.writeBatch();
      for (int i = 0; i < 100; i++) {
        int row = random.nextInt(ROWS);
        if (random.nextInt(3) == 0) {
          batch.delete(key(row));
          model.remove(row);
        } else {
          byte[] value = value(random);
          batch.put(key(row), value);
          model.put(row, value);
        }
      }
      batch.commit();
      database.flush();
      Compactions.compact(database, "s", random.nextInt(30) == 0);
      switch (random.nextInt(25)) {
        case 0 -> database.splitRegion("s", key(random.nextInt(ROWS)));
        case 1 -> database.mergeRegions("s", key(random.nextInt(ROWS)));
        case 2 -> database.alterTable(table(CompactionStyle.TIERED));
        case 3, 4 -> database.alterTable(table(CompactionStyle.LEVELED));
        case 5 -> {
          database.close();
          assertThat(Database.verify(path).problems()).isEmpty();
          database = Database.open(path, options());
        }
        default -> {}
      }
      if (step % 10 == 0) {
        assertHolds(database, model);
      }
    }
    assertHolds(database, model);
    database.close();
    assertThat(Database.verify(path).problems()).isEmpty();
  }

  @Test
  void filesOfALevelAreOfTheirSizeAndReadAsOne() throws IOException {
    Random random = new Random(5);
    try (Database database = Database.open(folder.resolve("db"), options())) {
      database.createTable(table(CompactionStyle.LEVELED));
      KeyValueStore store = database.keyValueStore("s");
      for (int i = 0; i < ROWS; i++) {
        store.put(key(i), value(random));
      }
      database.flush();
      database.majorCompact("s");
      DatabaseStatistics statistics = database.statistics();
      assertThat(statistics.files().count()).isGreaterThan(8);
      assertThat(statistics.files().bytes() / statistics.files().count())
          .isBetween(4L << 10, 16L << 10);
      long before = statistics.cache().blocks().misses() + statistics.cache().blocks().hits();
      assertThat(store.get(key(77))).hasSize(50);
      statistics = database.statistics();
      assertThat(statistics.cache().blocks().misses() + statistics.cache().blocks().hits() - before)
          .isLessThan(6);
    }
  }

  /** Each compaction of level 0 needs the damaged file, so files of level 0 pile up. */
  @Test
  void writersDoNotWaitForCompactionsThatADamagedFileStops() throws IOException {
    Path path = folder.resolve("db");
    try (Database database = Database.open(path, options())) {
      database.createTable(table(CompactionStyle.LEVELED));
      writeAndFlush(database);
      database.majorCompact("s");
    }
    try (Stream<Path> tables = Files.list(path.resolve("sst"))) {
      TestFiles.flip(tables.findAny().orElseThrow(), 50);
    }
    DatabaseOptions patient = options().toBuilder().stallMax(Duration.ofSeconds(20)).build();
    try (Database database = Database.open(path, patient)) {
      for (int i = 0; i < 50; i++) {
        writeAndFlush(database);
      }
      assertThat(database.statistics().compactions().failures()).isPositive();
    }
  }

  private static void writeAndFlush(Database database) throws IOException {
    database.keyValueStore("s").put(key(0), key(1));
    database.keyValueStore("s").put(key(9), key(1));
    database.flush();
  }
}
