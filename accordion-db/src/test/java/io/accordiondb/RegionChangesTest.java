// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import static io.accordiondb.fixtures.Await.await;
import static io.accordiondb.fixtures.TestData.key;
import static io.accordiondb.fixtures.TestData.value;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.accordiondb.fixtures.TestThread;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
@Timeout(120)
class RegionChangesTest {
  @TempDir Path folder;

  private static DatabaseOptions options() {
    return DatabaseOptions.builder().memoryBytes(4 << 20).build();
  }

  private static int number(byte[] key) {
    return Integer.parseInt(new String(key, US_ASCII).substring(3));
  }

  private static List<Integer> keys(KeyValueIterator all) throws IOException {
    List<Integer> keys = new ArrayList<>();
    try (all) {
      while (all.hasNext()) {
        keys.add(number(all.next().key()));
      }
    }
    return keys;
  }

  private static void assertHolds(KeyValueStore store, TreeMap<Integer, Integer> model)
      throws IOException {
    assertThat(keys(store.range(null, null))).isEqualTo(List.copyOf(model.keySet()));
    assertThat(keys(store.reverseRange(null, null)))
        .isEqualTo(List.copyOf(model.descendingKeySet()));
    for (var entry : model.entrySet()) {
      assertThat(store.get(key(entry.getKey()))).isEqualTo(value(entry.getValue()));
    }
  }

  private static void dropCopy(Database database) throws IOException {
    if (database.exists("copy")) {
      database.dropTable("copy");
    }
  }

  @Test
  void randomChangesAmongWritesLoseAndInventNothing() throws IOException {
    for (long seed = 1; seed <= 2; seed++) {
      Path path = folder.resolve("db" + seed);
      Random random = new Random(seed);
      TreeMap<Integer, Integer> model = new TreeMap<>();
      Database database = Database.open(path, options());
      for (int step = 0; step < 150; step++) {
        KeyValueStore store = database.keyValueStore("s");
        for (int i = 0; i < 10; i++) {
          int key = random.nextInt(300);
          if (random.nextInt(4) == 0) {
            store.delete(key(key));
            model.remove(key);
          } else {
            store.put(key(key), value(step));
            model.put(key, step);
          }
        }
        switch (random.nextInt(8)) {
          case 0, 1 -> database.splitRegion("s", key(random.nextInt(300)));
          case 2 -> database.mergeRegions("s", key(random.nextInt(300)));
          case 3 -> database.flush();
          case 4 -> Compactions.compact(database, "s", random.nextBoolean());
          case 5 -> assertHolds(store, model);
          case 6 -> {
            if (random.nextInt(4) == 0) {
              database.close();
              assertThat(Database.verify(path).problems()).isEmpty();
              database = Database.open(path, options());
            }
          }
          default -> {
            dropCopy(database);
            FamilyDescriptor family = database.describe("s").families().get(0);
            database.copyTable("s", TableDescriptor.builder("copy").family(family).build());
            assertHolds(database.keyValueStore("copy"), model);
          }
        }
      }
      assertHolds(database.keyValueStore("s"), model);
      dropCopy(database);
      database.flush();
      database.majorCompact("s");
      assertHolds(database.keyValueStore("s"), model);
      int tables = (int) database.statistics().files().count();
      database.close();
      try (Stream<Path> files = Files.list(path.resolve("sst"))) {
        assertThat(files.count()).as("files that nobody sees are deleted").isEqualTo(tables);
      }
      assertThat(Database.verify(path).problems()).isEmpty();
    }
  }

  @Test
  void splitsAndMergesGoOnBesideReadersAndWriters() throws Exception {
    AtomicBoolean stop = new AtomicBoolean();
    AtomicInteger written = new AtomicInteger();
    try (Database database = Database.open(folder.resolve("db"), options())) {
      KeyValueStore store = database.keyValueStore("s");
      List<TestThread> threads = new ArrayList<>();
      threads.add(
          TestThread.start(
              "writer",
              () -> {
                for (int i = 0; !stop.get(); i++) {
                  store.put(key(i), value(i));
                  store.increment(key(999_999), 1);
                  written.set(i + 1);
                }
              }));
      for (boolean reversed : new boolean[] {false, true}) {
        threads.add(
            TestThread.start(
                "reader",
                () -> {
                  while (!stop.get()) {
                    int atLeast = written.get();
                    List<Integer> keys =
                        keys(
                            reversed
                                ? store.reverseRange(null, key(999_999))
                                : store.range(null, key(999_999)));
                    if (reversed) {
                      Collections.reverse(keys);
                    }
                    assertThat(keys).hasSizeGreaterThanOrEqualTo(atLeast);
                    for (int i = 0; i < keys.size(); i++) {
                      assertThat(keys.get(i)).isEqualTo(i);
                    }
                    if (atLeast > 0) {
                      assertThat(store.get(key(atLeast - 1))).isEqualTo(value(atLeast - 1));
                    }
                  }
                }));
      }
      Random random = new Random(7);
      for (int round = 0; round < 60 && threads.stream().allMatch(TestThread::isRunning); round++) {
        byte[] row = key(random.nextInt(Math.max(1, written.get())));
        if (random.nextInt(3) < 2) {
          database.splitRegion("s", row);
        } else {
          database.mergeRegions("s", row);
        }
        if (round % 20 == 19) {
          database.majorCompact("s");
        }
      }
      stop.set(true);
      for (TestThread thread : threads) {
        thread.join();
      }
      assertThat(store.increment(key(999_999), 0)).isEqualTo(written.get());
    }
  }

  @Test
  void snapshotAndScannerOutliveASplit() throws IOException {
    try (Database database = Database.open(folder.resolve("db"), options())) {
      KeyValueStore store = database.keyValueStore("s");
      for (int i = 0; i < 100; i++) {
        store.put(key(i), value(i));
      }
      try (Snapshot snapshot = database.snapshot();
          KeyValueIterator iterator = store.range(null, null)) {
        for (int i = 0; i < 10; i++) {
          assertThat(number(iterator.next().key())).isEqualTo(i);
        }
        for (int i = 0; i < 100; i++) {
          store.put(key(i), value(-1));
        }
        assertThat(database.splitRegion("s", key(50))).isTrue();
        assertThat(database.splitRegion("s", key(50))).isFalse();
        database.majorCompact("s");
        assertThat(store.at(snapshot).get(key(70))).isEqualTo(value(70));
        for (int i = 10; i < 100; i++) {
          KeyValue entry = iterator.next();
          assertThat(number(entry.key())).isEqualTo(i);
          assertThat(entry.value()).isEqualTo(value(i));
        }
      }
      assertThat(database.regionStarts("s")).hasSize(2);
      assertThat(database.mergeRegions("s", key(60))).isFalse();
      assertThat(database.mergeRegions("s", key(10))).isTrue();
      assertThat(database.regionStarts("s")).hasSize(1);
    }
  }

  @Test
  void writersOfATableThatIsTruncatedGoOn() throws Exception {
    AtomicBoolean stop = new AtomicBoolean();
    try (Database database = Database.open(folder.resolve("db"), options())) {
      KeyValueStore store = database.keyValueStore("s");
      TestThread writer =
          TestThread.start(
              "writer",
              () -> {
                for (int i = 0; !stop.get(); i++) {
                  store.put(key(i % 100), value(i));
                }
              });
      for (int i = 0; i < 100; i++) {
        database.truncateTable("s");
      }
      stop.set(true);
      writer.join();
    }
  }

  @Test
  void droppedTableEndsAScanThatReachesTheNextRegion() throws IOException {
    try (Database database = Database.open(folder.resolve("db"), options())) {
      database.createTable(TableDescriptor.of("s", KeyValueStore.FAMILY), key(1));
      KeyValueStore store = database.keyValueStore("s");
      store.put(key(0), value(0));
      store.put(key(1), value(1));
      try (KeyValueIterator iterator = store.range(null, null)) {
        assertThat(number(iterator.next().key())).isZero();
        database.dropTable("s");
        assertThatThrownBy(iterator::next).isInstanceOf(Exception.class);
      }
    }
  }

  @Test
  void theLargestFamilySaysWhereARegionIsSplit() throws IOException {
    try (Database database = Database.open(folder, options())) {
      database.createTable(TableDescriptor.of("t", "a", "b"));
      Table table = database.table("t");
      byte[] qualifier = {};
      for (int i = 0; i < 100; i++) {
        table.put(new Put(key(i / 20)).addColumn(new byte[] {'a'}, qualifier, value(i)));
        byte[] large = new byte[5000];
        new Random(i).nextBytes(large);
        table.put(new Put(key(i)).addColumn(new byte[] {'b'}, qualifier, large));
      }
      assertThat(database.splitRegionAtMiddle("t", key(0))).isTrue();
      byte[] start = database.regionStarts("t").get(1);
      assertThat(IntStream.range(0, 100).filter(i -> Arrays.compareUnsigned(key(i), start) < 0))
          .hasSizeBetween(40, 60);
    }
  }

  @Test
  void regionsAreSplitBySizeAndSmallNeighboursMerged() throws Exception {
    Path path = folder.resolve("db");
    try (Database database =
        Database.open(
            path,
            DatabaseOptions.builder().memoryBytes(4 << 20).regionSplitBytes(256 << 10).build())) {
      Random random = new Random(3);
      byte[] wide = new byte[1 << 20];
      random.nextBytes(wide);
      // Its region is due first, and has no row to be split at.
      database.keyValueStore("a").put(key(0), wide);
      KeyValueStore store = database.keyValueStore("s");
      byte[] noise = new byte[500];
      for (int i = 0; i < 3000; i++) {
        random.nextBytes(noise);
        store.put(key(i), noise.clone());
      }
      database.flush();
      await("splits", () -> database.regionStarts("s").size() >= 4);
      assertThat(keys(store.range(null, null))).hasSize(3000);
    }
    try (Database database =
        Database.open(
            path,
            DatabaseOptions.builder().memoryBytes(4 << 20).regionMergeBytes(8 << 20).build())) {
      await("merges", () -> database.regionStarts("s").size() == 1);
      assertThat(keys(database.keyValueStore("s").range(null, null))).hasSize(3000);
    }
    assertThat(Database.verify(path).problems()).isEmpty();
  }

  @Test
  void aThousandRegionsOpenQuickly() throws IOException {
    Path path = folder.resolve("db");
    byte[][] splits = new byte[999][];
    for (int i = 0; i < splits.length; i++) {
      splits[i] = key(i + 1);
    }
    try (Database database = Database.open(path, options())) {
      database.createTable(TableDescriptor.of("s", KeyValueStore.FAMILY), splits);
      KeyValueBatch batch = database.keyValueStore("s").writeBatch();
      for (int i = 0; i < 1000; i++) {
        batch.put(key(i), value(i));
      }
      batch.commit();
    }
    long begun = System.nanoTime();
    try (Database database = Database.open(path, options())) {
      long millis = (System.nanoTime() - begun) / 1_000_000;
      assertThat(database.statistics().files().count()).isEqualTo(1000);
      assertThat(millis).as("milliseconds to open 1,000 regions").isLessThan(120_000);
      assertThat(keys(database.keyValueStore("s").range(null, null))).hasSize(1000);
    }
  }
}
