// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.accordiondb.CorruptionException;
import io.accordiondb.FormatVersionException;
import io.accordiondb.internal.storage.ClosingStorage;
import io.accordiondb.internal.storage.FaultyStorage;
import io.accordiondb.internal.storage.FaultyStorage.InjectedFault;
import io.accordiondb.internal.storage.FaultyStorage.Operation;
import io.accordiondb.internal.storage.MemoryStorage;
import io.accordiondb.internal.storage.StorageWriter;
import io.accordiondb.internal.storage.WrappingWriter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The writer and the reader of record files, together. */
class RecordFileTest {
  private final MemoryStorage disk = new MemoryStorage();

  @AfterEach
  void nothingStaysOpen() {
    assertThat(disk.openFiles()).isZero();
  }

  @Test
  void recordsOfAllSizesAreReadAsTheyWereWritten() throws IOException {
    Random random = new Random(1);
    List<TestRecord> records = new ArrayList<>();
    long sequence = 1;
    for (int bytes : new int[] {0, 1, 100, 65_535, 65_536, 65_512, 262_144, 300_000, 1_000_000}) {
      for (int i = 0; i < 3; i++) {
        records.add(TestRecord.random(bytes, sequence++, random));
        records.add(TestRecord.random(random.nextInt(200), sequence++, random));
      }
    }
    TestRecord.write(disk, records);
    assertThat(TestRecord.read(disk)).isEqualTo(records);
    assertThat(disk.size(TestRecord.FILE))
        .isEqualTo(
            RecordFileHeader.BYTES + records.stream().mapToLong(TestRecord::fileBytes).sum());
  }

  @Test
  void payloadMayBeDirectAndStaysAsItIs() throws IOException {
    ByteBuffer payload = ByteBuffer.allocateDirect(10).putLong(42).position(3).limit(8);
    CRC32C crc = new CRC32C();
    crc.update(payload.duplicate().rewind());
    try (RecordWriter writer = new RecordWriter(disk.create(TestRecord.FILE), TestRecord.HEADER)) {
      writer.append(payload, (int) crc.getValue(), 7, 1);
      writer.flush();
    }
    assertThat(payload.position()).isEqualTo(3);
    assertThat(payload.limit()).isEqualTo(8);
    assertThat(TestRecord.read(disk))
        .containsExactly(new TestRecord(ByteBuffer.allocate(8).putLong(42).rewind(), 7, 1));
  }

  @Test
  void aFileThatIsClosedWhileItIsForcedHasNotFailed() throws IOException {
    AtomicReference<RecordWriter> closing = new AtomicReference<>();
    StorageWriter file =
        new WrappingWriter(disk.create(TestRecord.FILE)) {
          @Override
          public void sync() throws IOException {
            RecordWriter writer = closing.get();
            if (writer != null) {
              writer.close();
            }
            throw new ClosedChannelException();
          }
        };
    RecordWriter writer = new RecordWriter(file, TestRecord.HEADER);
    assertThatThrownBy(writer::force).isInstanceOf(ClosedChannelException.class);
    RecordWriter closed = new RecordWriter(file, TestRecord.HEADER);
    closing.set(closed);
    closed.force();
  }

  /** They may be appended while another thread forces what was there before. */
  @Test
  void recordsThatAreAppendedWhileTheFileIsForcedAreNotYetDurable() throws IOException {
    AtomicReference<RecordWriter> appending = new AtomicReference<>();
    StorageWriter file =
        new WrappingWriter(disk.create(TestRecord.FILE)) {
          @Override
          public void sync() throws IOException {
            delegate.sync();
            RecordWriter writer = appending.getAndSet(null);
            if (writer != null) {
              randomRecords(1).get(0).appendTo(writer);
              writer.flush();
            }
          }
        };
    try (RecordWriter writer = new RecordWriter(file, TestRecord.HEADER)) {
      randomRecords(1).get(0).appendTo(writer);
      writer.flush();
      long before = writer.bytes();
      appending.set(writer);
      writer.force();
      assertThat(writer.bytes()).isGreaterThan(before);
      assertThat(writer.durableBytes()).isEqualTo(before);
      writer.force();
      assertThat(writer.durableBytes()).isEqualTo(writer.bytes());
    }
  }

  @Test
  void filledFileMayLoseItsZerosWhileItIsOpened() throws IOException {
    RecordFileHeader header =
        new RecordFileHeader(
            TestRecord.HEADER.magic(), TestRecord.HEADER.fileNumber(), RecordFileHeader.FILLED);
    List<TestRecord> records = randomRecords(3);
    for (long filledBytes : new long[] {10_000, 600_000}) {
      StorageWriter file = disk.createFilled(TestRecord.FILE, filledBytes);
      try (RecordWriter writer = new RecordWriter(file, header)) {
        for (TestRecord record : records) {
          record.appendTo(writer);
        }
        writer.flush();
        assertThat(disk.size(TestRecord.FILE)).isEqualTo(filledBytes);
        assertThat(TestRecord.read(new ClosingStorage(disk, writer), header)).isEqualTo(records);
        assertThat(disk.size(TestRecord.FILE)).isLessThan(filledBytes);
      }
      disk.delete(TestRecord.FILE);
    }
  }

  @Test
  void readerTellsWhereRecordsEnd() throws IOException {
    List<TestRecord> records = randomRecords(3);
    TestRecord.write(disk, records);
    try (RecordReader reader = open()) {
      long end = RecordFileHeader.BYTES;
      assertThat(reader.soundBytes()).isEqualTo(end);
      for (TestRecord record : records) {
        assertThat(reader.next()).isTrue();
        end += record.fileBytes();
        assertThat(reader.soundBytes()).isEqualTo(end);
      }
      assertThat(reader.next()).isFalse();
      assertThat(reader.tornBytes()).isZero();
      assertThat(reader.fileBytes()).isEqualTo(end);
    }
  }

  @Test
  void nothingIsInTheFileBeforeAFlush() throws IOException {
    try (RecordWriter writer = new RecordWriter(disk.create(TestRecord.FILE), TestRecord.HEADER)) {
      TestRecord record = randomRecords(1).get(0);
      record.appendTo(writer);
      assertThat(disk.size(TestRecord.FILE)).isZero();
      assertThat(writer.bytes()).isEqualTo(RecordFileHeader.BYTES + record.fileBytes());
      writer.flush();
      assertThat(disk.size(TestRecord.FILE)).isEqualTo(writer.bytes());
    }
  }

  /** A disk that is full for a moment, which the writer survives, is no failure of a force. */
  @Test
  void aForceBesideAWriterThatFailsAndResumesSucceeds() throws Exception {
    TestRecord record = randomRecords(1).get(0);
    AtomicBoolean writes = new AtomicBoolean(true);
    ExecutorService other = Executors.newSingleThreadExecutor();
    try (RecordWriter writer = new RecordWriter(new FullAtTimes(), TestRecord.HEADER)) {
      Future<?> forces =
          other.submit(
              () -> {
                while (writes.get()) {
                  writer.force();
                }
                return null;
              });
      int failures = 0;
      for (int i = 0; i < 100_000; i++) {
        record.appendTo(writer);
        try {
          writer.flush();
        } catch (IOException e) {
          failures++;
          writer.resume(writer.bytes());
        }
      }
      assertThat(failures).isGreaterThan(10_000);
      writes.set(false);
      forces.get();
    } finally {
      writes.set(false);
      other.shutdownNow();
    }
  }

  /** Holds nothing; each second append finds no room. */
  private static final class FullAtTimes implements StorageWriter {
    private long position;
    private boolean isFull;

    @Override
    public void append(ByteBuffer... buffers) throws IOException {
      isFull = !isFull;
      if (isFull) {
        throw new IOException("no space left on device");
      }
      for (ByteBuffer buffer : buffers) {
        position += buffer.remaining();
        buffer.position(buffer.limit());
      }
    }

    @Override
    public long position() {
      return position;
    }

    @Override
    public void sync() {}

    @Override
    public void close() {}
  }

  @Test
  void recordsThatCannotBeReadAreNotWritten() throws IOException {
    try (RecordWriter writer = new RecordWriter(disk.create(TestRecord.FILE), TestRecord.HEADER)) {
      assertThatThrownBy(() -> writer.append(ByteBuffer.allocate(1), 0, 1, -1))
          .isInstanceOf(IllegalArgumentException.class);
      ByteBuffer tooLong = ByteBuffer.allocateDirect(RecordLayout.PAYLOAD_BYTES_MAX + 1);
      assertThatThrownBy(() -> writer.append(tooLong, 0, 1, 1))
          .isInstanceOf(IllegalArgumentException.class);
      randomRecords(1).get(0).appendTo(writer);
      writer.flush();
    }
    assertThat(TestRecord.read(disk)).isEqualTo(randomRecords(1));
  }

  @Test
  void writerThatHasFailedFailsForEver() throws IOException {
    for (Operation operation : List.of(Operation.APPEND, Operation.SYNC)) {
      MemoryStorage memory = new MemoryStorage();
      FaultyStorage storage = new FaultyStorage(memory);
      try (RecordWriter writer =
          new RecordWriter(storage.create(TestRecord.FILE), TestRecord.HEADER)) {
        List<TestRecord> records = randomRecords(3);
        records.get(0).appendTo(writer);
        writer.sync();
        storage.failOnce(Set.of(operation), 1);
        records.get(1).appendTo(writer);
        assertThatThrownBy(writer::sync).isInstanceOf(InjectedFault.class);
        for (int i = 0; i < 2; i++) {
          assertThatThrownBy(() -> records.get(2).appendTo(writer))
              .hasCauseInstanceOf(InjectedFault.class);
          assertThatThrownBy(writer::flush).hasCauseInstanceOf(InjectedFault.class);
          assertThatThrownBy(writer::sync).hasCauseInstanceOf(InjectedFault.class);
        }
        assertThat(storage.count()).isEqualTo(1);
      }
    }
  }

  @Test
  void fileOfAnotherKindNumberOrVersionIsRefused() throws IOException {
    TestRecord.write(disk, randomRecords(2));
    byte[] bytes = disk.bytes(TestRecord.FILE);
    RecordFileHeader otherKind = new RecordFileHeader(1, TestRecord.HEADER.fileNumber(), 1);
    assertThatThrownBy(() -> RecordReader.open(disk, TestRecord.FILE, otherKind))
        .isInstanceOf(CorruptionException.class)
        .hasMessageContaining("magic 1");
    RecordFileHeader otherNumber = new RecordFileHeader(TestRecord.HEADER.magic(), 13, 1);
    assertThatThrownBy(() -> RecordReader.open(disk, TestRecord.FILE, otherNumber))
        .isInstanceOf(CorruptionException.class)
        .hasMessageContaining("file number 13");
    disk.setBytes(TestRecord.FILE, withFormatVersion(bytes, 2));
    assertThatThrownBy(() -> RecordReader.open(disk, TestRecord.FILE, TestRecord.HEADER))
        .isInstanceOf(FormatVersionException.class);
  }

  @Test
  void recordOfAnotherFileIsNotTakenForOneOfThis() throws IOException {
    TestRecord.write(disk, randomRecords(2));
    byte[] stale = disk.bytes(TestRecord.FILE);
    RecordFileHeader next = new RecordFileHeader(TestRecord.HEADER.magic(), 13, 1);
    try (StorageWriter file = disk.create("next");
        RecordWriter writer = new RecordWriter(file, next)) {
      writer.flush();
      file.append(ByteBuffer.wrap(stale).position(RecordFileHeader.BYTES));
    }
    try (RecordReader reader = RecordReader.open(disk, "next", next)) {
      assertThat(reader.next()).isFalse();
      assertThat(reader.tornBytes()).isEqualTo(stale.length - RecordFileHeader.BYTES);
    }
  }

  @Test
  void whatLooksLikeARecordInATornPayloadIsNoDamage() throws IOException {
    List<TestRecord> records = randomRecords(1);
    TestRecord.write(disk, records);
    byte[] oneRecord = disk.bytes(TestRecord.FILE);
    ByteBuffer record = ByteBuffer.wrap(oneRecord).position(RecordFileHeader.BYTES);
    ByteBuffer payload = ByteBuffer.allocate(100).put(record).clear();
    disk.delete(TestRecord.FILE);
    TestRecord.write(disk, List.of(records.get(0), new TestRecord(payload, 2, 1)));
    byte[] bytes = disk.bytes(TestRecord.FILE);
    disk.setBytes(TestRecord.FILE, Arrays.copyOf(bytes, bytes.length - 1));
    assertThat(TestRecord.read(disk)).isEqualTo(records);
    bytes[bytes.length - 1] ^= 1;
    disk.setBytes(TestRecord.FILE, bytes);
    assertThat(TestRecord.read(disk)).isEqualTo(records);
  }

  /** Each payload ends with the file, so reading all of them would take hours. */
  @Test
  @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void aFileOfSoundHeadersIsReadOnce() throws IOException {
    int headers = 300_000;
    ByteBuffer file =
        ByteBuffer.allocate(
            RecordLayout.FILE_HEADER_BYTES + 1 + headers * RecordLayout.HEADER_BYTES);
    TestRecord.write(disk, List.of());
    file.put(disk.bytes(TestRecord.FILE)).put((byte) 7);
    ByteBuffer header = ByteBuffer.allocate(RecordLayout.HEADER_AND_OWNER_BYTES);
    header.putLong(RecordLayout.OWNER_NUMBER, TestRecord.HEADER.fileNumber());
    while (file.hasRemaining()) {
      header.putInt(RecordLayout.PAYLOAD_BYTES, file.remaining() - RecordLayout.HEADER_BYTES);
      header.putInt(RecordLayout.HEADER_CRC, RecordLayout.headerCrc(new CRC32C(), header.array()));
      file.put(header.array(), 0, RecordLayout.HEADER_BYTES);
    }
    disk.delete(TestRecord.FILE);
    try (StorageWriter writer = disk.create(TestRecord.FILE)) {
      writer.append(file.flip());
    }
    try (RecordReader reader = open()) {
      assertThat(reader.next()).isFalse();
      assertThat(reader.tornBytes()).isEqualTo(file.limit() - RecordLayout.FILE_HEADER_BYTES);
    }
  }

  @Test
  void payloadLongerThanTheFileIsNotAllocated() throws IOException {
    TestRecord.write(disk, randomRecords(1));
    byte[] bytes = disk.bytes(TestRecord.FILE);
    for (int length : new int[] {-1, Integer.MAX_VALUE, RecordLayout.PAYLOAD_BYTES_MAX + 1}) {
      disk.setBytes(TestRecord.FILE, withPayloadLength(bytes, length));
      assertThat(TestRecord.read(disk)).isEmpty();
    }
  }

  private static byte[] withFormatVersion(byte[] file, int version) {
    byte[] changed = file.clone();
    ByteBuffer buffer = ByteBuffer.wrap(changed);
    buffer.putInt(RecordLayout.FILE_VERSION, version);
    CRC32C crc = new CRC32C();
    crc.update(changed, 0, RecordLayout.FILE_CRC);
    buffer.putInt(RecordLayout.FILE_CRC, RecordLayout.mask((int) crc.getValue()));
    return changed;
  }

  /** Changes the length of the first record's payload, and the header's checksum with it. */
  private static byte[] withPayloadLength(byte[] file, int length) {
    byte[] changed = file.clone();
    ByteBuffer record = ByteBuffer.wrap(changed).position(RecordFileHeader.BYTES).slice();
    record.putInt(RecordLayout.PAYLOAD_BYTES, length);
    ByteBuffer header = ByteBuffer.allocate(RecordLayout.HEADER_AND_OWNER_BYTES);
    header.put(0, record, 0, RecordLayout.HEADER_BYTES);
    header.putLong(RecordLayout.OWNER_NUMBER, TestRecord.HEADER.fileNumber());
    record.putInt(RecordLayout.HEADER_CRC, RecordLayout.headerCrc(new CRC32C(), header.array()));
    return changed;
  }

  private RecordReader open() throws IOException {
    return RecordReader.open(disk, TestRecord.FILE, TestRecord.HEADER);
  }

  private static List<TestRecord> randomRecords(int count) {
    Random random = new Random(3);
    List<TestRecord> records = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      records.add(TestRecord.random(10 + random.nextInt(30), i + 1, random));
    }
    return records;
  }
}
