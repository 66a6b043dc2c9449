// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.wal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.accordiondb.CorruptionException;
import io.accordiondb.RecoveryMode;
import io.accordiondb.internal.storage.MemoryStorage;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RecoveryModeTest {
  private static final int RECORDS = 41;
  private static final int LINK_RECORD_BYTES = 24 + 56;

  private final MemoryStorage disk = new MemoryStorage();
  private List<Long> all = List.of();

  @BeforeEach
  void write() throws IOException {
    try (WriteAheadLog log = TestLog.open(disk)) {
      TestLog.append(log, 1, RECORDS);
    }
    all = TestLog.sequences(1, RECORDS);
  }

  private String file(int index) throws IOException {
    return LogFileNames.nameOf(LogFileNames.list(disk).get(index));
  }

  @ParameterizedTest
  @EnumSource(RecoveryMode.class)
  void everyModeReadsASoundLogWhole(RecoveryMode mode) throws IOException {
    TestLog.Replayed replayed = TestLog.replay(disk, mode);
    assertThat(replayed.sequences()).isEqualTo(all);
    assertThat(replayed.log().isDamaged()).isFalse();
    assertThat(replayed.log().droppedBytes()).isZero();
    assertThat(replayed.log().progress().bytesRead())
        .isEqualTo(replayed.log().progress().bytesTotal())
        .isPositive();
  }

  @Test
  void everyDamagedByteEndsAPointInTimeReplayAtAPrefix() throws IOException {
    String name = file(1);
    byte[] sound = disk.bytes(name);
    for (int offset = 0; offset < sound.length; offset++) {
      disk.flip(name, offset);
      TestLog.Replayed replayed = TestLog.replay(disk, RecoveryMode.POINT_IN_TIME);
      List<Long> found = replayed.sequences();
      assertThat(found).as("byte %d", offset).isEqualTo(all.subList(0, found.size()));
      assertThat(found).hasSizeLessThan(RECORDS);
      assertThat(replayed.log().droppedBytes()).isPositive();
      disk.setBytes(name, sound);
    }
  }

  @Test
  void everyDamagedByteCostsASalvageOneRecordAtMost() throws IOException {
    String name = file(1);
    byte[] sound = disk.bytes(name);
    for (int offset = 0; offset < sound.length; offset++) {
      disk.flip(name, offset);
      TestLog.Replayed replayed = TestLog.replay(disk, RecoveryMode.SALVAGE);
      assertThat(all).as("byte %d", offset).containsSubsequence(replayed.sequences());
      assertThat(replayed.sequences()).hasSizeGreaterThanOrEqualTo(RECORDS - 1);
      assertThat(replayed.log().isDamaged()).isTrue();
      assertThat(replayed.log().files()).isEmpty();
      disk.setBytes(name, sound);
    }
  }

  @Test
  void damageInTheMiddleIsRefusedByTheOtherModes() throws IOException {
    disk.flip(file(1), 100);
    for (RecoveryMode mode : List.of(RecoveryMode.TOLERATE_TORN_TAIL, RecoveryMode.ABSOLUTE)) {
      assertThatThrownBy(() -> TestLog.replay(disk, mode)).isInstanceOf(CorruptionException.class);
    }
  }

  @Test
  void logGoesOnBehindAPointInTime() throws IOException {
    disk.flip(file(1), 100);
    TestLog.Replayed replayed = TestLog.replay(disk, RecoveryMode.POINT_IN_TIME);
    long sequence = replayed.log().lastSequence() + 1;
    try (WriteAheadLog log = TestLog.open(disk, replayed)) {
      TestLog.append(log, sequence);
    }
    for (int i = 0; i < 2; i++) {
      TestLog.Replayed again = TestLog.replay(disk);
      assertThat(again.sequences()).startsWith(1L).endsWith(sequence);
      assertThat(again.sequences()).hasSize(replayed.sequences().size() + 1);
      TestLog.open(disk, again).close();
    }
  }

  @Test
  void missingFileEndsAPointInTimeAndIsPassedByASalvage() throws IOException {
    List<Long> before = TestLog.replay(disk).sequences();
    disk.delete(file(2));
    assertThatThrownBy(() -> TestLog.replay(disk)).isInstanceOf(CorruptionException.class);
    List<Long> prefix = TestLog.replay(disk, RecoveryMode.POINT_IN_TIME).sequences();
    assertThat(before).startsWith(prefix.toArray(Long[]::new));
    List<Long> salvaged = TestLog.replay(disk, RecoveryMode.SALVAGE).sequences();
    assertThat(salvaged).hasSizeGreaterThan(prefix.size()).endsWith(before.get(RECORDS - 1));
  }

  @Test
  void salvageDoesNotBringBackWhatAnEarlierReplayHasLeftOut() throws IOException {
    String newest = file(LogFileNames.list(disk).size() - 1);
    // Behind the last record stands a link.
    byte[] bytes = disk.bytes(newest);
    disk.setBytes(newest, Arrays.copyOf(bytes, bytes.length - LINK_RECORD_BYTES));
    disk.flip(newest, disk.bytes(newest).length - 1);
    TestLog.Replayed replayed = TestLog.replay(disk);
    long sequence = replayed.log().lastSequence() + 1;
    try (WriteAheadLog log = TestLog.open(disk, replayed)) {
      TestLog.append(log, sequence, 3);
    }
    disk.flip(newest, disk.bytes(newest).length - 1);
    assertThat(TestLog.replay(disk, RecoveryMode.SALVAGE).sequences())
        .isEqualTo(TestLog.replay(disk).sequences())
        .hasSize(RECORDS + 2);
  }
}
