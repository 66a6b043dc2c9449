// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.wal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.accordiondb.CorruptionException;
import io.accordiondb.LogWriting;
import io.accordiondb.RecoveryMode;
import io.accordiondb.internal.storage.MemoryStorage;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Log files that are filled with zeros before records are put into them. */
class FilledLogTest {
  private static final int RECORDS = 12;

  private final MemoryStorage disk = new MemoryStorage();

  private WriteAheadLog open() throws IOException {
    return TestLog.open(disk, TestLog.replay(disk), LogWriting.MAPPED);
  }

  private String newest() throws IOException {
    List<Long> numbers = LogFileNames.list(disk);
    return LogFileNames.nameOf(numbers.get(numbers.size() - 1));
  }

  @Test
  void zerosBehindTheLastRecordAreNoTear() throws IOException {
    try (WriteAheadLog log = open()) {
      // A short record, so that the link that closing adds has room behind it.
      TestLog.append(log, 4);
      log.flush();
      MemoryStorage killed = disk.copy();
      assertThat(killed.size(newest())).isEqualTo(TestLog.FILE_BYTES_MAX);
      TestLog.Replayed replayed = TestLog.replay(killed, RecoveryMode.ABSOLUTE);
      assertThat(replayed.sequences()).containsExactly(4L);
      assertThat(replayed.log().droppedBytes()).isZero();
      assertThat(replayed.log().progress().bytesRead())
          .isEqualTo(replayed.log().progress().bytesTotal());
    }
    assertThat(disk.size(newest())).isLessThan(TestLog.FILE_BYTES_MAX);
  }

  @Test
  void whatIsMissingInFrontOfOtherRecordsIsALossOfPowerUnlessItWasOnTheDevice() throws IOException {
    try (WriteAheadLog log = open()) {
      // Sequence numbers whose records are short, so that all are in one file.
      TestLog.append(log, 4);
      log.flush();
      int from = (int) log.totalBytes();
      TestLog.append(log, 8);
      log.flush();
      int to = (int) log.totalBytes();
      TestLog.append(log, 12);
      log.flush();
      TestLog.Replayed replayed = TestLog.replay(withHole(from, to));
      assertThat(replayed.sequences()).containsExactly(4L);
      assertThat(replayed.log().droppedBytes()).isPositive();
      assertThatThrownBy(() -> TestLog.replay(withHole(from, to), RecoveryMode.ABSOLUTE))
          .isInstanceOf(CorruptionException.class);

      log.sync();
      TestLog.append(log, 16);
      log.flush();
      assertThat(LogFileNames.list(disk)).hasSize(1);
      assertThatThrownBy(() -> TestLog.replay(withHole(from, to)))
          .isInstanceOf(CorruptionException.class)
          .hasMessageContaining("offset " + from);
    }
  }

  @Test
  void sealedFilesChangeNoMore() throws IOException {
    try (WriteAheadLog log = open()) {
      TestLog.append(log, 1, 1);
      for (SealedLog sealed : log.seal()) {
        assertThat(disk.size(LogFileNames.nameOf(sealed.fileNumber()))).isEqualTo(sealed.bytes());
      }
    }
  }

  private MemoryStorage withHole(int from, int to) throws IOException {
    MemoryStorage copy = disk.copy();
    byte[] bytes = copy.bytes(newest());
    Arrays.fill(bytes, from, to, (byte) 0);
    copy.setBytes(newest(), bytes);
    return copy;
  }

  @Test
  void everyFlippedBitOfAClosedLogIsNoticed() throws IOException {
    try (WriteAheadLog log = open()) {
      TestLog.append(log, 1, RECORDS);
    }
    List<Long> all = TestLog.sequences(1, RECORDS);
    assertThat(TestLog.replay(disk).sequences()).isEqualTo(all);
    for (long number : LogFileNames.list(disk)) {
      String name = LogFileNames.nameOf(number);
      byte[] bytes = disk.bytes(name);
      for (int bit = 0; bit < Byte.SIZE * bytes.length; bit++) {
        MemoryStorage copy = disk.copy();
        byte[] damaged = bytes.clone();
        damaged[bit / Byte.SIZE] ^= (byte) (1 << bit % Byte.SIZE);
        copy.setBytes(name, damaged);
        try {
          // Only the last link of all, which says that the records are on the device, may be lost.
          assertThat(TestLog.replay(copy).sequences()).as("%s, bit %d", name, bit).isEqualTo(all);
          assertThat(name).isEqualTo(newest());
        } catch (CorruptionException e) {
          assertThat(e.file()).contains("/wal/");
        }
      }
    }
  }
}
