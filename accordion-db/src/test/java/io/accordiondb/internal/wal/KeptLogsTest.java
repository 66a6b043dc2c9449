// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.wal;

import static io.accordiondb.fixtures.TestData.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.accordiondb.CorruptionException;
import io.accordiondb.Database;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.Durability;
import io.accordiondb.KeyValueStore;
import io.accordiondb.LogWriting;
import io.accordiondb.RecoveryMode;
import io.accordiondb.WritesSuspendedException;
import io.accordiondb.internal.engine.DatabaseEngine;
import io.accordiondb.internal.manifest.RegionNames;
import io.accordiondb.internal.manifest.RegionRecord;
import io.accordiondb.internal.manifest.Version;
import io.accordiondb.internal.manifest.VersionEdit;
import io.accordiondb.internal.record.RecordMark;
import io.accordiondb.internal.record.RecordReader;
import io.accordiondb.internal.record.RecordWriter;
import io.accordiondb.internal.repair.Verifier;
import io.accordiondb.internal.storage.FaultyStorage;
import io.accordiondb.internal.storage.FaultyStorage.InjectedFault;
import io.accordiondb.internal.storage.FaultyStorage.Operation;
import io.accordiondb.internal.storage.MemoryStorage;
import io.accordiondb.internal.storage.Storage;
import io.accordiondb.internal.storage.StorageWriter;
import io.accordiondb.internal.storage.WrappingStorage;
import io.accordiondb.statistics.LogStatistics;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;

/** Kept log files, also after failures of a storage without links, which copies them. */
class KeptLogsTest {
  private static final byte[] CONTENT = bytes("whole records");

  private final MemoryStorage disk = new MemoryStorage();
  private final FaultyStorage storage = new FaultyStorage(disk);

  private static DatabaseOptions options(RecoveryMode mode) {
    return DatabaseOptions.builder()
        .memoryBytes(1 << 20)
        .logWriting(LogWriting.PLAIN)
        .logRetention(Duration.ofDays(1))
        .recoveryMode(mode)
        .build();
  }

  @Test
  void aFileThatCouldNotBeCopiedWholeIsCopiedAgain() throws IOException {
    storage.createDirectories(WriteAheadLog.DIRECTORY);
    try (StorageWriter writer = storage.create(LogFileNames.nameOf(3))) {
      writer.append(ByteBuffer.wrap(CONTENT));
    }
    LogRetention retention = new LogRetention(Duration.ofDays(1), 1 << 20);
    KeptLogs kept = new KeptLogs(storage, () -> retention, () -> 77, () -> 77);
    List<SealedLog> needless = List.of(new SealedLog(3, CONTENT.length, 0, 9));
    storage.failOnce(Set.of(Operation.APPEND), 1);
    assertThatThrownBy(() -> kept.keep(needless)).isInstanceOf(InjectedFault.class);
    assertThat(kept.numbers()).isEmpty();

    kept.keep(needless);
    assertThat(kept.numbers()).containsExactly(3L);
    assertThat(disk.list(KeptLogs.DIRECTORY)).containsExactly("000000000003-77.log");
    assertThat(disk.bytes("kept/000000000003-77.log")).isEqualTo(CONTENT);
  }

  /** The next file says how long a file is; a shorter one would be taken for damaged. */
  @Test
  void aFileIsKeptOnlyWhenItIsOnTheDevice() throws IOException {
    LogRetention retention = new LogRetention(Duration.ofDays(1), 1 << 20);
    KeptLogs kept = new KeptLogs(disk, () -> retention, () -> 77, () -> 77);
    try (WriteAheadLog log = TestLog.open(disk)) {
      log.keepWith(kept, () -> {});
      TestLog.append(log, 1, 40);
      log.flush();
      log.truncate(Long.MAX_VALUE);
      assertKeptFilesAreForced();
      log.sync();
      log.truncate(Long.MAX_VALUE);
      assertThat(kept.numbers()).hasSizeGreaterThan(5);
      assertKeptFilesAreForced();
    }
  }

  private void assertKeptFilesAreForced() throws IOException {
    MemoryStorage left = disk.crash(MemoryStorage.LOSES_ALL);
    for (String name : KeptLogs.asTheyAre(disk).names().values()) {
      assertThat(left.bytes(name)).as(name).isEqualTo(disk.bytes(name));
    }
  }

  @Test
  void aLinkThatDoesNotLeadBackIsDamage() throws IOException {
    storage.createDirectories(WriteAheadLog.DIRECTORY);
    try (RecordWriter writer =
        new RecordWriter(
            storage.create(LogFileNames.nameOf(3)),
            LogFileNames.headerOf(3, LogFileNames.VERSION_MAX))) {
      new LogLink(3, 100, 7, 0, 0, RecordMark.NONE).appendTo(writer);
      writer.flush();
    }
    LogRetention retention = new LogRetention(Duration.ofDays(1), 1 << 20);
    KeptLogs kept = new KeptLogs(storage, () -> retention, () -> 77, () -> 77);
    assertThatThrownBy(() -> LogTail.openOnLast(storage, kept, 7))
        .isInstanceOf(CorruptionException.class)
        .hasMessageContaining("expected the number of a file before 3, found 3");
    assertThatThrownBy(() -> TestLog.replay(storage)).isInstanceOf(CorruptionException.class);
  }

  @Test
  void theFolderIsForcedToTheDeviceAgainIfThatHasFailed() throws IOException {
    storage.createDirectories(WriteAheadLog.DIRECTORY);
    storage.create(LogFileNames.nameOf(3)).close();
    LogRetention retention = new LogRetention(Duration.ofDays(1), 1 << 20);
    KeptLogs kept = new KeptLogs(storage, () -> retention, () -> 77, () -> 77);
    List<SealedLog> needless = List.of(new SealedLog(3, 0, 0, 9));
    storage.failOnce(Set.of(Operation.SYNC_DIRECTORY), 1);
    assertThatThrownBy(() -> kept.keep(needless)).isInstanceOf(InjectedFault.class);
    kept.keep(needless);
    assertSurvives("kept/000000000003-77.log");
  }

  @Test
  void soItIsIfNamesWereToBeKeptFirst() throws IOException {
    RegionNames names = RegionNames.open(storage, Version.EMPTY);
    names.add(List.of(new VersionEdit.PutRegion(new RegionRecord(1, 2, new byte[0], new byte[0]))));
    storage.failOnce(Set.of(Operation.SYNC_DIRECTORY), 1);
    assertThatThrownBy(names::save).isInstanceOf(InjectedFault.class);
    names.save();
    assertSurvives("kept/names");
  }

  private void assertSurvives(String file) {
    for (int seed = 0; seed < 32; seed++) {
      assertThat(disk.crash(new SplittableRandom(seed)).exists(file)).as("seed " + seed).isTrue();
    }
  }

  @Test
  void aFileThatAnotherThreadDeletesMeanwhileIsNoFailureAndNoReasonToDeleteMore()
      throws IOException {
    disk.createDirectories(KeptLogs.DIRECTORY);
    for (int number = 3; number <= 5; number++) {
      try (StorageWriter writer = disk.create(nameOf(number))) {
        writer.append(ByteBuffer.wrap(CONTENT));
      }
    }
    LogRetention retention = new LogRetention(Duration.ofDays(1), 2L * CONTENT.length);
    LongSupplier clock =
        () -> {
          // Called after the files were listed.
          deleteQuietly(nameOf(3));
          return 77;
        };
    new KeptLogs(storage, () -> retention, () -> 77, clock).deleteExpired();
    assertThat(disk.list(KeptLogs.DIRECTORY))
        .containsExactly("000000000004-77.log", "000000000005-77.log");
  }

  /** A gap would let a change feed pass over the end of the file before it. */
  @Test
  void aLossOfPowerLeavesTheNewestOfTheFilesThatAreDeleted() throws IOException {
    for (int number = 3; number <= 6; number++) {
      disk.createDirectories(KeptLogs.DIRECTORY);
      disk.create(nameOf(number)).close();
    }
    disk.syncDirectory("");
    disk.syncDirectory(KeptLogs.DIRECTORY);
    Storage observed =
        new WrappingStorage(disk) {
          @Override
          public void delete(String name) throws IOException {
            super.delete(name);
            assertNoGapAfterCrash();
          }
        };
    LogRetention none = new LogRetention(Duration.ZERO, 0);
    new KeptLogs(observed, () -> none, () -> 77, () -> 77).deleteExpired();
    assertThat(disk.list(KeptLogs.DIRECTORY)).isEmpty();
  }

  private void assertNoGapAfterCrash() throws IOException {
    for (int seed = 0; seed < 32; seed++) {
      List<Long> left = KeptLogs.asTheyAre(disk.crash(new SplittableRandom(seed))).numbers();
      assertThat(left)
          .as("seed " + seed)
          .isEqualTo(List.of(3L, 4L, 5L, 6L).subList(4 - left.size(), 4));
    }
  }

  @Test
  void aCopyHasNoGapWhereFilesWereDeletedMeanwhile() throws IOException {
    disk.createDirectories(KeptLogs.DIRECTORY);
    for (int number = 3; number <= 6; number++) {
      disk.create(nameOf(number)).close();
    }
    Storage expiring =
        new WrappingStorage(disk) {
          private boolean isDone;

          @Override
          public void linkTo(String name, Storage target, String targetName) throws IOException {
            super.linkTo(name, target, targetName);
            if (!isDone) {
              isDone = true;
              for (int number = 3; number <= 5; number++) {
                deleteQuietly(nameOf(number));
              }
            }
          }
        };
    MemoryStorage copy = new MemoryStorage();
    KeptLogs.asTheyAre(expiring).linkTo(copy, Long.MAX_VALUE);
    assertThat(copy.list(KeptLogs.DIRECTORY)).containsExactly("000000000006-77.log");
  }

  @Test
  void aFileWhoseNameHoldsNoTimeIsLeftAlone() throws IOException {
    disk.createDirectories(KeptLogs.DIRECTORY);
    String stray = KeptLogs.DIRECTORY + "/000000000003-99999999999999999999.log";
    disk.create(stray).close();
    disk.create(nameOf(4)).close();
    MemoryStorage copy = new MemoryStorage();
    KeptLogs.asTheyAre(disk).linkTo(copy, Long.MAX_VALUE);
    assertThat(copy.list(KeptLogs.DIRECTORY)).containsExactly("000000000004-77.log");
  }

  private static String nameOf(int number) {
    return KeptLogs.DIRECTORY + "/00000000000" + number + "-77.log";
  }

  private void deleteQuietly(String name) {
    try {
      disk.delete(name);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** On a full disk that makes room. */
  @Test
  void expiredFilesAreDeletedWhileWritesAreSuspended() throws IOException {
    try (Database database = DatabaseEngine.open(storage, options(RecoveryMode.ABSOLUTE))) {
      KeyValueStore store = database.keyValueStore("store");
      store.put(bytes("a"), bytes("1"));
      suspend(store);
      database.resume();
      // A file of the log that is no longer needed, but cannot be deleted.
      storage.failForEver(Set.of(Operation.DELETE), 1);
      database.flush();
      ((DatabaseEngine) database).truncateLog();
      assertThat(disk.list(KeptLogs.DIRECTORY)).anyMatch(name -> name.endsWith(".log"));
      LogStatistics log = database.statistics().log();
      assertThat(log.keptFiles()).isPositive();
      assertThat(log.keptBytes()).isPositive();
      assertThat(log.oldestKeptSequence()).isOne();
      suspend(store);
      database.reconfigure(now -> now.logRetention(Duration.ZERO));
      ((DatabaseEngine) database).truncateLog();
      assertThat(disk.list(KeptLogs.DIRECTORY)).noneMatch(name -> name.endsWith(".log"));
      log = database.statistics().log();
      assertThat(log.keptFiles()).isZero();
      assertThat(log.oldestKeptSequence()).isEqualTo(-1);
    }
  }

  private void suspend(KeyValueStore store) {
    // Not once: a background thread that copies a file to the kept ones may meet the fault first.
    storage.failForEver(Set.of(Operation.APPEND), 1);
    assertThatThrownBy(() -> store.put(bytes("b"), bytes("2")))
        .isInstanceOf(WritesSuspendedException.class);
    storage.count(Set.of());
  }

  /** It may keep later pages of a file that was filled in advance, and lose earlier ones. */
  @Test
  void whatALossOfPowerHasTakenIsNoDamageIfAnotherLogFollows() throws IOException {
    DatabaseOptions keepsNone = DatabaseOptions.builder().memoryBytes(1 << 20).build();
    for (int i = 0; i < 3; i++) {
      try (Database database = DatabaseEngine.open(disk, keepsNone)) {
        database.keyValueStore("store").put(bytes("a"), bytes("1"));
        database.flush();
        ((DatabaseEngine) database).truncateLog();
      }
    }
    long other = LogFileNames.list(disk).get(0);
    DatabaseOptions mapped =
        options(RecoveryMode.ABSOLUTE).toBuilder().logWriting(LogWriting.MAPPED).build();
    int gaps = 0;
    for (int seed = 0; seed < 12; seed++) {
      MemoryStorage running = new MemoryStorage();
      MemoryStorage crashed;
      try (Database database = DatabaseEngine.open(running, mapped)) {
        KeyValueStore store = database.keyValueStore("store");
        for (int i = 0; i < 20; i++) {
          store.put(
              bytes("key " + i),
              new byte[1000],
              i == 5 || i == 8 ? Durability.FSYNC : Durability.SYNC);
        }
        crashed = running.crash(new SplittableRandom(seed));
      }
      long number = LogFileNames.list(crashed).get(0);
      assertThat(number).isLessThan(other);
      // Without most of the zeros.
      byte[] bytes = Arrays.copyOf(crashed.bytes(LogFileNames.nameOf(number)), 64 << 10);
      gaps += hasGap(crashed, number) ? 1 : 0;
      String name = nameOf((int) number);
      disk.createDirectories(KeptLogs.DIRECTORY);
      write(name, bytes);
      assertThat(new Verifier(disk).verify().problems()).as("seed " + seed).isEmpty();
      disk.delete(name);
      // A record that was forced to the device.
      bytes[3000] ^= 1;
      write(name, bytes);
      assertThat(new Verifier(disk).verify().problems()).as("seed " + seed).hasSize(1);
      disk.delete(name);
    }
    assertThat(gaps).isPositive();
  }

  private void write(String name, byte[] bytes) throws IOException {
    try (StorageWriter writer = disk.create(name)) {
      writer.append(ByteBuffer.wrap(bytes));
    }
  }

  /** Returns whether a sound record follows an unsound one. */
  private static boolean hasGap(Storage storage, long number) throws IOException {
    try (RecordReader reader = LogFile.openUnchecked(storage, number)) {
      boolean wasUnsound = false;
      do {
        while (reader.next()) {
          if (wasUnsound) {
            return true;
          }
        }
        wasUnsound = true;
      } while (reader.skipUnsound() > 0);
      return false;
    }
  }

  @Test
  void aFailedWriteAtTheEndIsNoDamageAfterASalvage() throws IOException {
    try (Database database = DatabaseEngine.open(storage, options(RecoveryMode.ABSOLUTE))) {
      KeyValueStore store = database.keyValueStore("store");
      store.put(bytes("a"), bytes("1"));
      storage.failOnce(Set.of(Operation.APPEND), 1);
      assertThatThrownBy(() -> store.put(bytes("b"), bytes("2"))).isInstanceOf(IOException.class);
      database.resume();
      store.put(bytes("c"), bytes("3"));
      database.flush();
      ((DatabaseEngine) database).truncateLog();
    }
    assertThat(disk.list(KeptLogs.DIRECTORY)).hasSize(2);
    assertThat(new Verifier(disk).verify().problems()).isEmpty();
    DatabaseEngine.open(storage, options(RecoveryMode.SALVAGE)).close();
    assertThat(new Verifier(disk).verify().problems()).isEmpty();

    String kept = "kept/" + disk.list(KeptLogs.DIRECTORY).get(0);
    byte[] damaged = disk.bytes(kept);
    damaged[damaged.length / 3] ^= 1;
    disk.setBytes(kept, damaged);
    assertThat(new Verifier(disk).verify().isSound()).isFalse();
  }
}
