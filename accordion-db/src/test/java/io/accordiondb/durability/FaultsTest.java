// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.durability;

import static io.accordiondb.fixtures.JavaProcess.javaProcess;
import static io.accordiondb.fixtures.JavaProcess.outputOf;
import static io.accordiondb.fixtures.TestData.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.accordiondb.CorruptionException;
import io.accordiondb.Database;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.Durability;
import io.accordiondb.Get;
import io.accordiondb.KeyValueStore;
import io.accordiondb.Put;
import io.accordiondb.TableDescriptor;
import io.accordiondb.internal.engine.DatabaseEngine;
import io.accordiondb.internal.storage.FaultyStorage;
import io.accordiondb.internal.storage.FaultyStorage.Operation;
import io.accordiondb.internal.storage.MemoryStorage;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Faults around the database, one at a time. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class FaultsTest {
  private static final byte[] FAMILY = bytes("f");
  private static final byte[] QUALIFIER = bytes("q");

  @TempDir Path folder;

  private static DatabaseOptions.Builder options() {
    return DatabaseOptions.builder().memoryBytes(4 << 20);
  }

  private static Put put(String value) {
    return new Put(bytes("row")).addColumn(FAMILY, QUALIFIER, bytes(value));
  }

  private static byte[] value(Database database) throws IOException {
    return database.table("t").get(new Get(bytes("row"))).value(FAMILY, QUALIFIER);
  }

  @Test
  void aClockThatGoesBackwardsHidesNoWrite() throws IOException {
    MemoryStorage disk = new MemoryStorage();
    AtomicLong clock = new AtomicLong(1_000_000);
    DatabaseOptions options = options().clock(() -> Instant.ofEpochMilli(clock.get())).build();
    try (Database database = DatabaseEngine.open(disk, options)) {
      database.createTable(TableDescriptor.of("t", "f"));
      database.table("t").put(put("first"));
      clock.set(500_000);
      database.table("t").put(put("second"));
      assertThat(value(database)).isEqualTo(bytes("second"));
    }
    clock.set(1);
    try (Database database = DatabaseEngine.open(disk, options)) {
      database.table("t").put(put("third"));
      assertThat(value(database)).isEqualTo(bytes("third"));
      clock.set(2_000_000);
      database.table("t").put(put("fourth"));
      database.flush();
      clock.set(1);
      MemoryStorage killed = disk.copy();
      try (Database reopened = DatabaseEngine.open(killed, options)) {
        reopened.table("t").put(put("fifth"));
        assertThat(value(reopened)).isEqualTo(bytes("fifth"));
      }
    }
  }

  @Test
  void anInterruptedThreadReadsAndWritesAndHarmsNobody() throws Exception {
    try (Database database = Database.open(folder, options().build())) {
      database.createTable(TableDescriptor.of("t", "f"));
      Thread.currentThread().interrupt();
      for (Durability durability : Durability.values()) {
        database.table("t").put(put(durability.name()).setDurability(durability));
        assertThat(value(database)).isEqualTo(bytes(durability.name()));
      }
      database.flush();
      assertThat(value(database)).isEqualTo(bytes(Durability.FSYNC.name()));
      database.majorCompact("t");
      assertThat(Thread.interrupted()).as("the flag of the thread").isTrue();
      database.table("t").put(put("after").setDurability(Durability.FSYNC));
      assertThat(value(database)).isEqualTo(bytes("after"));
    }
    try (Database database = Database.open(folder, options().build())) {
      assertThat(value(database)).isEqualTo(bytes("after"));
    } finally {
      Thread.interrupted();
    }
  }

  @Test
  void aFileThatVanishesIsNamed() throws IOException {
    MemoryStorage disk = new MemoryStorage();
    MemoryStorage killed;
    try (Database database = DatabaseEngine.open(disk, options().logFileBytes(4 << 10).build())) {
      database.createTable(TableDescriptor.of("t", "f"));
      database.table("t").put(put("flushed"));
      database.flush();
      KeyValueStore other = database.keyValueStore("other");
      for (int i = 0; i < 100; i++) {
        other.put(bytes("key" + i), new byte[200]);
      }
      killed = disk.copy();
      // Whoever has it open reads on.
      disk.delete("sst/" + disk.list("sst").get(0));
      assertThat(value(database)).isEqualTo(bytes("flushed"));
    }
    assertThat(killed.list("wal")).hasSizeGreaterThan(3);
    for (String lost :
        List.of(
            "sst/" + killed.list("sst").get(0), "wal/" + killed.list("wal").get(2), "CURRENT")) {
      MemoryStorage damaged = killed.copy();
      damaged.delete(lost);
      assertThatThrownBy(() -> DatabaseEngine.open(damaged, options().build()))
          .isInstanceOf(IOException.class)
          .hasMessageContaining(lost);
      assertThat(damaged.openFiles()).isZero();
    }
  }

  @Test
  void afterAFailedSyncWritesAreRefusedAndReadsGoOn() throws IOException {
    MemoryStorage disk = new MemoryStorage();
    FaultyStorage storage = new FaultyStorage(disk);
    try (Database database = DatabaseEngine.open(storage, options().build())) {
      database.createTable(TableDescriptor.of("t", "f"));
      database.table("t").put(put("synced").setDurability(Durability.FSYNC));
      storage.failOnce(Set.of(Operation.SYNC), 1);
      assertThatThrownBy(
              () -> database.table("t").put(put("unsynced").setDurability(Durability.FSYNC)))
          .isInstanceOf(IOException.class);
      for (int i = 0; i < 3; i++) {
        assertThatThrownBy(() -> database.table("t").put(put("later")))
            .isInstanceOf(IOException.class)
            .hasMessageContaining("open");
      }
      assertThat(value(database)).isNotNull();
      assertThatThrownBy(database::close).isInstanceOf(IOException.class);
    }
    try (Database database = DatabaseEngine.open(disk.copy(), options().build())) {
      assertThat(value(database)).isIn(bytes("synced"), bytes("unsynced"));
    }
  }

  @Test
  void errorsSayWhereWhatWasExpectedAndWhatWasFound() {
    CorruptionException error = new CorruptionException("sst/7", 42, "a block", "a hole");
    assertThat(error.file()).isEqualTo("sst/7");
    assertThat(error.offset()).isEqualTo(42);
    assertThat(error).hasMessageContainingAll("sst/7", "42", "a block", "a hole");
  }

  /** A process whose direct memory is a fraction of what its database may use. */
  @Test
  void outOfDirectMemoryChunksLieOnTheHeap() throws Exception {
    List<String> options = List.of("-Xmx256m", "-XX:MaxDirectMemorySize=4m");
    outputOf(javaProcess(options, ScarceMemory.class, folder));
  }

  /** Writes more than the direct memory of the process holds, and reads it. */
  static final class ScarceMemory {
    private static final int KEYS = 16_000;

    private ScarceMemory() {}

    public static void main(String[] arguments) throws IOException {
      DatabaseOptions options = DatabaseOptions.builder().memoryBytes(64 << 20).build();
      try (Database database = Database.open(Path.of(arguments[0]), options)) {
        KeyValueStore store = database.keyValueStore("s");
        for (int i = 0; i < KEYS; i++) {
          store.put(bytes("key" + i), new byte[1000]);
        }
        for (int i = 0; i < KEYS; i++) {
          if (store.get(bytes("key" + i)) == null) {
            throw new IllegalStateException("key " + i + " is missing");
          }
        }
      }
    }
  }
}
