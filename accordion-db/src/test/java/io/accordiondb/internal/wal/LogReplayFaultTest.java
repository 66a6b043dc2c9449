// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.wal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.accordiondb.CorruptionException;
import io.accordiondb.internal.storage.MemoryStorage;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A log, synced and closed, of which bits are flipped or bytes are missing. */
class LogReplayFaultTest {
  private static final int RECORDS = 12;

  private final MemoryStorage disk = new MemoryStorage();
  private List<Long> numbers;
  private long newest;

  @BeforeEach
  void write() throws IOException {
    try (WriteAheadLog log = TestLog.open(disk)) {
      TestLog.append(log, 1, RECORDS);
    }
    numbers = LogFileNames.list(disk);
    newest = numbers.get(numbers.size() - 1);
    assertThat(numbers).hasSizeGreaterThanOrEqualTo(3);
  }

  @Test
  void everyFlippedBitIsNoticed() throws IOException {
    for (long number : numbers) {
      byte[] bytes = disk.bytes(LogFileNames.nameOf(number));
      for (int bit = 0; bit < Byte.SIZE * bytes.length; bit++) {
        byte[] damaged = bytes.clone();
        damaged[bit / Byte.SIZE] ^= (byte) (1 << bit % Byte.SIZE);
        check(number, damaged, "bit " + bit);
      }
    }
  }

  @Test
  void everyTruncationIsNoticedOrATornTail() throws IOException {
    for (long number : numbers) {
      byte[] bytes = disk.bytes(LogFileNames.nameOf(number));
      for (int length = 0; length < bytes.length; length++) {
        check(number, Arrays.copyOf(bytes, length), "length " + length);
      }
    }
  }

  /** Of the newest file the last record may be lost, as in a crash; all else is refused. */
  private void check(long number, byte[] damaged, String what) throws IOException {
    MemoryStorage copy = disk.copy();
    copy.setBytes(LogFileNames.nameOf(number), damaged);
    if (number < newest) {
      assertThatThrownBy(() -> TestLog.replay(copy))
          .as("file %d, %s", number, what)
          .isInstanceOf(CorruptionException.class);
      return;
    }
    List<Long> all = TestLog.sequences(1, RECORDS);
    try {
      List<Long> left = TestLog.replay(copy).sequences();
      assertThat(left).as("file %d, %s", number, what).isEqualTo(all.subList(0, left.size()));
    } catch (CorruptionException e) {
      assertThat(e.file()).endsWith(LogFileNames.nameOf(number));
    }
  }
}
