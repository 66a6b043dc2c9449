// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.engine;

import static io.accordiondb.fixtures.Await.await;
import static io.accordiondb.fixtures.TestData.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.accordiondb.Compression;
import io.accordiondb.CorruptionException;
import io.accordiondb.Database;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.DatabaseStatistics;
import io.accordiondb.KeyValueBatch;
import io.accordiondb.KeyValueStore;
import io.accordiondb.RecoveryMode;
import io.accordiondb.RecoveryProgress;
import io.accordiondb.internal.storage.MemoryStorage;
import io.accordiondb.memstore.MemStorePolicy;
import io.accordiondb.memstore.Policy;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("slow")
class RecoveryTest {
  private static final int KEYS = 200;

  private final MemoryStorage disk = new MemoryStorage();

  private static DatabaseOptions.Builder options() {
    return DatabaseOptions.builder().memoryBytes(4 << 20).logFileBytes(4 << 10);
  }

  private static byte[] key(int number) {
    return bytes(String.format(Locale.ROOT, "key%05d", number));
  }

  /** Returns the disk as a killed process leaves it: all in the log, but for a flushed table. */
  private MemoryStorage killed(Compression logCompression) throws IOException {
    try (Database database =
        DatabaseEngine.open(disk, options().logCompression(logCompression).build())) {
      KeyValueStore store = database.keyValueStore("s");
      for (int i = 0; i < KEYS; i++) {
        store.put(key(i), bytes("value ".repeat(60) + i));
      }
      return disk.copy();
    }
  }

  private static List<Integer> keysOf(Database database) throws IOException {
    List<Integer> found = new ArrayList<>();
    KeyValueStore store = database.keyValueStore("s");
    for (int i = 0; i < KEYS; i++) {
      byte[] value = store.get(key(i));
      if (value != null) {
        assertThat(value).isEqualTo(bytes("value ".repeat(60) + i));
        found.add(i);
      }
    }
    return found;
  }

  private static void damageSecondLogFile(MemoryStorage disk) throws IOException {
    String name = "wal/" + disk.list("wal").get(1);
    disk.flip(name, disk.bytes(name).length / 2);
  }

  @ParameterizedTest
  @EnumSource(
      value = Compression.class,
      names = {"NONE", "LZ4"})
  void replaysALogWhateverItsCompression(Compression compression) throws IOException {
    MemoryStorage killed = killed(compression);
    List<RecoveryProgress> progress = new ArrayList<>();
    try (Database database =
        DatabaseEngine.open(killed, options().recoveryListener(progress::add).build())) {
      assertThat(keysOf(database)).hasSize(KEYS);
    }
    RecoveryProgress last = progress.get(progress.size() - 1);
    assertThat(last.records()).isEqualTo(KEYS);
    assertThat(last.bytesDropped()).isZero();
    assertThat(last.bytesRead()).isEqualTo(last.bytesTotal());
  }

  /** Enough for several slabs, each of which becomes a segment of its own, except under NONE. */
  @ParameterizedTest
  @EnumSource(Policy.class)
  void aLongLogIsReplayedWholeUnderEveryPolicy(Policy policy) throws IOException {
    DatabaseOptions options =
        DatabaseOptions.builder()
            .memoryBytes(16 << 20)
            .memStorePolicy(MemStorePolicy.of(policy))
            .build();
    Random random = new Random(7);
    Map<Integer, byte[]> model = new HashMap<>();
    MemoryStorage killed;
    try (Database database = DatabaseEngine.open(disk, options)) {
      KeyValueStore store = database.keyValueStore("s");
      KeyValueBatch batch = store.writeBatch();
      for (int i = 1; i <= 20_000; i++) {
        int key = random.nextInt(5000);
        if (random.nextInt(10) == 0) {
          batch.delete(key(key));
          model.remove(key);
        } else {
          byte[] value = bytes("value " + i);
          batch.put(key(key), value);
          model.put(key, value);
        }
        if (i % 50 == 0) {
          batch.commit();
        }
      }
      killed = disk.copy();
    }
    try (Database database = DatabaseEngine.open(killed, options)) {
      DatabaseStatistics statistics = database.statistics();
      assertThat(statistics.flushes().count()).isZero();
      assertThat(statistics.memory().inMemoryFlushes() > 0).isEqualTo(policy != Policy.NONE);
      KeyValueStore store = database.keyValueStore("s");
      for (int key = 0; key < 5000; key++) {
        assertThat(store.get(key(key))).as("key %d", key).isEqualTo(model.get(key));
      }
    }
  }

  @Test
  void compressedLogIsSmaller() throws IOException {
    long plain = 0;
    for (Compression compression : List.of(Compression.NONE, Compression.LZ4)) {
      MemoryStorage fresh = new MemoryStorage();
      try (Database database =
          DatabaseEngine.open(fresh, options().logCompression(compression).build())) {
        KeyValueStore store = database.keyValueStore("s");
        store.put(key(1), bytes("value ".repeat(1000)));
        long bytes = database.statistics().log().bytesAppended();
        if (compression == Compression.NONE) {
          plain = bytes;
        } else {
          assertThat(bytes).isLessThan(plain / 4);
        }
      }
    }
  }

  @Test
  void damageIsRefusedUnlessTheModeAcceptsIt() throws IOException {
    MemoryStorage killed = killed(Compression.NONE);
    damageSecondLogFile(killed);
    assertThatThrownBy(() -> DatabaseEngine.open(killed, options().build()))
        .isInstanceOf(CorruptionException.class);

    try (Database database =
        DatabaseEngine.open(
            killed.copy(), options().recoveryMode(RecoveryMode.POINT_IN_TIME).build())) {
      List<Integer> found = keysOf(database);
      assertThat(found).hasSizeBetween(1, KEYS - 1);
      assertThat(found.get(found.size() - 1)).isEqualTo(found.size() - 1);
    }
    try (Database database =
        DatabaseEngine.open(killed, options().recoveryMode(RecoveryMode.SALVAGE).build())) {
      assertThat(keysOf(database)).hasSize(KEYS - 1);
    }
    try (Database database = DatabaseEngine.open(killed, options().build())) {
      assertThat(keysOf(database)).hasSize(KEYS - 1);
    }
  }

  @Test
  void pointInTimeIsRefusedWhereFilesAreAheadOfTheLog() throws IOException {
    MemoryStorage killed;
    try (Database database = DatabaseEngine.open(disk, options().build())) {
      KeyValueStore other = database.keyValueStore("other");
      KeyValueStore store = database.keyValueStore("s");
      for (int i = 0; i < KEYS; i++) {
        store.put(key(i), bytes("value ".repeat(60) + i));
      }
      other.put(key(1), bytes("late"));
      database.flush("other");
      killed = disk.copy();
    }
    damageSecondLogFile(killed);
    assertThatThrownBy(
            () ->
                DatabaseEngine.open(
                    killed.copy(), options().recoveryMode(RecoveryMode.POINT_IN_TIME).build()))
        .isInstanceOf(CorruptionException.class)
        .hasMessageContaining("SALVAGE");
    try (Database database =
        DatabaseEngine.open(killed, options().recoveryMode(RecoveryMode.SALVAGE).build())) {
      assertThat(keysOf(database)).hasSize(KEYS - 1);
      assertThat(database.keyValueStore("other").get(key(1))).isEqualTo(bytes("late"));
    }
  }

  @Test
  void logLimitFlushesTheStoreThatPinsTheOldestFile() throws Exception {
    try (Database database = DatabaseEngine.open(disk, options().logBytesMax(64 << 10).build())) {
      database.keyValueStore("idle").put(key(1), bytes("old"));
      KeyValueStore store = database.keyValueStore("s");
      for (int i = 0; i < KEYS * 4; i++) {
        store.put(key(i), bytes("value ".repeat(60) + i));
      }
      await("a short log", () -> database.statistics().log().bytes(), bytes -> bytes < 128 << 10);
      assertThat(database.keyValueStore("idle").get(key(1))).isEqualTo(bytes("old"));
    }
  }
}
