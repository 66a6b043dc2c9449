// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.wal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.accordiondb.CorruptionException;
import io.accordiondb.LogWriting;
import io.accordiondb.RecoveryMode;
import io.accordiondb.TestKeys;
import io.accordiondb.WritesSuspendedException;
import io.accordiondb.fixtures.TestThread;
import io.accordiondb.internal.crypt.EncryptedStorage;
import io.accordiondb.internal.record.RecordFileHeader;
import io.accordiondb.internal.record.RecordWriter;
import io.accordiondb.internal.storage.FaultyStorage;
import io.accordiondb.internal.storage.FaultyStorage.InjectedFault;
import io.accordiondb.internal.storage.FaultyStorage.Operation;
import io.accordiondb.internal.storage.MemoryStorage;
import io.accordiondb.internal.storage.ObservedStorage;
import io.accordiondb.internal.storage.Storage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Log files that are prepared before the log continues in them. */
class PreparedLogTest {
  private final MemoryStorage disk = new MemoryStorage();
  private final FaultyStorage storage = new FaultyStorage(disk);
  private TestLogRegister register = new TestLogRegister(() -> 0);

  private WriteAheadLog open(LogWriting writing) throws IOException {
    TestLog.Replayed replayed = TestLog.replay(storage, RecoveryMode.ABSOLUTE, register.known());
    register = TestLog.register(storage);
    return TestLog.open(storage, replayed, writing, register);
  }

  private TestLog.Replayed replay(MemoryStorage from, RecoveryMode mode) throws IOException {
    return TestLog.replay(from, mode, register.known());
  }

  /** Appends until the log has continued in another file; returns the next sequence number. */
  private long fillFile(WriteAheadLog log, long from) throws IOException {
    int files = log.fileCount();
    long sequence = from;
    while (log.fileCount() == files) {
      sequence = TestLog.append(log, sequence, 1);
    }
    return sequence;
  }

  private String newest() throws IOException {
    List<Long> numbers = LogFileNames.list(disk);
    return LogFileNames.nameOf(numbers.get(numbers.size() - 1));
  }

  @ParameterizedTest
  @EnumSource
  void theLogContinuesWithoutWaitingForTheDevice(LogWriting writing) throws IOException {
    try (WriteAheadLog log = open(writing)) {
      long sequence = 1;
      for (int i = 0; i < 40; i++) {
        log.upkeep();
        storage.count(Set.of(Operation.SYNC, Operation.SYNC_DIRECTORY));
        sequence = fillFile(log, sequence);
        assertThat(storage.count()).isZero();
        log.flush();
        TestLog.Replayed killed = replay(disk.copy(), RecoveryMode.ABSOLUTE);
        assertThat(killed.log().lastSequence()).isEqualTo(log.lastSequence());
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void whatIsPreparedIsNoPartOfTheLog(LogWriting writing) throws IOException {
    WriteAheadLog log = open(writing);
    TestLog.append(log, 1, 1);
    long bytes = log.totalBytes();
    log.upkeep();
    log.upkeep();
    assertThat(LogFileNames.list(disk)).hasSize(2);
    assertThat(log.totalBytes()).isEqualTo(bytes);
    assertThat(log.fileCount()).isOne();
    log.sync();
    for (RecoveryMode mode : RecoveryMode.values()) {
      TestLog.Replayed replayed = replay(disk.copy(), mode);
      assertThat(replayed.sequences()).containsExactly(1L);
      assertThat(replayed.log().droppedBytes()).isZero();
      assertThat(replayed.log().isDamaged()).isFalse();
    }
    log.close();
    assertThat(LogFileNames.list(disk)).hasSize(1);
    assertThat(register.known().files()).hasSize(1).allMatch(KnownLog::hasBegun);
    assertThat(disk.openFiles()).isZero();
    log = open(writing);
    log.upkeep();
    storage.failForEver(Set.of(Operation.SYNC), 1);
    assertThatThrownBy(log::close).isInstanceOf(InjectedFault.class);
    assertThat(disk.openFiles()).isZero();
  }

  @Test
  void theNextOpeningDeletesWhatAKilledProcessHadPrepared() throws IOException {
    WriteAheadLog killed = open(LogWriting.PLAIN);
    TestLog.append(killed, 1, 1);
    killed.upkeep();
    killed.sync();
    String prepared = newest();
    try (WriteAheadLog log = open(LogWriting.PLAIN)) {
      assertThat(disk.exists(prepared)).isFalse();
      TestLog.append(log, 20);
    }
    assertThat(replay(disk, RecoveryMode.ABSOLUTE).sequences()).containsExactly(1L, 20L);
  }

  @Test
  void upkeepRecordsThatAFileHasBegun() throws IOException {
    try (WriteAheadLog log = open(LogWriting.MAPPED)) {
      log.upkeep();
      fillFile(log, 1);
      assertThat(register.known().files()).extracting(KnownLog::hasBegun).endsWith(true, false);
      log.upkeep();
      assertThat(register.known().files())
          .extracting(KnownLog::hasBegun)
          .endsWith(true, true, false);
    }
  }

  /** Two files begin before the upkeep runs: nothing of the first one need be on the device. */
  @ParameterizedTest
  @EnumSource
  void aFileThatIsBegunAtOnceDoesNotWaitForTheOneBefore(LogWriting writing) throws IOException {
    try (WriteAheadLog log = open(writing)) {
      log.upkeep();
      long sequence = fillFile(log, 1);
      log.flush();
      String first = newest();
      storage.count(Set.of(Operation.SYNC));
      fillFile(log, sequence);
      assertThat(storage.count()).as("the new file alone").isOne();
      assertThat(register.known().files())
          .extracting(KnownLog::hasBegun)
          .containsExactly(true, false, true);
      log.flush();
      int lost = 0;
      for (int seed = 0; seed < 50; seed++) {
        MemoryStorage crashed = disk.crash(new Random(seed));
        TestLog.Replayed replayed = replay(crashed, RecoveryMode.TOLERATE_TORN_TAIL);
        List<Long> found = replayed.sequences();
        assertThat(found).isEqualTo(TestLog.sequences(1, found.size()));
        assertThat(replayed.log().isDamaged()).isFalse();
        lost += replayed.log().files().size() == 1 ? 1 : 0;
      }
      assertThat(lost).as("losses of the first link of %s", first).isPositive();
      log.upkeep();
      assertThat(register.known().files())
          .extracting(KnownLog::hasBegun)
          .containsExactly(true, true, true, false);
    }
  }

  @Test
  void aBeginningThatALossOfPowerHasTakenEndsTheLog() throws IOException {
    WriteAheadLog log = open(LogWriting.MAPPED);
    log.upkeep();
    long sequence = fillFile(log, 1);
    // Short records, so that they are in the same file.
    TestLog.append(log, sequence + 4 - sequence % 4);
    log.flush();
    long before = log.newestClosed().lastSequence();
    MemoryStorage lost = withoutFirstLink();
    TestLog.Replayed replayed = replay(lost, RecoveryMode.TOLERATE_TORN_TAIL);
    assertThat(replayed.log().lastSequence()).isEqualTo(before);
    assertThat(replayed.log().droppedBytes()).isPositive();
    assertThat(replayed.log().isDamaged()).isFalse();
    assertThatThrownBy(() -> replay(lost, RecoveryMode.ABSOLUTE))
        .isInstanceOf(CorruptionException.class);
    assertThat(replay(lost, RecoveryMode.SALVAGE).log().lastSequence())
        .isEqualTo(log.lastSequence());

    // Once it was on the device, no crash explains that it is missing.
    log.sync();
    log.flushLink();
    assertThat(register.known().files()).extracting(KnownLog::hasBegun).endsWith(true, false);
    assertThatThrownBy(() -> replay(withoutFirstLink(), RecoveryMode.TOLERATE_TORN_TAIL))
        .isInstanceOf(CorruptionException.class)
        .hasMessageContaining(newest());
  }

  @Test
  void aBeginningThatTheManifestKnowsMustBeThere() throws IOException {
    WriteAheadLog log = open(LogWriting.PLAIN);
    log.upkeep();
    fillFile(log, 1);
    log.flush();
    String name = newest();
    MemoryStorage unwritten = disk.copy();
    unwritten.setBytes(name, Arrays.copyOf(unwritten.bytes(name), RecordFileHeader.BYTES));
    assertThat(replay(unwritten, RecoveryMode.ABSOLUTE).log().lastSequence())
        .isEqualTo(log.newestClosed().lastSequence());
    MemoryStorage missing = disk.copy();
    missing.delete(name);
    assertThatThrownBy(() -> replay(missing, RecoveryMode.TOLERATE_TORN_TAIL))
        .isInstanceOf(CorruptionException.class)
        .hasMessageContaining(name);
    storage.failOnce(Set.of(Operation.CREATE), 1);
    log.upkeep();
    assertThat(register.known().files()).allMatch(KnownLog::hasBegun);
    assertThatThrownBy(() -> replay(unwritten, RecoveryMode.TOLERATE_TORN_TAIL))
        .isInstanceOf(CorruptionException.class)
        .hasMessageContaining(name);
  }

  /** Its header was on the device before the manifest named it. */
  @Test
  void aHeaderIsNotLostByACrash() throws IOException {
    WriteAheadLog log = open(LogWriting.PLAIN);
    log.upkeep();
    fillFile(log, 1);
    log.sync();
    disk.setBytes(newest(), Arrays.copyOf(disk.bytes(newest()), RecordFileHeader.BYTES - 1));
    assertThat(register.known().files()).extracting(KnownLog::hasBegun).endsWith(true, false);
    assertThatThrownBy(() -> replay(disk, RecoveryMode.TOLERATE_TORN_TAIL))
        .isInstanceOf(CorruptionException.class)
        .hasMessageContainingAll(newest(), "header");
  }

  /** Nothing of the file can be read, so it seems to be empty. */
  @Test
  void aHeaderOfAnEncryptedFileIsNotLostByACrash() throws IOException {
    Storage encrypted = EncryptedStorage.over(disk, TestKeys.current("a"), name -> false);
    TestLog.Replayed none = TestLog.replay(encrypted, RecoveryMode.ABSOLUTE, register.known());
    register = TestLog.register(encrypted);
    WriteAheadLog log = TestLog.open(encrypted, none, LogWriting.PLAIN, register);
    log.upkeep();
    fillFile(log, 1);
    log.sync();
    byte[] bytes = disk.bytes(newest());
    bytes[0] ^= 1;
    disk.setBytes(newest(), bytes);
    assertThatThrownBy(
            () -> TestLog.replay(encrypted, RecoveryMode.TOLERATE_TORN_TAIL, register.known()))
        .isInstanceOf(CorruptionException.class)
        .hasMessageContainingAll(newest(), "header");
  }

  /** The newest file alone says then which sequence numbers have been given out. */
  @ParameterizedTest
  @EnumSource
  void filesAreDeletedWhenTheNextOneIsKnownToHaveBegun(LogWriting writing) throws IOException {
    WriteAheadLog log = open(writing);
    log.upkeep();
    fillFile(log, 1);
    log.upkeep();
    long before = log.newestClosed().lastSequence();
    log.truncate(Long.MAX_VALUE);
    assertThat(log.fileCount()).isOne();
    for (int seed = 0; seed < 20; seed++) {
      MemoryStorage lost = disk.crash(new Random(seed));
      assertThat(replay(lost, RecoveryMode.TOLERATE_TORN_TAIL).log().lastSequence())
          .isGreaterThanOrEqualTo(before);
    }
  }

  /** The refused record is whole in its file, and only the next file says that it is left out. */
  @ParameterizedTest
  @EnumSource
  void whatAResumptionHasLeftOutIsNotBackAfterALossOfPower(LogWriting writing) throws IOException {
    WriteAheadLog log = open(writing);
    TestLog.append(log, 1, 1);
    log.upkeep();
    log.sync();
    TestLog.append(log, 21, ByteBuffer.allocate(8));
    TestLog.append(log, 24, ByteBuffer.allocate(RecordWriter.BUFFER_BYTES));
    storage.failOnce(Set.of(Operation.APPEND), 1);
    assertThatThrownBy(log::flush).isInstanceOf(WritesSuspendedException.class);
    log.resume();
    for (int seed = 0; seed < 50; seed++) {
      MemoryStorage lost = disk.crash(new Random(seed));
      assertThat(replay(lost, RecoveryMode.TOLERATE_TORN_TAIL).sequences())
          .as("seed %d", seed)
          .containsExactly(1L);
    }
  }

  private MemoryStorage withoutFirstLink() throws IOException {
    MemoryStorage copy = disk.copy();
    byte[] bytes = copy.bytes(newest());
    Arrays.fill(bytes, RecordFileHeader.BYTES, RecordFileHeader.BYTES + 24 + 56, (byte) 0);
    copy.setBytes(newest(), bytes);
    return copy;
  }

  /** Each step of the preparation fails in turn, and the log continues nevertheless. */
  @ParameterizedTest
  @EnumSource
  void whatCannotBePreparedIsBegunWhenItIsNeeded(LogWriting writing) throws IOException {
    List<Set<Operation>> steps =
        List.of(
            Set.of(Operation.CREATE),
            Set.of(Operation.APPEND),
            Set.of(Operation.SYNC),
            Set.of(Operation.SYNC, Operation.CLOSE),
            Set.of(Operation.SYNC_DIRECTORY));
    try (WriteAheadLog log = open(writing)) {
      long sequence = 1;
      for (Set<Operation> step : steps) {
        storage.failFor(step, 1, step.size());
        log.upkeep();
        assertThat(register.known().files()).allMatch(KnownLog::hasBegun);
        sequence = fillFile(log, sequence);
      }
      assertThat(log.fileCount()).isEqualTo(1 + steps.size());
      assertThat(LogFileNames.list(disk)).hasSize(1 + steps.size());
    }
    assertThat(replay(disk, RecoveryMode.ABSOLUTE).log().files()).hasSize(1 + steps.size());
  }

  @ParameterizedTest
  @EnumSource
  void whatCanNeitherBeBegunNorClosedIsTriedAgain(LogWriting writing) throws IOException {
    WriteAheadLog log = open(writing);
    long first = fillFile(log, 1);
    storage.failFor(Set.of(Operation.SYNC, Operation.CLOSE), 1, 2);
    assertThatThrownBy(() -> fillFile(log, first)).isInstanceOf(WritesSuspendedException.class);
    log.resume();
    long second = fillFile(log, log.lastSequence() + 1);
    // The first one is the rest of the file before.
    storage.failFor(Set.of(Operation.APPEND, Operation.CLOSE), 2, 2);
    assertThatThrownBy(() -> fillFile(log, second)).isInstanceOf(WritesSuspendedException.class);
    log.resume();
    log.close();
    assertThat(replay(disk, RecoveryMode.ABSOLUTE).log().lastSequence())
        .isEqualTo(log.lastSequence());
    assertThat(disk.openFiles()).isZero();
  }

  /** The log itself is whole, so it need not be resumed. */
  @ParameterizedTest
  @EnumSource
  void theLogContinuesWhenTheManifestDoes(LogWriting writing) throws IOException {
    WriteAheadLog log = open(writing);
    log.upkeep();
    long sequence = fillFile(log, 1);
    register.setSuspended(true);
    assertThatThrownBy(log::upkeep).isInstanceOf(WritesSuspendedException.class);
    assertThatThrownBy(() -> log.truncate(Long.MAX_VALUE))
        .isInstanceOf(WritesSuspendedException.class);
    register.setSuspended(false);
    sequence = fillFile(log, sequence);
    log.sync();
    log.truncate(Long.MAX_VALUE);
    assertThat(log.fileCount()).isOne();
    log.close();
    TestLog.Replayed replayed = replay(disk, RecoveryMode.ABSOLUTE);
    assertThat(replayed.log().lastSequence()).isEqualTo(log.lastSequence());
    assertThat(LogFileNames.list(disk)).hasSize(1);
    assertThat(disk.openFiles()).isZero();
  }

  /** A commit of the manifest that failed may be on the device, and a crash then finds it. */
  @ParameterizedTest
  @EnumSource
  void aFileThatTheManifestMayKnowStaysUntilItDoesNot(LogWriting writing) throws IOException {
    WriteAheadLog log = open(writing);
    register.setSuspended(true);
    assertThatThrownBy(log::upkeep).isInstanceOf(WritesSuspendedException.class);
    replayWithRefused();
    log.upkeep();
    replayWithRefused();
    register.setSuspended(false);
    long sequence = fillFile(log, 1);
    register.setSuspended(true);
    assertThatThrownBy(() -> fillFile(log, sequence)).isInstanceOf(WritesSuspendedException.class);
    replayWithRefused();
    assertThatThrownBy(log::resume).isInstanceOf(WritesSuspendedException.class);
    replayWithRefused();
    register.setSuspended(false);
    log.resume();
    fillFile(log, log.lastSequence() + 1);
    log.close();
    assertThat(LogFileNames.list(disk)).hasSameSizeAs(register.known().files());
    assertThat(disk.openFiles()).isZero();
  }

  private void replayWithRefused() throws IOException {
    TestLog.replay(disk.copy(), RecoveryMode.ABSOLUTE, register.knownWithRefused());
  }

  @ParameterizedTest
  @EnumSource
  void theLogContinuesWhenTheManifestHasMemoryAgain(LogWriting writing) throws IOException {
    WriteAheadLog log = open(writing);
    register.setOutOfMemory(true);
    assertThatThrownBy(log::upkeep).isInstanceOf(WritesSuspendedException.class);
    register.setOutOfMemory(false);
    log.upkeep();
    long first = fillFile(log, 1);
    register.setOutOfMemory(true);
    assertThatThrownBy(log::upkeep).isInstanceOf(WritesSuspendedException.class);
    assertThatThrownBy(() -> log.truncate(Long.MAX_VALUE))
        .isInstanceOf(WritesSuspendedException.class);
    assertThatThrownBy(() -> fillFile(log, first)).isInstanceOf(WritesSuspendedException.class);
    assertThatThrownBy(log::resume).isInstanceOf(WritesSuspendedException.class);
    register.setOutOfMemory(false);
    log.resume();
    fillFile(log, log.lastSequence() + 1);
    log.close();
    assertThat(replay(disk, RecoveryMode.ABSOLUTE).log().lastSequence())
        .isEqualTo(log.lastSequence());
    assertThat(LogFileNames.list(disk)).hasSameSizeAs(register.known().files());
    assertThat(disk.openFiles()).isZero();
  }

  /** Whether the log can continue depends on the manifest, and not on a file that it never had. */
  @ParameterizedTest
  @EnumSource
  void soItDoesIfAFileThatCouldNotBeRecordedCannotBeClosedEither(LogWriting writing)
      throws IOException {
    WriteAheadLog log = open(writing);
    register.setSuspended(true);
    storage.failOnce(Set.of(Operation.CLOSE), 1);
    assertThatThrownBy(log::upkeep).isInstanceOf(WritesSuspendedException.class);
    register.setSuspended(false);
    fillFile(log, 1);
    log.close();
    assertThat(disk.openFiles()).isZero();
  }

  @ParameterizedTest
  @EnumSource
  void aFileWhoseNameCannotBeForcedToTheDeviceIsBegunAgain(LogWriting writing) throws IOException {
    WriteAheadLog log = open(writing);
    long sequence = fillFile(log, 1);
    storage.failFor(Set.of(Operation.SYNC_DIRECTORY), 1, 2);
    assertThatThrownBy(() -> fillFile(log, sequence)).isInstanceOf(WritesSuspendedException.class);
    assertThatThrownBy(log::resume).isInstanceOf(WritesSuspendedException.class);
    log.resume();
    fillFile(log, log.lastSequence() + 1);
    log.sync();
    List<Long> logged = replay(disk.copy(), RecoveryMode.ABSOLUTE).sequences();
    assertThat(logged).hasSizeGreaterThan(4);
    for (int seed = 0; seed < 50; seed++) {
      MemoryStorage crashed = disk.crash(new Random(seed));
      assertThat(replay(crashed, RecoveryMode.TOLERATE_TORN_TAIL).sequences())
          .as("seed %d", seed)
          .isEqualTo(logged);
    }
    log.close();
    assertThat(LogFileNames.list(disk)).hasSameSizeAs(register.known().files());
    assertThat(disk.openFiles()).isZero();
  }

  /** A device that is slow to force a file does not keep writers waiting. */
  @Test
  void whileTheNextFileIsPreparedThePresentOneBecomesLonger() throws IOException {
    List<Long> sequences = new ArrayList<>(List.of(1L));
    List<Integer> fileCounts = new ArrayList<>();
    AtomicReference<WriteAheadLog> opened = new AtomicReference<>();
    Storage observed =
        observed(
            opened,
            log -> {
              long bytes = log.totalBytes();
              while (log.totalBytes() < bytes + TestLog.FILE_BYTES_MAX * 3 / 2) {
                appendNext(log, sequences);
              }
              fileCounts.add(log.fileCount());
            });
    try (WriteAheadLog log = TestLog.open(observed)) {
      opened.set(log);
      log.upkeep();
      assertThat(fileCounts).containsExactly(1);
      appendNext(log, sequences);
      assertThat(log.fileCount()).as("with the next file prepared").isEqualTo(2);
    }
    assertThat(TestLog.replay(disk).sequences())
        .isEqualTo(sequences.subList(0, sequences.size() - 1));
  }

  /** As soon as the next file is there, or nobody prepares one, files end at their length. */
  @Test
  void filesAreLongerOnlyWhileTheNextOneIsPrepared() throws IOException {
    List<Long> sequences = new ArrayList<>(List.of(1L));
    AtomicReference<WriteAheadLog> opened = new AtomicReference<>();
    List<Integer> fileCounts = new ArrayList<>();
    Storage observed =
        observed(
            opened,
            log -> {
              appendNext(log, sequences);
              fileCounts.add(log.fileCount());
              opened.set(log);
            });
    try (WriteAheadLog log = TestLog.open(observed)) {
      while (log.fileCount() < 3) {
        appendNext(log, sequences);
      }
      opened.set(log);
      log.upkeep();
      opened.set(null);
      assertThat(fileCounts).as("while upkeep ran").startsWith(3).contains(4);
      int before = log.fileCount();
      while (log.fileCount() < before + 3) {
        appendNext(log, sequences);
      }
    }
    List<Long> numbers = LogFileNames.list(disk);
    for (long number : numbers.subList(numbers.size() - 3, numbers.size())) {
      assertThat(disk.size(LogFileNames.nameOf(number)))
          .isLessThanOrEqualTo(TestLog.FILE_BYTES_MAX);
    }
    assertThat(TestLog.replay(disk).sequences())
        .isEqualTo(sequences.subList(0, sequences.size() - 1));
  }

  /** So that later damage of these files is not mistaken for a loss of power. */
  @ParameterizedTest
  @CsvSource({"MAPPED, true", "MAPPED, false", "PLAIN, true", "PLAIN, false"})
  void aSyncSaysThatEarlierFilesAreOnTheDevice(LogWriting writing, boolean forcedByUpkeep)
      throws IOException {
    try (WriteAheadLog log = open(writing)) {
      fillFile(log, 1);
      if (forcedByUpkeep) {
        log.upkeep();
      }
      log.sync();
      MemoryStorage damaged = disk.copy();
      String first = LogFileNames.nameOf(LogFileNames.list(damaged).get(0));
      byte[] bytes = damaged.bytes(first);
      damaged.setBytes(first, Arrays.copyOf(bytes, bytes.length - 1));
      assertThatThrownBy(() -> replay(damaged, RecoveryMode.TOLERATE_TORN_TAIL))
          .isInstanceOf(CorruptionException.class);
    }
  }

  /** Returns the disk; at the next change of it after a log was set, a step runs with the log. */
  private Storage observed(AtomicReference<WriteAheadLog> opened, Consumer<WriteAheadLog> step) {
    return new ObservedStorage(
        disk,
        () -> {
          WriteAheadLog log = opened.getAndSet(null);
          if (log != null) {
            step.accept(log);
          }
        });
  }

  private static void appendNext(WriteAheadLog log, List<Long> sequences) {
    try {
      sequences.add(TestLog.append(log, sequences.get(sequences.size() - 1), 1));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void upkeepBesideAppendingLosesNothing() throws Exception {
    WriteAheadLog log = open(LogWriting.MAPPED);
    AtomicBoolean done = new AtomicBoolean();
    TestThread keeper =
        TestThread.start(
            "keeper",
            () -> {
              while (!done.get()) {
                log.upkeep();
              }
            });
    long sequence = 1;
    for (int i = 0; i < 500; i++) {
      sequence = TestLog.append(log, sequence, 5);
      if (i % 7 == 0) {
        log.sync();
      }
    }
    log.close();
    log.upkeep();
    done.set(true);
    keeper.join();
    assertThat(replay(disk, RecoveryMode.ABSOLUTE).sequences())
        .isEqualTo(TestLog.sequences(1, 2_500));
    assertThat(register.known().files()).allMatch(KnownLog::hasBegun);
    assertThat(LogFileNames.list(disk)).hasSameSizeAs(register.known().files());
  }
}
