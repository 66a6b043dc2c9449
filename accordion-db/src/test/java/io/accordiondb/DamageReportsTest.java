// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import static io.accordiondb.fixtures.TestData.key;
import static io.accordiondb.fixtures.TestFiles.flip;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.accordiondb.fixtures.Await;
import io.accordiondb.internal.engine.DatabaseEngine;
import io.accordiondb.internal.storage.MemoryStorage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Damage counts and is reported, whatever work has found it. */
class DamageReportsTest {
  private static final int KEYS = 2000;

  private final MemoryStorage disk = new MemoryStorage();
  private final Random random = new Random(1);

  private static DatabaseOptions.Builder builder() {
    return DatabaseOptions.builder().memoryBytes(4 << 20).blockCacheBytes(0).compactWhenIdle(false);
  }

  private Database open() throws IOException {
    return DatabaseEngine.open(disk, builder().build());
  }

  private byte[] incompressible(int bytes) {
    byte[] value = new byte[bytes];
    random.nextBytes(value);
    return value;
  }

  /** Changes bytes in the first nine tenths of the files of a directory. */
  private void damage(String directory, int begin, int step) throws IOException {
    for (String name : disk.list(directory)) {
      String file = directory + "/" + name;
      byte[] bytes = disk.bytes(file);
      for (int i = begin; i < bytes.length * 9 / 10; i += step) {
        bytes[i] ^= 1;
      }
      disk.setBytes(file, bytes);
    }
  }

  private static long found(Database database) throws IOException {
    return database.statistics().health().corruptions();
  }

  /** Writes a file with an index of two levels, and damages all of its blocks but the last ones. */
  private void writeDamaged() throws IOException {
    try (Database database = open()) {
      KeyValueStore store =
          database.keyValueStore(
              "s",
              FamilyDescriptor.builder(KeyValueStore.FAMILY)
                  .blockSizeBytes(FamilyDescriptor.BLOCK_BYTES_MIN)
                  .build());
      for (int i = 0; i < KEYS; i++) {
        store.put(key(i), incompressible(200));
      }
      database.flush();
    }
    damage("sst", 64, 64);
  }

  @Test
  void theCommitOfATransactionReportsWhatItFinds(@TempDir Path folder) throws IOException {
    try (Database database = Database.open(folder, builder().build())) {
      KeyValueStore store = database.keyValueStore("s");
      try (Transaction transaction = database.beginTransaction(Isolation.SNAPSHOT)) {
        transaction.keyValueStore("s").put(key(1), key(1));
        store.put(key(1), incompressible(1000));
        database.flush();
        try (Stream<Path> files = Files.list(folder.resolve("sst"))) {
          flip(files.findFirst().orElseThrow(), 100);
        }
        assertThatThrownBy(transaction::commit).isInstanceOf(CorruptionException.class);
      }
      assertThat(found(database)).isOne();
    }
  }

  @Test
  void theSplitOfARegionReportsWhatItFinds() throws IOException {
    writeDamaged();
    try (Database database = open()) {
      assertThatThrownBy(() -> database.splitRegionAtMiddle("s", key(1)))
          .isInstanceOf(CorruptionException.class);
      assertThat(found(database)).isOne();
    }
  }

  @Test
  void theSearchForDeletedBlocksReportsWhatItFinds() throws IOException {
    writeDamaged();
    try (Database database = open()) {
      database.keyValueStore("s").deleteRange(key(10), key(KEYS - 10));
      database.flush();
      Await.await("the damage that a compaction finds", () -> found(database) > 0);
      assertThat(database.statistics().health().backgroundErrors()).isPositive();
    }
  }

  @Test
  void aChangeFeedReportsWhatItFinds() throws IOException {
    DatabaseOptions options =
        builder()
            .logFileBytes(4 << 10)
            .logWriting(LogWriting.PLAIN)
            .logRetention(Duration.ofDays(1))
            .build();
    try (Database database = DatabaseEngine.open(disk, options)) {
      KeyValueStore store = database.keyValueStore("s");
      for (int i = 0; i < 60; i++) {
        store.put(key(i), incompressible(400));
      }
      database.flush();
      ((DatabaseEngine) database).truncateLog();
    }
    assertThat(disk.list("kept")).hasSizeGreaterThan(3);
    damage("kept", 2000, Integer.MAX_VALUE / 2);
    try (Database database = DatabaseEngine.open(disk, options)) {
      assertThatThrownBy(
              () -> {
                try (ChangeFeed feed = database.changes(0)) {
                  Change change;
                  do {
                    change = feed.next(Duration.ZERO);
                  } while (change != null);
                }
              })
          .isInstanceOf(CorruptionException.class);
      assertThat(found(database)).isOne();
    }
  }
}
