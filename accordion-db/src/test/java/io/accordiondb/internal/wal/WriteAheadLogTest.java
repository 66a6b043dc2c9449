// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.wal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.accordiondb.DatabaseFailedException;
import io.accordiondb.LogWriting;
import io.accordiondb.WritesSuspendedException;
import io.accordiondb.fixtures.TestThread;
import io.accordiondb.internal.record.RecordWriter;
import io.accordiondb.internal.storage.FaultyStorage;
import io.accordiondb.internal.storage.FaultyStorage.InjectedFault;
import io.accordiondb.internal.storage.FaultyStorage.Operation;
import io.accordiondb.internal.storage.MemoryStorage;
import io.accordiondb.internal.storage.Storage;
import io.accordiondb.internal.storage.StorageWriter;
import io.accordiondb.internal.storage.WrappingStorage;
import io.accordiondb.internal.storage.WrappingWriter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class WriteAheadLogTest {
  private final MemoryStorage disk = new MemoryStorage();
  private final FaultyStorage storage = new FaultyStorage(disk);

  @AfterEach
  void nothingStaysOpen() {
    assertThat(disk.openFiles()).isZero();
  }

  @Test
  void replayGivesWhatWasAppended() throws IOException {
    try (WriteAheadLog log = TestLog.open(storage)) {
      TestLog.append(log, 1, 40);
    }
    TestLog.Replayed replayed = TestLog.replay(storage);
    assertThat(replayed.sequences()).isEqualTo(TestLog.sequences(1, 40));
    assertThat(replayed.log().records()).isEqualTo(40);
    assertThat(replayed.log().droppedBytes()).isZero();
    assertThat(replayed.log().files()).hasSizeGreaterThan(5);
  }

  @ParameterizedTest
  @EnumSource
  void filesAreOfTheSizeAskedFor(LogWriting writing) throws IOException {
    try (WriteAheadLog log =
        TestLog.open(storage, TestLog.replay(storage), writing, TestLog.register(storage))) {
      long sequence = 1;
      for (int i = 0; i < 40; i++) {
        sequence = TestLog.append(log, sequence, 1);
        log.sync();
      }
    }
    List<Long> numbers = LogFileNames.list(disk);
    for (long number : numbers.subList(0, numbers.size() - 1)) {
      assertThat(disk.size(LogFileNames.nameOf(number)))
          .isBetween(TestLog.FILE_BYTES_MAX - 300, TestLog.FILE_BYTES_MAX);
    }
  }

  @Test
  void aRecordThatIsLongerThanAFileIsAloneInOne() throws IOException {
    try (WriteAheadLog log = TestLog.open(storage)) {
      for (long sequence = 1_000; sequence < 1_030; sequence += 10) {
        TestLog.append(log, sequence, ByteBuffer.allocate(3 * (int) TestLog.FILE_BYTES_MAX));
        log.settle();
      }
      assertThat(log.fileCount()).isEqualTo(3);
    }
  }

  @Test
  void bytesAreCounted() throws IOException {
    try (WriteAheadLog log = TestLog.open(storage)) {
      long empty = log.totalBytes();
      assertThat(log.bytesAppended()).isZero();
      TestLog.append(log, 1, 1);
      assertThat(log.bytesAppended()).isEqualTo(log.totalBytes() - empty).isPositive();
      TestLog.append(log, TestLog.next(1), 40);
      log.sync();
      assertThat(log.totalBytes()).isEqualTo(bytesOnDisk());
      log.truncate(60);
      assertThat(log.totalBytes()).isEqualTo(bytesOnDisk());
    }
  }

  private long bytesOnDisk() throws IOException {
    long bytes = 0;
    for (long number : LogFileNames.list(disk)) {
      bytes += disk.size(LogFileNames.nameOf(number));
    }
    return bytes;
  }

  @Test
  void truncationDeletesWholeFilesThatNobodyNeeds() throws IOException {
    try (WriteAheadLog log = TestLog.open(storage)) {
      TestLog.append(log, 1, 40);
      int files = LogFileNames.list(disk).size();
      long oldest = log.oldestFileLastSequence();
      log.truncate(oldest + 1);
      assertThat(LogFileNames.list(disk)).as("not on the device yet").hasSize(files);
      log.sync();
      log.truncate(oldest);
      assertThat(LogFileNames.list(disk)).hasSize(files);
      log.truncate(oldest + 1);
      assertThat(LogFileNames.list(disk)).hasSize(files - 1);
      assertThat(log.oldestFileLastSequence()).isGreaterThan(oldest);
      log.truncate(Long.MAX_VALUE);
      assertThat(LogFileNames.list(disk)).hasSize(1);
      assertThat(log.oldestFileLastSequence()).isEqualTo(-1);
      TestLog.append(log, 200);
    }
    assertThat(TestLog.replay(storage).sequences()).endsWith(200L);
    assertThat(TestLog.replay(storage).log().lastSequence()).isGreaterThanOrEqualTo(200);
  }

  @Test
  void lastSequenceNumberOutlivesTheRecords() throws IOException {
    long last;
    try (WriteAheadLog log = TestLog.open(storage)) {
      TestLog.append(log, 1, 40);
    }
    last = TestLog.replay(storage).log().lastSequence();
    for (int i = 0; i < 3; i++) {
      try (WriteAheadLog log = TestLog.open(storage)) {
        log.truncate(Long.MAX_VALUE);
      }
      assertThat(TestLog.replay(storage).sequences()).isEmpty();
      assertThat(TestLog.replay(storage).log().lastSequence()).isEqualTo(last);
    }
  }

  @Test
  void sequenceNumbersMustAscend() throws IOException {
    try (WriteAheadLog log = TestLog.open(storage)) {
      TestLog.append(log, 10);
      ByteBuffer payload = ByteBuffer.allocate(8);
      for (long sequence : new long[] {9, 10, 11}) {
        assertThatThrownBy(() -> log.append(payload, 0, sequence, 1))
            .isInstanceOf(IllegalArgumentException.class);
      }
      assertThatThrownBy(() -> log.append(payload, 0, 12, 0))
          .isInstanceOf(IllegalArgumentException.class);
      TestLog.append(log, 12);
    }
    assertThat(TestLog.replay(storage).sequences()).containsExactly(10L, 12L);
  }

  @Test
  void fileNumbersMustAscend() throws IOException {
    try (WriteAheadLog log = TestLog.open(storage)) {
      TestLog.append(log, 1);
    }
    TestLog.Replayed replayed = TestLog.replay(storage);
    assertThatThrownBy(
            () ->
                new WriteAheadLog(
                    storage,
                    new TestLogRegister(() -> 1),
                    1,
                    LogWriting.PLAIN,
                    ByteBuffer::allocateDirect,
                    replayed.log().files(),
                    0))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void flushHandsRecordsToTheOperatingSystem() throws IOException {
    try (WriteAheadLog log = TestLog.open(storage)) {
      TestLog.append(log, 1, 30);
      log.flush();
      assertThat(TestLog.replay(disk.copy()).sequences()).isEqualTo(TestLog.sequences(1, 30));
    }
  }

  @Test
  void rollingSyncsOnlyTheHeadOfTheNewFile() throws IOException {
    try (WriteAheadLog log = TestLog.open(storage)) {
      storage.count(Set.of(Operation.SYNC));
      TestLog.append(log, 1, 30);
      log.flush();
      int files = LogFileNames.list(disk).size();
      assertThat(files).isGreaterThan(3);
      assertThat(storage.count()).isEqualTo(files - 1);
      log.sync();
      assertThat(storage.count()).isEqualTo(files - 1 + files);
      TestLog.append(log, 100);
      log.sync();
      assertThat(storage.count()).isEqualTo(files - 1 + files + 1);
    }
  }

  @Test
  void unsyncedFilesAreBounded() throws IOException {
    try (WriteAheadLog log = TestLog.open(storage)) {
      storage.count(Set.of(Operation.SYNC));
      TestLog.append(log, 1, 200);
      assertThat(disk.openFiles()).isLessThan(20);
      assertThat(storage.count()).isPositive();
    }
    assertThat(TestLog.replay(storage).sequences()).isEqualTo(TestLog.sequences(1, 200));
  }

  @Test
  void failureOfASyncIsForEverAndToldEachTime() throws IOException {
    FaultyStorage faulty = new FaultyStorage(disk);
    WriteAheadLog log = TestLog.open(faulty);
    TestLog.append(log, 1, 3);
    log.sync();
    long next = TestLog.append(log, 20, 1);
    faulty.failOnce(Set.of(Operation.SYNC), 1);
    assertThatThrownBy(log::sync).isInstanceOf(InjectedFault.class);
    byte[][] before = contents(disk);
    assertThatThrownBy(() -> TestLog.append(log, next)).hasRootCauseInstanceOf(InjectedFault.class);
    assertThatThrownBy(log::flush).hasRootCauseInstanceOf(InjectedFault.class);
    assertThatThrownBy(log::sync).hasRootCauseInstanceOf(InjectedFault.class);
    assertThatThrownBy(log::resume).hasRootCauseInstanceOf(InjectedFault.class);
    log.close();
    assertThat(contents(disk)).isDeepEqualTo(before);
    assertThat(disk.openFiles()).isZero();
    assertThat(TestLog.replay(disk).sequences()).containsAll(TestLog.sequences(1, 3));
  }

  /** Its records must not be delivered: later ones get their numbers. */
  @Test
  void aFollowerPassesOverAFileOfWhichAResumptionKeepsNothing() throws IOException {
    try (WriteAheadLog log = TestLog.open(storage)) {
      TestLog.append(log, 1, ByteBuffer.allocate((int) TestLog.FILE_BYTES_MAX));
      log.flush();
      try (LogTail tail =
          LogTail.open(storage, KeptLogs.asTheyAre(storage), LogPosition.behind(0))) {
        assertThat(tail.next(2)).isTrue();
        TestLog.append(log, 3, ByteBuffer.allocate(100));
        // The record before it is in the new file when this one does not fit.
        storage.failOnce(Set.of(Operation.APPEND), 2);
        ByteBuffer large = ByteBuffer.allocate(3 * RecordWriter.BUFFER_BYTES);
        assertThatThrownBy(() -> TestLog.append(log, 4, large))
            .isInstanceOf(WritesSuspendedException.class);
        log.resume();
        TestLog.append(log, 3, ByteBuffer.allocate(50));
        log.flush();
        assertThat(tail.next(3)).isTrue();
        assertThat(tail.payload().limit()).isEqualTo(50);
        assertThat(tail.next(3)).isFalse();
      }
    }
  }

  /** Each write and each file that is begun or prepared fails in turn, for a while. */
  @ParameterizedTest
  @EnumSource(LogWriting.class)
  void afterAFailureThatPassesTheLogGoesOnWithAllThatWasSettled(LogWriting writing)
      throws IOException {
    Set<Operation> kinds = Set.of(Operation.APPEND, Operation.CREATE);
    int suspensions = 0;
    for (int nth = 1; nth <= 30; nth++) {
      MemoryStorage memory = new MemoryStorage();
      FaultyStorage faulty = new FaultyStorage(memory);
      List<Long> settled = new ArrayList<>();
      try (WriteAheadLog log = TestLog.open(faulty, TestLog.replay(faulty), writing)) {
        faulty.failFor(kinds, nth, 3);
        for (long sequence = 1; sequence < 200; sequence = TestLog.next(sequence)) {
          try {
            TestLog.append(log, sequence);
            settled.add(sequence);
            if (sequence % 3 == 0) {
              log.flush();
              log.upkeep();
            }
          } catch (WritesSuspendedException e) {
            assertThatThrownBy(log::flush).isInstanceOf(WritesSuspendedException.class);
            resume(log);
            suspensions++;
          }
        }
        faulty.count(Set.of());
        log.sync();
      }
      assertThat(TestLog.replay(memory).sequences()).as("fault %d", nth).isEqualTo(settled);
      assertThat(memory.openFiles()).isZero();
    }
    assertThat(suspensions).isGreaterThan(20);
  }

  private static void resume(WriteAheadLog log) throws IOException {
    while (true) {
      try {
        log.resume();
        return;
      } catch (WritesSuspendedException e) {
        assertThat(e).hasRootCauseInstanceOf(InjectedFault.class);
      }
    }
  }

  private static byte[][] contents(MemoryStorage memory) throws IOException {
    List<Long> numbers = LogFileNames.list(memory);
    byte[][] contents = new byte[numbers.size()][];
    for (int i = 0; i < contents.length; i++) {
      contents[i] = memory.bytes(LogFileNames.nameOf(numbers.get(i)));
    }
    return contents;
  }

  @Test
  void failureToNumberAFileIsAFailureOfTheLog() throws IOException {
    InjectedNumbers numbers = new InjectedNumbers();
    disk.createDirectories(WriteAheadLog.DIRECTORY);
    try (WriteAheadLog log =
        new WriteAheadLog(
            storage,
            new TestLogRegister(numbers::next),
            1,
            LogWriting.PLAIN,
            ByteBuffer::allocateDirect,
            List.of(),
            0)) {
      TestLog.append(log, 1);
      numbers.fail = true;
      for (int i = 0; i < 2; i++) {
        assertThatThrownBy(() -> TestLog.append(log, 5))
            .isInstanceOf(IOException.class)
            .hasStackTraceContaining("no number");
      }
    }
  }

  @Test
  void aFileForWhichThereIsNoMemorySuspendsWrites() throws IOException {
    boolean[] isOut = {false};
    disk.createDirectories(WriteAheadLog.DIRECTORY);
    try (WriteAheadLog log =
        new WriteAheadLog(
            storage,
            new TestLogRegister(new InjectedNumbers()::next),
            1,
            LogWriting.PLAIN,
            bytes -> {
              if (isOut[0]) {
                throw new OutOfMemoryError("none left");
              }
              return ByteBuffer.allocateDirect(bytes);
            },
            List.of(),
            0)) {
      TestLog.append(log, 1);
      log.flush();
      isOut[0] = true;
      assertThatThrownBy(() -> TestLog.append(log, 5)).isInstanceOf(WritesSuspendedException.class);
      assertThatThrownBy(log::resume).isInstanceOf(WritesSuspendedException.class);
      isOut[0] = false;
      log.resume();
      TestLog.append(log, 6);
      log.sync();
    }
    assertThat(TestLog.replay(disk).sequences()).containsExactly(1L, 6L);
  }

  /** No later attempt can succeed, because a file whose force has failed takes no other one. */
  @Test
  void aForceForWhichThereIsNoMemoryFailsTheLog() throws IOException {
    AtomicBoolean isOut = new AtomicBoolean();
    Storage starving =
        new WrappingStorage(disk) {
          @Override
          public StorageWriter create(String name) throws IOException {
            return new WrappingWriter(super.create(name)) {
              @Override
              public void sync() throws IOException {
                if (isOut.get()) {
                  throw new OutOfMemoryError("none left");
                }
                super.sync();
              }
            };
          }
        };
    try (WriteAheadLog log = TestLog.open(starving)) {
      log.upkeep();
      long sequence = 1;
      while (log.fileCount() == 1) {
        sequence = TestLog.append(log, sequence, 1);
      }
      isOut.set(true);
      assertThatThrownBy(log::upkeep).hasRootCauseInstanceOf(OutOfMemoryError.class);
      assertThat(disk.exists("wal/unforced")).isTrue();
      isOut.set(false);
      assertThatThrownBy(log::resume).isInstanceOf(DatabaseFailedException.class);
      assertThatThrownBy(log::flushForSync)
          .isInstanceOf(DatabaseFailedException.class)
          .isNotInstanceOf(WritesSuspendedException.class);
    }
  }

  private static final class InjectedNumbers {
    private long last;
    private boolean fail;

    long next() throws IOException {
      if (fail) {
        throw new IOException("no number");
      }
      return ++last;
    }
  }

  @Test
  void failedDeletionIsTriedAgain() throws IOException {
    try (WriteAheadLog log = TestLog.open(storage)) {
      TestLog.append(log, 1, 40);
      log.sync();
      int files = LogFileNames.list(disk).size();
      storage.failOnce(Set.of(Operation.DELETE), 2);
      assertThatThrownBy(() -> log.truncate(Long.MAX_VALUE)).isInstanceOf(InjectedFault.class);
      assertThat(LogFileNames.list(disk)).hasSize(files - 1);
      log.sync();
      log.truncate(Long.MAX_VALUE);
      assertThat(LogFileNames.list(disk)).hasSize(1);
    }
  }

  @Test
  void nothingIsDeletedBehindADeletionThatMayNotBeDurable() throws IOException {
    try (WriteAheadLog log = TestLog.open(storage)) {
      TestLog.append(log, 1, 40);
      log.sync();
      int files = LogFileNames.list(disk).size();
      storage.failFor(Set.of(Operation.SYNC_DIRECTORY), 1, 2);
      for (int i = 0; i < 2; i++) {
        assertThatThrownBy(() -> log.truncate(Long.MAX_VALUE)).isInstanceOf(InjectedFault.class);
        assertThat(LogFileNames.list(disk)).hasSize(files - 1);
      }
      log.truncate(Long.MAX_VALUE);
      assertThat(LogFileNames.list(disk)).hasSize(1);
      TestLog.append(log, 200);
      log.sync();
    }
    assertThat(TestLog.replay(storage).sequences()).endsWith(200L);
  }

  @Test
  void truncatingGoesOnBesideAppending() throws Exception {
    WriteAheadLog log = TestLog.open(storage);
    AtomicBoolean done = new AtomicBoolean();
    TestThread truncater =
        TestThread.start(
            "truncater",
            () -> {
              while (!done.get()) {
                log.truncate(log.oldestFileLastSequence() + 1);
                assertThat(log.totalBytes()).isPositive();
              }
            });
    long sequence = 1;
    for (int i = 0; i < 200; i++) {
      sequence = TestLog.append(log, sequence, 10);
      if (i % 10 == 0) {
        log.sync();
      }
    }
    done.set(true);
    truncater.join();
    log.close();
    List<Long> left = TestLog.replay(storage).sequences();
    List<Long> all = TestLog.sequences(1, 2000);
    assertThat(left).isEqualTo(all.subList(all.size() - left.size(), all.size()));
  }

  @Test
  void filesOfOthersAreLeftAlone() throws IOException {
    storage.createDirectories(WriteAheadLog.DIRECTORY);
    storage.create("wal/.DS_Store").close();
    storage.create("wal/1.log").close();
    try (WriteAheadLog log = TestLog.open(storage)) {
      TestLog.append(log, 1, 40);
      log.truncate(Long.MAX_VALUE);
    }
    TestLog.open(storage).close();
    assertThat(storage.list("wal")).contains(".DS_Store", "1.log");
  }
}
