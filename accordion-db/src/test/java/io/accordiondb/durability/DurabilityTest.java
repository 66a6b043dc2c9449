// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.durability;

import static io.accordiondb.fixtures.TestData.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.Database;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.Durability;
import io.accordiondb.Get;
import io.accordiondb.Put;
import io.accordiondb.TableDescriptor;
import io.accordiondb.WriteBatch;
import io.accordiondb.internal.engine.DatabaseEngine;
import io.accordiondb.internal.storage.MemoryStorage;
import io.accordiondb.internal.storage.ObservedStorage;
import io.accordiondb.memstore.layout.CellMemory;
import io.accordiondb.memstore.layout.IndexKind;
import io.accordiondb.memstore.layout.SegmentLayout;
import java.io.IOException;
import java.time.Duration;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** What random crashes have found, once more by itself. */
class DurabilityTest {
  private static final int CRASHES = 40;

  private static final DatabaseOptions OPTIONS =
      DatabaseOptions.builder()
          .memoryBytes(64 << 20)
          .experiment(
              e -> e.withSegmentLayout(SegmentLayout.of(CellMemory.HEAP_CHUNKS, IndexKind.CHUNK)))
          .experiment(e -> e.withChunkBytes(256 << 10))
          .logFileBytes(4 << 20)
          .asyncLogDelay(Duration.ofMinutes(1))
          .build();

  @Test
  void aFlushOfOneStoreForcesTheLogSoThatBatchesStayWhole() throws IOException {
    MemoryStorage disk = new MemoryStorage();
    try (Database database = DatabaseEngine.open(disk, OPTIONS)) {
      database.createTable(TableDescriptor.of("a", "f"));
      database.createTable(TableDescriptor.of("b", "f"));
      WriteBatch batch = new WriteBatch().put("a", put("f")).put("b", put("f"));
      database.write(batch, Durability.ASYNC);
      database.flush("a");
      for (int crash = 0; crash < CRASHES; crash++) {
        assertWhole(disk.crash(new SplittableRandom(crash)));
      }
      assertWhole(disk.copy());
    }
  }

  @Test
  void aFlushDuringRecoveryForcesTheLogSoThatBatchesStayWhole() throws IOException {
    MemoryStorage disk = new MemoryStorage();
    MemoryStorage killed;
    try (Database database = DatabaseEngine.open(disk, OPTIONS)) {
      database.createTable(TableDescriptor.of("a", "f"));
      database.createTable(TableDescriptor.of("b", "f"));
      WriteBatch batch = new WriteBatch().put("a", put("f")).put("b", put("f"));
      database.write(batch, Durability.SYNC);
      // Fills the memory of the recovery, which has less.
      Put large = new Put(bytes("large")).addColumn(bytes("f"), bytes("q"), new byte[1 << 20]);
      for (int i = 0; i < 2; i++) {
        database.table("a").put(large.setDurability(Durability.SYNC));
      }
      killed = disk.copy();
    }
    DatabaseOptions little =
        DatabaseOptions.builder()
            .memoryBytes(1 << 20)
            .logFileBytes(4 << 20)
            .experiment(
                e -> e.withSegmentLayout(SegmentLayout.of(CellMemory.HEAP_CHUNKS, IndexKind.CHUNK)))
            .experiment(e -> e.withChunkBytes(64 << 10))
            .build();
    ObservedStorage observed =
        new ObservedStorage(
            killed,
            () -> {
              try {
                assertWhole(killed.crash(new SplittableRandom(7)));
              } catch (IOException e) {
                throw new AssertionError(e);
              }
            });
    DatabaseEngine.open(observed, little).close();
  }

  @Test
  void aFamilyCreatedAfterAnotherWasDroppedDoesNotGetItsCells() throws IOException {
    MemoryStorage disk = new MemoryStorage();
    try (Database database = DatabaseEngine.open(disk, OPTIONS)) {
      database.createTable(TableDescriptor.of("t", "f", "g"));
      database.table("t").put(put("g").setDurability(Durability.FSYNC));
      database.alterTable(TableDescriptor.of("t", "f"));
      database.alterTable(TableDescriptor.of("t", "f", "h"));
      try (Database reopened = DatabaseEngine.open(disk.copy(), OPTIONS)) {
        assertThat(reopened.table("t").get(new Get(bytes("row"))).cells()).isEmpty();
      }
    }
  }

  @Test
  void writesGoOnWhereTheChunksOfAllStoresFillTheBudget() throws IOException {
    DatabaseOptions narrow =
        DatabaseOptions.builder()
            .memoryBytes(1 << 20)
            .experiment(e -> e.withChunkBytes(64 << 10))
            .stallMax(Duration.ofSeconds(10))
            .durability(Durability.ASYNC)
            .build();
    try (Database database = DatabaseEngine.open(new MemoryStorage(), narrow)) {
      byte[][] splits = {bytes("b"), bytes("c"), bytes("d"), bytes("e"), bytes("f")};
      database.createTable(TableDescriptor.of("t", "f", "g", "h", "i"), splits);
      for (int i = 0; i < 3_000; i++) {
        String row = "abcdef".charAt(i % 6) + "" + i;
        String family = "fghi".charAt(i / 6 % 4) + "";
        database
            .table("t")
            .put(new Put(bytes(row)).addColumn(bytes(family), bytes("q"), bytes(row)));
      }
      assertThat(database.statistics().flushes().count()).isPositive();
    }
  }

  private static void assertWhole(MemoryStorage disk) throws IOException {
    try (Database database = DatabaseEngine.open(disk, OPTIONS)) {
      Get get = new Get(bytes("row"));
      assertThat(database.table("a").get(get).isEmpty())
          .isEqualTo(database.table("b").get(get).isEmpty());
    }
  }

  private static Put put(String family) {
    return new Put(bytes("row")).addColumn(bytes(family), bytes("q"), bytes("value"));
  }
}
