// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.durability;

import static io.accordiondb.fixtures.Await.await;
import static io.accordiondb.fixtures.TestData.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.accordiondb.Database;
import io.accordiondb.DatabaseFailedException;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.Durability;
import io.accordiondb.Get;
import io.accordiondb.LogWriting;
import io.accordiondb.Put;
import io.accordiondb.Table;
import io.accordiondb.TableDescriptor;
import io.accordiondb.WriteBatch;
import io.accordiondb.internal.engine.DatabaseEngine;
import io.accordiondb.internal.storage.MemoryStorage;
import io.accordiondb.internal.storage.Storage;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * An {@link Error} or a runtime exception of the storage is a failure like an I/O error: nothing is
 * acknowledged behind it, and what was acknowledged before is there when the database is opened
 * again.
 */
@Timeout(value = 1, unit = TimeUnit.MINUTES)
class ErrorsFailClosedTest {
  private static final byte[] FAMILY = bytes("f");
  private static final byte[] QUALIFIER = bytes("q");

  /** The operation of the storage that fails next, once. */
  private record Fault(String operation, String names, Throwable thrown, boolean isDone) {}

  private final MemoryStorage disk = new MemoryStorage();
  private volatile @Nullable Fault fault;
  private final AtomicInteger faults = new AtomicInteger();

  private Storage storage() {
    return storage(disk);
  }

  private Storage storage(MemoryStorage faultless) {
    return DefectiveStorage.with(
            (operation, name, original) -> {
              Fault next = fault;
              if (next == null || !operation.equals(next.operation) || !name.matches(next.names)) {
                return original.run();
              }
              fault = null;
              if (next.isDone) {
                original.run();
              }
              faults.incrementAndGet();
              throw next.thrown;
            })
        .apply(faultless);
  }

  private static DatabaseOptions options(LogWriting writing) {
    return DatabaseOptions.builder()
        .memoryBytes(4 << 20)
        .logWriting(writing)
        .asyncLogDelay(Duration.ofMillis(1))
        .build();
  }

  private static Put put(int row) {
    return new Put(bytes("row" + row)).addColumn(FAMILY, QUALIFIER, bytes("value" + row));
  }

  private static boolean has(Table table, int row) throws IOException {
    return table.get(new Get(bytes("row" + row))).value(FAMILY, QUALIFIER) != null;
  }

  @Test
  void inTheOpeningBeforeAnythingIsRead() {
    DatabaseOptions timeless =
        DatabaseOptions.builder()
            .clock(
                () -> {
                  throw new OutOfMemoryError("injected");
                })
            .build();
    assertThatExceptionOfType(OutOfMemoryError.class)
        .isThrownBy(() -> DatabaseEngine.open(disk, timeless));
    assertThat(disk.openFiles()).isZero();
  }

  static Stream<Arguments> faults() {
    List<Arguments> faults = new ArrayList<>();
    for (String operation : List.of("append", "sync")) {
      for (boolean isDone : new boolean[] {false, true}) {
        for (Throwable thrown :
            List.of(
                new OutOfMemoryError("injected"),
                new InternalError("injected"),
                new IllegalStateException("injected"))) {
          faults.add(Arguments.of(operation, thrown, isDone));
        }
      }
    }
    return faults.stream();
  }

  @ParameterizedTest
  @MethodSource("faults")
  void inACommitOfTheManifest(String operation, Throwable thrown, boolean isDone)
      throws IOException {
    try (Database database = DatabaseEngine.open(storage(), options(LogWriting.PLAIN))) {
      database.createTable(TableDescriptor.of("t", "f"));
      Table table = database.table("t");
      table.put(put(1).setDurability(Durability.FSYNC));
      fault = new Fault(operation, "MANIFEST-.*", thrown, isDone);
      assertThat(catchThrowable(database::flush)).isNotNull();
      assertThat(faults).hasValue(1);
      assertThatThrownBy(() -> database.createTable(TableDescriptor.of("u", "f")))
          .isInstanceOf(DatabaseFailedException.class);
      assertThatThrownBy(() -> table.put(put(2))).isInstanceOf(DatabaseFailedException.class);
      assertThat(has(table, 1)).isTrue();
      assertThatThrownBy(database::close).isInstanceOf(DatabaseFailedException.class);
    }
    assertHolds(1);
  }

  @ParameterizedTest
  @MethodSource("faults")
  void inAWriteToTheLog(String operation, Throwable thrown, boolean isDone) throws IOException {
    for (LogWriting writing : LogWriting.values()) {
      faults.set(0);
      MemoryStorage left = new MemoryStorage();
      try (Database database = DatabaseEngine.open(storage(left), options(writing))) {
        database.createTable(TableDescriptor.of("t", "f"));
        Table table = database.table("t");
        table.put(put(1).setDurability(Durability.FSYNC));
        fault = new Fault(operation, "wal/.*", thrown, isDone);
        assertThatThrownBy(() -> table.put(put(2).setDurability(Durability.FSYNC)))
            .isInstanceOf(DatabaseFailedException.class);
        assertThat(faults).hasValue(1);
        for (Durability durability : Durability.values()) {
          assertThatThrownBy(() -> table.put(put(3).setDurability(durability)))
              .isInstanceOf(DatabaseFailedException.class);
        }
        assertThat(has(table, 1)).isTrue();
        assertThat(has(table, 2)).isFalse();
        assertThatThrownBy(database::close).isInstanceOf(DatabaseFailedException.class);
      }
      assertHolds(left.copy(), 1);
    }
  }

  /** Nobody waits for that flush, so nobody would hear of its failure. */
  @ParameterizedTest
  @MethodSource("faults")
  void inThePeriodicFlushOfTheLog(String operation, Throwable thrown, boolean isDone)
      throws IOException {
    if (!operation.equals("append")) {
      return;
    }
    int acknowledged = 0;
    try (Database database = DatabaseEngine.open(storage(), options(LogWriting.MAPPED))) {
      database.createTable(TableDescriptor.of("t", "f"));
      Table table = database.table("t");
      table.put(put(0).setDurability(Durability.FSYNC));
      fault = new Fault(operation, "wal/.*", thrown, isDone);
      table.put(put(1).setDurability(Durability.ASYNC));
      await("the fault", () -> faults.get() > 0);
      // The flush holds the lock of the log until the failure is noted.
      for (int row = 2; row < 100; row++) {
        if (catchThrowable(rowPut(table, row)) == null) {
          acknowledged++;
        }
      }
      assertThatThrownBy(database::close).isInstanceOf(DatabaseFailedException.class);
    }
    assertThat(acknowledged).as("writes acknowledged after the fault").isZero();
    assertHolds(0);
  }

  private static ThrowingCallable rowPut(Table table, int row) {
    return () ->
        table.put(put(row).setDurability(row % 2 == 0 ? Durability.FSYNC : Durability.SYNC));
  }

  @ParameterizedTest
  @MethodSource("faults")
  void inTheSyncOfTheLogBeforeAFlush(String operation, Throwable thrown, boolean isDone)
      throws IOException {
    try (Database database = DatabaseEngine.open(storage(), options(LogWriting.MAPPED))) {
      database.createTable(TableDescriptor.of("t", "f"));
      Table table = database.table("t");
      table.put(put(0).setDurability(Durability.FSYNC));
      table.put(put(1).setDurability(Durability.SYNC));
      fault = new Fault("sync", "wal/.*", thrown, isDone);
      assertThat(catchThrowable(database::flush)).isNotNull();
      assertThat(faults).hasValue(1);
      assertThatThrownBy(() -> table.put(put(2).setDurability(Durability.FSYNC)))
          .isInstanceOf(DatabaseFailedException.class);
      assertThatThrownBy(database::close).isInstanceOf(DatabaseFailedException.class);
    }
    assertHolds(0);
  }

  private void assertHolds(int... rows) throws IOException {
    assertHolds(disk.copy(), rows);
  }

  private static void assertHolds(MemoryStorage left, int... rows) throws IOException {
    try (Database database = DatabaseEngine.open(left, options(LogWriting.PLAIN))) {
      Table table = database.table("t");
      for (int row : rows) {
        assertThat(has(table, row)).as("row " + row).isTrue();
      }
      // The log goes on where it was.
      table.put(put(1000).setDurability(Durability.FSYNC));
    }
    assertThat(left.openFiles()).isZero();
  }

  /** Returns the faulty storage, which counts the tables that are begun. */
  private Storage counting(AtomicInteger tables) {
    return DefectiveStorage.with(
            (operation, name, original) -> {
              if (operation.equals("create") && name.startsWith("sst/")) {
                tables.incrementAndGet();
              }
              return original.run();
            })
        .apply(storage());
  }

  private static Error noDirectMemory() {
    return new OutOfMemoryError("Cannot reserve 9 bytes of direct buffer memory");
  }

  /** Once others have given some back; without heap, nothing but the next flush helps. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "Cannot reserve 9 bytes of direct buffer memory",
        "Unable to allocate 9 bytes",
        "Java heap space"
      })
  void notInATableForWhichThereIsNoDirectMemoryAtFirst(String message) throws IOException {
    boolean isHeapMissing = message.contains("heap");
    AtomicInteger tables = new AtomicInteger();
    try (Database database = DatabaseEngine.open(counting(tables), options(LogWriting.PLAIN))) {
      database.createTable(TableDescriptor.of("t", "f"));
      database.table("t").put(put(1).setDurability(Durability.FSYNC));
      Error error = new OutOfMemoryError(message);
      fault = new Fault("append", "sst/.*", error, false);
      assertThat(catchThrowable(database::flush)).isSameAs(isHeapMissing ? error : null);
      assertThat(faults).hasValue(1);
      assertThat(tables).hasValue(isHeapMissing ? 1 : 2);
      database.flush();
      assertThat(tables).hasValue(2);
      assertThat(disk.list("sst")).hasSize(1);
    }
    assertHolds(1);
  }

  /** Another table is written only if that may help; then the failed record is not repeated. */
  @Test
  void inACommitOfTheManifestThatHasNoDirectMemory() throws IOException {
    AtomicInteger tables = new AtomicInteger();
    Database database = DatabaseEngine.open(counting(tables), options(LogWriting.PLAIN));
    database.createTable(TableDescriptor.of("t", "f"));
    database.table("t").put(put(1).setDurability(Durability.FSYNC));
    fault = new Fault("append", "MANIFEST-.*", noDirectMemory(), false);
    assertThat(catchThrowable(database::flush)).isNotNull();
    assertThat(faults).hasValue(1);
    assertThat(tables).hasValue(1);
    assertThatThrownBy(database::close).isInstanceOf(DatabaseFailedException.class);
    assertHolds(1);
  }

  /**
   * A batch that is in the log although it has failed, and in no memory, must not be torn by a
   * change of regions, because a replay then leaves out a part of it.
   */
  @Test
  void inTheLogBeforeAChangeOfRegions() throws IOException {
    try (Database database = DatabaseEngine.open(storage(), options(LogWriting.PLAIN))) {
      database.createTable(TableDescriptor.of("t", "f"));
      database.createTable(TableDescriptor.of("u", "f"));
      fault = new Fault("sync", "wal/.*", new IOException("injected"), true);
      WriteBatch batch = new WriteBatch().put("t", put(1)).put("u", put(1));
      assertThatThrownBy(() -> database.write(batch, Durability.FSYNC)).isNotNull();
      assertThatThrownBy(() -> database.splitRegion("t", bytes("row")))
          .isInstanceOf(DatabaseFailedException.class);
      assertThatThrownBy(database::close).isInstanceOf(DatabaseFailedException.class);
    }
    try (Database database = DatabaseEngine.open(disk.copy(), options(LogWriting.PLAIN))) {
      assertThat(has(database.table("t"), 1)).isEqualTo(has(database.table("u"), 1));
      assertThat(database.regionStarts("t")).hasSize(1);
    }
  }

  /**
   * A change of regions is in force before the names of its regions are kept for change feeds. A
   * writer that has found the old region must not be able to write to it, whatever fails there.
   */
  @Test
  void notInTheNamesThatAreKeptBehindAChangeOfRegions() throws IOException {
    AtomicReference<@Nullable Runnable> duringRead = new AtomicReference<>();
    Storage reading =
        DefectiveStorage.with(
                (operation, name, original) -> {
                  Runnable action =
                      operation.equals("readFully") && name.startsWith("sst/")
                          ? duringRead.getAndSet(null)
                          : null;
                  if (action != null) {
                    action.run();
                  }
                  return original.run();
                })
            .apply(storage());
    DatabaseOptions kept =
        options(LogWriting.PLAIN).toBuilder()
            .logRetention(Duration.ofDays(1))
            .blockCacheBytes(0)
            .build();
    try (Database database = DatabaseEngine.open(reading, kept)) {
      database.createTable(TableDescriptor.of("t", "f"));
      Table table = database.table("t");
      table.increment(bytes("row5"), FAMILY, QUALIFIER, 1);
      database.flush();
      duringRead.set(
          () -> {
            fault = new Fault("create", "kept/names.tmp", new IllegalStateException("new"), false);
            Throwable unused = catchThrowable(() -> database.splitRegion("t", bytes("row3")));
          });
      assertThat(table.increment(bytes("row5"), FAMILY, QUALIFIER, 1)).isEqualTo(2);
      assertThat(faults).hasValue(1);
      assertThat(database.regionStarts("t")).hasSize(2);
      assertThat(table.increment(bytes("row5"), FAMILY, QUALIFIER, 1)).isEqualTo(3);
    }
  }
}
