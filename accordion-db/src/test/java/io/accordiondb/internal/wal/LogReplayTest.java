// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.wal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.accordiondb.CorruptionException;
import io.accordiondb.RecoveryMode;
import io.accordiondb.internal.storage.FaultyStorage;
import io.accordiondb.internal.storage.FaultyStorage.Operation;
import io.accordiondb.internal.storage.MemoryStorage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class LogReplayTest {
  /** So many that the last one is not the first one of its file. */
  private static final int RECORDS = 41;

  private final MemoryStorage disk = new MemoryStorage();

  @Test
  void emptyLogHoldsNothing() throws IOException {
    TestLog.Replayed replayed = TestLog.replay(disk);
    assertThat(replayed.sequences()).isEmpty();
    assertThat(replayed.log().lastSequence()).isZero();
    assertThat(replayed.log().files()).isEmpty();
  }

  @Test
  void replayChangesNothing() throws IOException {
    writeLog();
    tearNewest(3);
    FaultyStorage storage = new FaultyStorage(disk);
    storage.failForEver(FaultyStorage.CHANGES, 1);
    LogReplay log = new LogReplay(storage, RecoveryMode.TOLERATE_TORN_TAIL);
    log.replay((payload, firstSequence, count, source) -> {});
    assertThat(storage.count()).isZero();
  }

  @Test
  void sourceTellsWhereAPayloadStands() throws IOException {
    writeLog();
    List<Long> numbers = new ArrayList<>();
    new LogReplay(disk, RecoveryMode.TOLERATE_TORN_TAIL)
        .replay(
            (payload, firstSequence, count, source) -> {
              String name = "wal" + source.file().substring(source.file().lastIndexOf('/'));
              byte[] file = disk.bytes(name);
              byte[] expected = new byte[payload.limit()];
              payload.get(0, expected);
              int offset = (int) source.offset();
              assertThat(Arrays.copyOfRange(file, offset, offset + expected.length))
                  .isEqualTo(expected);
              numbers.add(firstSequence);
            });
    assertThat(numbers).hasSize(RECORDS);
  }

  @Test
  void recordsBeforeTheNumberAskedForAreNotGiven() throws IOException {
    writeLog();
    List<Long> all = TestLog.sequences(1, RECORDS);
    for (long from = 0; from < 100; from++) {
      List<Long> given = new ArrayList<>();
      long fromSequence = from;
      LogReplay log = new LogReplay(disk, RecoveryMode.TOLERATE_TORN_TAIL);
      log.replay(
          fromSequence,
          (payload, firstSequence, count, source) -> {
            assertThat(firstSequence + count - 1).isGreaterThanOrEqualTo(fromSequence);
            given.add(firstSequence);
          });
      assertThat(given).isEqualTo(all.subList(all.size() - given.size(), all.size()));
      assertThat(log.records()).isEqualTo(given.size());
      int before = all.size() - given.size();
      assertThat(before == 0 || all.get(before - 1) < from).isTrue();
    }
  }

  @Test
  void logThatBeginsBehindTheNumberAskedForIsRefused() throws IOException {
    try (WriteAheadLog log = TestLog.open(disk)) {
      TestLog.append(log, 1, RECORDS);
      log.sync();
      long deleted = log.oldestFileLastSequence();
      log.truncate(deleted + 1);
      new LogReplay(disk, RecoveryMode.TOLERATE_TORN_TAIL)
          .replay(deleted + 1, (payload, sequence, count, source) -> {});
      assertThatThrownBy(
              () ->
                  new LogReplay(disk, RecoveryMode.TOLERATE_TORN_TAIL)
                      .replay(deleted, (payload, sequence, count, source) -> {}))
          .isInstanceOf(CorruptionException.class)
          .hasMessageContaining("sequence numbers from " + deleted);
    }
  }

  @Test
  void tornTailIsLeftOutAndStaysSo() throws IOException {
    writeLog();
    int torn = tearNewest(3);
    TestLog.Replayed replayed = TestLog.replay(disk);
    assertThat(replayed.sequences()).isEqualTo(TestLog.sequences(1, RECORDS - 1));
    assertThat(replayed.log().droppedBytes()).isEqualTo(torn);
    long sequence = replayed.log().lastSequence() + 1;
    try (WriteAheadLog log = TestLog.open(disk, replayed)) {
      TestLog.append(log, sequence);
    }
    for (int i = 0; i < 3; i++) {
      TestLog.Replayed again = TestLog.replay(disk);
      assertThat(again.sequences()).hasSize(RECORDS).endsWith(sequence);
      assertThat(again.log().droppedBytes()).isZero();
      TestLog.open(disk, again).close();
    }
  }

  @Test
  void absoluteModeRefusesATornTail() throws IOException {
    writeLog();
    assertThat(TestLog.replay(disk, RecoveryMode.ABSOLUTE).sequences()).hasSize(RECORDS);
    tearNewest(3);
    assertThatThrownBy(() -> TestLog.replay(disk, RecoveryMode.ABSOLUTE))
        .isInstanceOf(CorruptionException.class)
        .hasMessageContaining(newest());
    TestLog.open(disk).close();
    // What was left out once, and is known to be, is no reason to refuse the log ever after.
    assertThat(TestLog.replay(disk, RecoveryMode.ABSOLUTE).sequences()).hasSize(RECORDS - 1);
  }

  @Test
  void absoluteModeRefusesAFileThatWasNeverBegun() throws IOException {
    writeLog();
    disk.setBytes(LogFileNames.nameOf(99), new byte[10]);
    assertThat(TestLog.replay(disk).sequences()).hasSize(RECORDS);
    assertThatThrownBy(() -> TestLog.replay(disk, RecoveryMode.ABSOLUTE))
        .isInstanceOf(CorruptionException.class);
  }

  @Test
  void fileThatWasNeverBegunIsDeletedByTheNextLog() throws IOException {
    writeLog();
    disk.setBytes(LogFileNames.nameOf(99), new byte[10]);
    try (WriteAheadLog log = TestLog.open(disk)) {
      TestLog.append(log, 200);
      assertThat(LogFileNames.list(disk)).doesNotContain(99L).contains(100L);
    }
    assertThat(TestLog.replay(disk).sequences()).hasSize(RECORDS + 1).endsWith(200L);
  }

  @Test
  void missingFileOfTheMiddleIsDamage() throws IOException {
    writeLog();
    List<Long> numbers = LogFileNames.list(disk);
    for (int i = 1; i < numbers.size() - 1; i++) {
      MemoryStorage damaged = disk.copy();
      String name = LogFileNames.nameOf(numbers.get(i));
      damaged.delete(name);
      assertThatThrownBy(() -> TestLog.replay(damaged))
          .isInstanceOf(CorruptionException.class)
          .hasMessageContaining(name);
    }
  }

  @Test
  void unsyncedFileThatHasLostItsEndEndsTheLog() throws IOException {
    FaultyStorage storage = new FaultyStorage(disk);
    WriteAheadLog log = TestLog.open(storage);
    TestLog.append(log, 1, RECORDS);
    log.flush();
    storage.failForEver(Set.of(Operation.SYNC), 1);
    assertThatThrownBy(log::close).isInstanceOf(IOException.class);
    List<Long> all = TestLog.sequences(1, RECORDS);
    for (long number : LogFileNames.list(disk)) {
      MemoryStorage crashed = disk.copy();
      String name = LogFileNames.nameOf(number);
      byte[] bytes = crashed.bytes(name);
      crashed.setBytes(name, Arrays.copyOf(bytes, bytes.length - 1));
      TestLog.Replayed replayed = TestLog.replay(crashed);
      assertThat(replayed.sequences()).isEqualTo(all.subList(0, replayed.sequences().size()));
      assertThat(replayed.log().files()).hasSize((int) number);
      assertThat(replayed.log().droppedBytes()).isPositive();
      assertThatThrownBy(() -> TestLog.replay(crashed, RecoveryMode.ABSOLUTE))
          .isInstanceOf(CorruptionException.class);
      TestLog.open(crashed, replayed).close();
      assertThat(TestLog.replay(crashed, RecoveryMode.ABSOLUTE).sequences())
          .isEqualTo(replayed.sequences());
    }
  }

  @Test
  void filesOfAnEarlierOpeningMustBeThere() throws IOException {
    writeLog();
    TestLog.Replayed replayed = TestLog.replay(disk);
    int files = replayed.log().files().size();
    WriteAheadLog log = TestLog.open(disk, replayed);
    TestLog.append(log, replayed.log().lastSequence() + 1);
    log.flush();
    MemoryStorage damaged = disk.copy();
    String name = LogFileNames.nameOf(files);
    byte[] bytes = damaged.bytes(name);
    damaged.setBytes(name, Arrays.copyOf(bytes, bytes.length - 1));
    assertThatThrownBy(() -> TestLog.replay(damaged))
        .isInstanceOf(CorruptionException.class)
        .hasMessageContaining(name);
    log.close();
  }

  @Test
  void fileInThePlaceOfAnotherIsRefused() throws IOException {
    writeLog();
    disk.setBytes(LogFileNames.nameOf(2), disk.bytes(LogFileNames.nameOf(3)));
    assertThatThrownBy(() -> TestLog.replay(disk))
        .isInstanceOf(CorruptionException.class)
        .hasMessageContaining("file number 2");
  }

  private void writeLog() throws IOException {
    try (WriteAheadLog log = TestLog.open(disk)) {
      long last = TestLog.append(log, 1, RECORDS - 1);
      // So that the log does not end with a link.
      log.sync();
      TestLog.append(log, last);
    }
  }

  private String newest() throws IOException {
    List<Long> numbers = LogFileNames.list(disk);
    return LogFileNames.nameOf(numbers.get(numbers.size() - 1));
  }

  /** Cuts bytes from the newest file; returns how many are left of its last record. */
  private int tearNewest(int cut) throws IOException {
    byte[] bytes = disk.bytes(newest());
    disk.setBytes(newest(), Arrays.copyOf(bytes, bytes.length - cut));
    long last = TestLog.sequences(1, RECORDS).get(RECORDS - 1);
    return 24 + 8 + (int) (last * 31 % 120) - cut;
  }
}
