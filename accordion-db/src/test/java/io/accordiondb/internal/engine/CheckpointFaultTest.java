// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.engine;

import static io.accordiondb.fixtures.TestData.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.accordiondb.CorruptionException;
import io.accordiondb.Database;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.Durability;
import io.accordiondb.LogExtent;
import io.accordiondb.NotADatabaseException;
import io.accordiondb.internal.repair.Verifier;
import io.accordiondb.internal.storage.FaultyStorage;
import io.accordiondb.internal.storage.FileStorage;
import io.accordiondb.internal.storage.MemoryStorage;
import io.accordiondb.internal.storage.ObservedStorage;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A checkpoint whose folder fails can be made again in the same folder. */
class CheckpointFaultTest {
  private static final byte[] KEY = bytes("key");
  private static final String UNFINISHED = "COPY.unfinished";
  private static final int POWER_SEEDS = 8;

  private final MemoryStorage disk = new MemoryStorage();

  private static DatabaseOptions options(boolean readOnly) {
    return DatabaseOptions.builder()
        .memoryBytes(1 << 20)
        .logRetention(Duration.ofDays(1))
        .readOnly(readOnly)
        .build();
  }

  private void write() throws IOException {
    try (Database database = DatabaseEngine.open(disk, options(false))) {
      database.keyValueStore("s").put(KEY, bytes("in a file"));
      database.flush();
      database.keyValueStore("s").put(KEY, bytes("in the log"));
    }
  }

  /** Fails each operation on the folder in turn; returns how many there are. */
  private int failEach(Set<FaultyStorage.Operation> operations, boolean readOnly)
      throws IOException {
    int count = 0;
    while (failsAt(operations, count + 1, readOnly)) {
      count++;
    }
    return count;
  }

  /** Returns false if a checkpoint has fewer of the operations. */
  private boolean failsAt(Set<FaultyStorage.Operation> operations, int nth, boolean readOnly)
      throws IOException {
    MemoryStorage copy = new MemoryStorage();
    FaultyStorage target = new FaultyStorage(copy);
    boolean failed = false;
    try (Database database = DatabaseEngine.open(disk.copy(), options(readOnly))) {
      DatabaseEngine engine = (DatabaseEngine) database;
      target.failOnce(operations, nth);
      try {
        engine.checkpoint(target, LogExtent.KEPT);
      } catch (FaultyStorage.InjectedFault e) {
        failed = true;
      }
      target.count(Set.of());
      if (failed) {
        engine.checkpoint(target, LogExtent.KEPT);
      }
      assertThatThrownBy(() -> engine.checkpoint(target, LogExtent.KEPT))
          .isInstanceOf(DirectoryNotEmptyException.class);
    }
    assertHolds(copy, bytes("in the log"), "operation " + nth);
    return failed;
  }

  @Test
  void aFailedCheckpointIsMadeAgainInTheSameFolder() throws IOException {
    write();
    assertThat(failEach(FaultyStorage.CHANGES, false)).isGreaterThan(10);
  }

  @Test
  void aFailedCheckpointOfAReadOnlyDatabaseIsMadeAgainInTheSameFolder() throws IOException {
    write();
    assertThat(failEach(FaultyStorage.CHANGES, true)).isGreaterThan(10);
  }

  /** The moment that the copy of a reader holds is read from the copy when it is complete. */
  @Test
  void aCheckpointThatCannotReadItsFolderIsMadeAgain() throws IOException {
    write();
    Set<FaultyStorage.Operation> reads =
        Set.of(
            FaultyStorage.Operation.OPEN,
            FaultyStorage.Operation.READ,
            FaultyStorage.Operation.LOOK);
    assertThat(failEach(reads, false)).isPositive();
    assertThat(failEach(reads, true)).isGreaterThan(10);
  }

  /** A process that is killed at any change cannot delete what it has copied. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whatAKilledCheckpointHasLeftIsReplaced(boolean readOnly) throws IOException {
    write();
    int replaced = 0;
    boolean killed = true;
    for (int change = 1; killed; change++) {
      MemoryStorage copy = new MemoryStorage();
      FaultyStorage target = new FaultyStorage(copy);
      target.failForEver(FaultyStorage.CHANGES, change);
      try (Database database = DatabaseEngine.open(disk.copy(), options(readOnly))) {
        DatabaseEngine engine = (DatabaseEngine) database;
        try {
          engine.checkpoint(target, LogExtent.KEPT);
          killed = false;
        } catch (FaultyStorage.InjectedFault e) {
          assertThat(copy.exists(UNFINISHED))
              .as("change %d, mark beside files that are no database", change)
              .isEqualTo(copy.list("").size() > 1 && !copy.exists("CURRENT"));
          if (copy.exists(UNFINISHED)) {
            assertThatThrownBy(() -> DatabaseEngine.open(copy, options(true)))
                .isInstanceOf(NotADatabaseException.class)
                .hasMessageContaining("a copy that was not completed");
            engine.checkpoint(copy, LogExtent.KEPT);
            assertThat(new Verifier(copy).verify().problems()).as("change %d", change).isEmpty();
            assertThat(copy.exists(UNFINISHED)).isFalse();
            replaced++;
          }
        }
      }
    }
    assertThat(replaced).isGreaterThan(10);
  }

  /** Whatever of the target had not been forced to the device may be missing. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aLossOfPowerLeavesAWholeDatabaseOrNone(boolean readOnly) throws IOException {
    write();
    int whole = 0;
    int replaced = 0;
    for (long seed = 0; seed < POWER_SEEDS; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      MemoryStorage target = new MemoryStorage();
      List<MemoryStorage> images = new ArrayList<>();
      try (Database database = DatabaseEngine.open(disk.copy(), options(readOnly))) {
        DatabaseEngine engine = (DatabaseEngine) database;
        byte[] newest = bytes(readOnly ? "in the log" : "not forced");
        if (!readOnly) {
          database.keyValueStore("s").put(KEY, newest, Durability.SYNC);
        }
        Runnable loss = () -> images.add(target.crash(random));
        engine.checkpoint(new ObservedStorage(target, loss), LogExtent.KEPT);
        images.add(target.crash(MemoryStorage.LOSES_ALL));
        assertThat(images.get(images.size() - 1).exists("CURRENT")).isTrue();
        for (int i = 0; i < images.size(); i++) {
          MemoryStorage image = images.get(i);
          if (image.exists("CURRENT")) {
            whole++;
          } else if (image.exists(UNFINISHED) || image.list("").size() <= 1) {
            engine.checkpoint(image, LogExtent.KEPT);
            replaced++;
          } else {
            // A loss of power may take both names of the last rename.
            assertThatThrownBy(() -> DatabaseEngine.open(image, options(true)))
                .isInstanceOf(CorruptionException.class);
            continue;
          }
          assertHolds(image, newest, "seed " + seed + ", change " + i);
        }
      }
    }
    assertThat(whole).isGreaterThan(POWER_SEEDS);
    assertThat(replaced).isGreaterThan(10 * POWER_SEEDS);
  }

  private static void assertHolds(MemoryStorage copy, byte[] value, String where)
      throws IOException {
    assertThat(new Verifier(copy).verify().problems()).as(where).isEmpty();
    try (Database opened = DatabaseEngine.open(copy, options(false))) {
      assertThat(opened.keyValueStore("s").get(KEY)).as(where).isEqualTo(value);
    }
  }

  @Test
  void filesOfOthersBesideAKilledCheckpointStay() throws IOException {
    write();
    MemoryStorage copy = new MemoryStorage();
    copy.create(UNFINISHED).close();
    copy.create("precious").close();
    try (Database database = DatabaseEngine.open(disk, options(false))) {
      assertThatThrownBy(() -> ((DatabaseEngine) database).checkpoint(copy, LogExtent.KEPT))
          .isInstanceOf(DirectoryNotEmptyException.class);
    }
    assertThat(copy.list("")).containsExactly(UNFINISHED, "precious");
  }

  @Test
  void theFolderOfAFailedCheckpointIsEmpty(@TempDir Path folder) throws IOException {
    write();
    FaultyStorage target = new FaultyStorage(new FileStorage(folder));
    try (Database database = DatabaseEngine.open(disk, options(false))) {
      target.failOnce(FaultyStorage.CHANGES, 10);
      assertThatThrownBy(() -> ((DatabaseEngine) database).checkpoint(target, LogExtent.KEPT))
          .isInstanceOf(FaultyStorage.InjectedFault.class);
      assertThat(folder).isEmptyDirectory();
      database.checkpoint(folder);
    }
    assertThat(Database.verify(folder).problems()).isEmpty();
  }
}
