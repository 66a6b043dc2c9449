// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.durability;

import static io.accordiondb.fixtures.TestData.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.accordiondb.Database;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.Durability;
import io.accordiondb.Get;
import io.accordiondb.Put;
import io.accordiondb.TableDescriptor;
import io.accordiondb.WritesSuspendedException;
import io.accordiondb.durability.StoppableStorage.Stop;
import io.accordiondb.fixtures.TestThread;
import io.accordiondb.internal.engine.DatabaseEngine;
import io.accordiondb.internal.region.StoreFiles;
import io.accordiondb.internal.storage.FaultyStorage;
import io.accordiondb.internal.storage.FaultyStorage.Operation;
import io.accordiondb.internal.storage.MemoryStorage;
import io.accordiondb.internal.storage.Storage;
import io.accordiondb.internal.storage.StorageWriter;
import io.accordiondb.internal.storage.WrappingStorage;
import io.accordiondb.statistics.WriteState;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a database does after a flush has failed and left a part of its memory for the next one. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class FailedFlushTest {
  private static final byte[] FAMILY = bytes("f");
  private static final byte[] QUALIFIER = bytes("q");

  private final MemoryStorage disk = new MemoryStorage();

  /** Opens a database with a table of two regions, the upper of which begins with row b. */
  private Database open(StoppableStorage stops) throws IOException {
    Database database = DatabaseEngine.open(stops.over(disk), options());
    database.createTable(TableDescriptor.of("t", "f"), bytes("b"));
    return database;
  }

  private static DatabaseOptions options() {
    return DatabaseOptions.builder().memoryBytes(4 << 20).build();
  }

  private static void put(Database database, String row, Durability durability) throws IOException {
    database
        .table("t")
        .put(
            new Put(bytes(row))
                .addColumn(FAMILY, QUALIFIER, bytes("value of " + row))
                .setDurability(durability));
  }

  private static void assertHolds(Database database, String... rows) throws IOException {
    for (String row : rows) {
      assertThat(database.table("t").get(new Get(bytes(row))).value(FAMILY, QUALIFIER))
          .as(row)
          .isEqualTo(bytes("value of " + row));
    }
  }

  private static void assertHolds(Storage left, String... rows) throws IOException {
    try (Database database = DatabaseEngine.open(left, options())) {
      assertHolds(database, rows);
    }
  }

  /** The ways to have all memory written to files. */
  private enum Flushing {
    FLUSH {
      @Override
      void run(Database database) throws IOException {
        database.flush();
      }
    },
    FLUSH_OF_TABLE {
      @Override
      void run(Database database) throws IOException {
        database.flush("t");
      }
    },
    CLOSE {
      @Override
      void run(Database database) throws IOException {
        database.close();
      }
    };

    abstract void run(Database database) throws IOException;
  }

  @Test
  void aFileThatCannotBeBegunIsDeleted() throws IOException {
    AtomicBoolean fails = new AtomicBoolean();
    Storage storage =
        new WrappingStorage(disk) {
          @Override
          public StorageWriter create(String name) throws IOException {
            StorageWriter created = super.create(name);
            if (name.startsWith(StoreFiles.DIRECTORY) && fails.getAndSet(false)) {
              created.close();
              throw new IOException("no space for the header of " + name);
            }
            return created;
          }
        };
    try (Database database = DatabaseEngine.open(storage, options())) {
      database.createTable(TableDescriptor.of("t", "f"));
      put(database, "row", Durability.SKIP);
      fails.set(true);
      assertThatIOException().isThrownBy(database::flush);
      assertThat(disk.list(StoreFiles.DIRECTORY)).isEmpty();
      database.flush();
      assertHolds(disk.copy(), "row");
    }
  }

  @ParameterizedTest
  @EnumSource
  void theNextFlushTakesWhatTheFailedOneLeftAndAllThatCameLater(Flushing flushing)
      throws IOException {
    FaultyStorage storage = new FaultyStorage(disk);
    try (Database database = DatabaseEngine.open(storage, options())) {
      database.createTable(TableDescriptor.of("t", "f"));
      put(database, "early", Durability.SKIP);
      storage.failOnce(Set.of(Operation.CREATE), 1);
      assertThatIOException().isThrownBy(database::flush);
      put(database, "late", Durability.SKIP);
      flushing.run(database);
      assertHolds(disk.copy(), "early", "late");
    }
  }

  @ParameterizedTest
  @EnumSource
  void onAFullDiskNoFlushReturnsUntilThereIsSpaceAgain(Flushing flushing) throws IOException {
    FaultyStorage storage = new FaultyStorage(disk);
    try (Database database = DatabaseEngine.open(storage, options())) {
      database.createTable(TableDescriptor.of("t", "f"));
      storage.failForEver(Set.of(Operation.CREATE), 1);
      for (int i = 0; i < 3; i++) {
        put(database, "row" + i, Durability.SKIP);
        assertThatIOException().isThrownBy(database::flush);
        assertThatIOException().isThrownBy(() -> database.flush("t"));
      }
      put(database, "row3", Durability.SKIP);
      storage.count(Set.of());
      flushing.run(database);
      assertHolds(disk.copy(), "row0", "row1", "row2", "row3");
    }
  }

  @Test
  void oneStoreThatCannotBeFlushedKeepsNoOtherFromBeingFlushed() throws IOException {
    FaultyStorage storage = new FaultyStorage(disk);
    Database database = DatabaseEngine.open(storage, options());
    database.createTable(TableDescriptor.of("a", "f"));
    database.createTable(TableDescriptor.of("t", "f"));
    database.table("a").put(new Put(bytes("row")).addColumn(FAMILY, QUALIFIER, bytes("logged")));
    put(database, "row", Durability.SKIP);
    storage.failOnce(Set.of(Operation.CREATE), 1);
    assertThatIOException().isThrownBy(database::close);
    assertHolds(disk, "row");
  }

  /** Changes of regions that replace stores. */
  private enum RegionChange {
    SPLIT {
      @Override
      void run(Database database) throws IOException {
        assertThat(database.splitRegion("t", bytes("c"))).isTrue();
      }
    },
    MERGE {
      @Override
      void run(Database database) throws IOException {
        assertThat(database.mergeRegions("t", bytes("a"))).isTrue();
      }
    };

    abstract void run(Database database) throws IOException;
  }

  @ParameterizedTest
  @EnumSource
  void aChangeOfRegionsKeepsWhatWasWrittenBehindAFlushThatFailsWhileItWaits(RegionChange change)
      throws Exception {
    StoppableStorage stops = new StoppableStorage();
    Database database = open(stops);
    put(database, "d0", Durability.FSYNC);
    database.flush();
    // Another change of the tables goes first, for as long as its change of the manifest takes.
    Stop recording = stops.stop("creation", "append", "MANIFEST");
    TestThread creation =
        TestThread.start("creation", () -> database.createTable(TableDescriptor.of("u", "f")));
    recording.awaitReached();
    TestThread waiting = TestThread.start("change", () -> change.run(database));
    waiting.awaitBlockedIn("whileUnchanged");
    put(database, "d1", Durability.FSYNC);
    Stop writing = stops.stop("flush", "create", "sst/");
    TestThread flush = TestThread.start("flush", database::flush);
    writing.awaitReached();
    put(database, "d2", Durability.FSYNC);
    recording.release();
    creation.join();
    writing.releaseFailing();
    assertThatIOException().isThrownBy(flush::join).withMessage("failed on demand");
    waiting.join();

    assertHolds(database, "d0", "d1", "d2");
    assertHolds(disk.copy(), "d0", "d1", "d2");
    database.close();
    assertHolds(disk, "d0", "d1", "d2");
  }

  @Test
  void aFlushReturnsOnlyWhenItsCellsAreInFilesAlsoWhileTheRegionIsBeingSplit() throws Exception {
    StoppableStorage stops = new StoppableStorage();
    Database database = open(stops);
    put(database, "d0", Durability.FSYNC);
    database.flush();
    Stop compacting = stops.stop("accordion-compaction", "create", "sst/");
    TestThread compaction = TestThread.start("compaction", () -> database.majorCompact("t"));
    compacting.awaitReached();
    put(database, "d1", Durability.FSYNC);
    // The split flushes first; what comes after that is in memory when it closes the region.
    Stop flushed = stops.stop("split", "syncDirectory", "sst");
    TestThread split = TestThread.start("split", () -> RegionChange.SPLIT.run(database));
    flushed.awaitReached();
    put(database, "d2", Durability.SKIP);
    flushed.release();
    split.awaitBlockedIn("withStoresClosed");
    database.flush();
    assertHolds(disk.copy(), "d0", "d1", "d2");
    compacting.release();
    compaction.join();
    split.join();
    database.close();
    assertHolds(disk, "d0", "d1", "d2");
  }

  @Test
  void readsWaitForARegionThatIsBeingSplitAlsoWhileWritesAreSuspended() throws Exception {
    StoppableStorage stops = new StoppableStorage();
    FaultyStorage storage = new FaultyStorage(disk);
    try (Database database = DatabaseEngine.open(stops.over(storage), options())) {
      database.createTable(TableDescriptor.of("t", "f"), bytes("b"));
      put(database, "d0", Durability.FSYNC);
      database.flush();
      Stop recording = stops.stop("split", "append", "MANIFEST");
      TestThread split = TestThread.start("split", () -> RegionChange.SPLIT.run(database));
      recording.awaitReached();
      storage.failOnce(Set.of(Operation.APPEND), 1);
      assertThatThrownBy(() -> put(database, "a0", Durability.FSYNC))
          .isInstanceOf(WritesSuspendedException.class);
      assertThat(database.statistics().health().writes()).isEqualTo(WriteState.SUSPENDED);
      TestThread read = TestThread.start("read", () -> assertHolds(database, "d0"));
      read.awaitBlockedIn("awaitChange");
      recording.release();
      split.join();
      read.join();
      database.resume();
      assertThat(database.statistics().health().writes()).isEqualTo(WriteState.OK);
    }
  }

  @Test
  void aFamilyThatStaysKeepsItsCellsWhenAnotherIsDroppedBehindAFailedFlush() throws IOException {
    FaultyStorage storage = new FaultyStorage(disk);
    try (Database database = DatabaseEngine.open(storage, options())) {
      database.createTable(TableDescriptor.of("t", "f", "g"));
      put(database, "early", Durability.FSYNC);
      storage.failOnce(Set.of(Operation.CREATE), 1);
      assertThatIOException().isThrownBy(database::flush);
      put(database, "late", Durability.FSYNC);
      database.alterTable(TableDescriptor.of("t", "f"));
      assertHolds(database, "early", "late");
      assertHolds(disk.copy(), "early", "late");
      database.splitRegion("t", bytes("f"));
      assertHolds(disk.copy(), "early", "late");
    }
    assertHolds(disk, "early", "late");
  }
}
