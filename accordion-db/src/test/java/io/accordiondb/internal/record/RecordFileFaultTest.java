// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.accordiondb.CorruptionException;
import io.accordiondb.internal.storage.MemoryStorage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Record files of which bits are flipped, bytes are missing, or bytes are zero. */
class RecordFileFaultTest {
  private final MemoryStorage disk = new MemoryStorage();
  private final List<TestRecord> records = new ArrayList<>();
  private byte[] bytes;
  private int lastRecordOffset;

  @BeforeEach
  void write() throws IOException {
    Random random = new Random(5);
    for (int i = 0; i < 4; i++) {
      records.add(TestRecord.random(20 + 10 * i, 10L * i, random));
    }
    TestRecord.write(disk, records);
    bytes = disk.bytes(TestRecord.FILE);
    lastRecordOffset = bytes.length - (int) records.get(3).fileBytes();
  }

  @Test
  void everyFlippedBitIsNoticed() throws IOException {
    for (int bit = 0; bit < Byte.SIZE * bytes.length; bit++) {
      byte[] damaged = bytes.clone();
      damaged[bit / Byte.SIZE] ^= (byte) (1 << bit % Byte.SIZE);
      disk.setBytes(TestRecord.FILE, damaged);
      if (bit / Byte.SIZE < lastRecordOffset) {
        assertThatThrownBy(() -> TestRecord.read(disk))
            .as("bit %d", bit)
            .isInstanceOfSatisfying(CorruptionException.class, this::tellsTheRecord);
      } else {
        // Nobody can tell whether the last record was written wholly and then damaged.
        assertThat(TestRecord.read(disk)).as("bit %d", bit).isEqualTo(records.subList(0, 3));
      }
    }
  }

  private void tellsTheRecord(CorruptionException e) {
    assertThat(e.file()).isEqualTo(disk.path(TestRecord.FILE));
    assertThat(e.offset()).isBetween(0L, (long) lastRecordOffset);
  }

  @Test
  void everyTruncationLeavesTheWholeRecordsBeforeIt() throws IOException {
    for (int length = 0; length < bytes.length; length++) {
      disk.setBytes(TestRecord.FILE, Arrays.copyOf(bytes, length));
      int whole = 0;
      long end = RecordFileHeader.BYTES;
      while (end + records.get(whole).fileBytes() <= length) {
        end += records.get(whole++).fileBytes();
      }
      assertThat(TestRecord.read(disk))
          .as("length %d", length)
          .isEqualTo(records.subList(0, whole));
      try (RecordReader reader = RecordReader.open(disk, TestRecord.FILE, TestRecord.HEADER)) {
        assertThat(reader == null).isEqualTo(length < RecordFileHeader.BYTES);
        if (reader != null) {
          while (reader.next()) {}
          assertThat(reader.tornBytes()).isEqualTo(length - end);
        }
      }
    }
  }

  @Test
  void zerosOrNoiseBehindTheRecordsAreATear() throws IOException {
    Random random = new Random(6);
    for (int added = 1; added < 100; added++) {
      byte[] longer = Arrays.copyOf(bytes, bytes.length + added);
      disk.setBytes(TestRecord.FILE, longer);
      assertThat(TestRecord.read(disk)).isEqualTo(records);
      byte[] noise = new byte[added];
      random.nextBytes(noise);
      System.arraycopy(noise, 0, longer, bytes.length, added);
      disk.setBytes(TestRecord.FILE, longer);
      assertThat(TestRecord.read(disk)).isEqualTo(records);
    }
  }

  @Test
  void zerosBeforeARecordAreDamage() throws IOException {
    for (int from = 0; from < lastRecordOffset; from++) {
      byte[] hole = bytes.clone();
      Arrays.fill(hole, from, lastRecordOffset, (byte) 0);
      disk.setBytes(TestRecord.FILE, hole);
      assertThatThrownBy(() -> TestRecord.read(disk))
          .as("hole from %d", from)
          .isInstanceOf(CorruptionException.class);
    }
  }

  @Test
  void damageNamesFileOffsetAndWhatWasFound() throws IOException {
    byte[] damaged = bytes.clone();
    damaged[RecordFileHeader.BYTES + RecordLayout.HEADER_BYTES] ^= 1;
    disk.setBytes(TestRecord.FILE, damaged);
    assertThatThrownBy(() -> TestRecord.read(disk))
        .hasMessageContaining(disk.path(TestRecord.FILE))
        .hasMessageContaining("offset " + RecordFileHeader.BYTES)
        .hasMessageContaining("payload of another checksum");
  }
}
