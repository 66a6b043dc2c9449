// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.crypt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.accordiondb.TestKeys;
import io.accordiondb.internal.storage.FaultyStorage;
import io.accordiondb.internal.storage.FaultyStorage.Operation;
import io.accordiondb.internal.storage.MemoryStorage;
import io.accordiondb.internal.storage.Storage;
import io.accordiondb.internal.storage.StorageReader;
import io.accordiondb.internal.storage.StorageWriter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Files whose frames somebody else has changed, who needs no key for their headers. */
class FrameIndexTest {
  private static final int BYTES = 100;
  private static final byte FILLER = (byte) 0xA5;

  private final MemoryStorage disk = new MemoryStorage();

  /** Writes a file of three frames. */
  private Storage write() throws IOException {
    Storage storage = EncryptedStorage.over(disk, TestKeys.current("a"), name -> false);
    try (StorageWriter file = storage.create("log")) {
      for (int i = 0; i < 3; i++) {
        file.append(ByteBuffer.allocate(BYTES));
      }
    }
    return storage;
  }

  /** Changes what a frame states. */
  private void change(int number, long start, int length) throws IOException {
    EncryptionHeader header;
    try (StorageReader file = disk.open("log")) {
      header = EncryptionHeader.read(file, "log");
    }
    assertThat(header).isNotNull();
    byte[] bytes = disk.bytes("log");
    int at = header.bytes() + number * (Frame.HEADER_BYTES + BYTES + FrameCipher.TAG_BYTES);
    new Frame(start, length, number, at)
        .putHeader(header.salt(), ByteBuffer.wrap(bytes).position(at));
    disk.setBytes("log", bytes);
  }

  private byte[] content(Storage storage) throws IOException {
    try (StorageReader file = storage.open("log")) {
      assertThat(file.size()).isLessThanOrEqualTo(disk.bytes("log").length);
      byte[] content = new byte[(int) file.size()];
      file.readFully(ByteBuffer.wrap(content), 0);
      return content;
    }
  }

  @Test
  void offsetsThatNoWriterStatesAreRefused() throws IOException {
    for (long start : new long[] {-1, Long.MIN_VALUE, Long.MAX_VALUE, 1L << 40}) {
      disk.list("").forEach(this::delete);
      Storage storage = write();
      change(2, start, BYTES);
      byte[] content = content(storage);
      assertThat(content).hasSize(3 * BYTES);
      assertThat(content[2 * BYTES - 1]).isZero();
      assertThat(content[2 * BYTES]).isEqualTo(FILLER);
    }
  }

  /** Each frame has the longest content, and the next one begins within it. */
  @Test
  @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void aFileOfFramesWithinFramesIsNotDecipheredManyTimes() throws IOException {
    Storage storage = write();
    EncryptionHeader header;
    try (StorageReader file = disk.open("log")) {
      header = EncryptionHeader.read(file, "log");
    }
    assertThat(header).isNotNull();
    ByteBuffer bytes = ByteBuffer.allocate(16 << 20);
    bytes.put(disk.bytes("log"), 0, header.bytes());
    while (bytes.remaining() > Frame.SEALED_BYTES_MAX) {
      new Frame(0, Frame.BYTES_MAX, 1, bytes.position()).putHeader(header.salt(), bytes);
    }
    disk.setBytes("log", bytes.array());
    try (StorageReader file = storage.open("log")) {
      assertThat(file.size()).isPositive();
    }
  }

  /** The file does not grow any more, so nothing else makes a reader look again. */
  @Test
  void aReadThatFailsOnceHidesNoFrame() throws IOException {
    write();
    FaultyStorage faulty = new FaultyStorage(disk);
    Storage storage = EncryptedStorage.over(faulty, TestKeys.current("a"), name -> false);
    try (StorageReader file = storage.open("log")) {
      faulty.failOnce(Set.of(Operation.READ), 1);
      assertThatIOException().isThrownBy(file::size);
      assertThat(file.size()).isEqualTo(3 * BYTES);
    }
  }

  private void delete(String name) {
    try {
      disk.delete(name);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aFrameWithinAnotherOneReplacesIt() throws IOException {
    Storage storage = write();
    change(1, BYTES / 2, 10);
    change(2, BYTES / 2 + 10, BYTES);
    byte[] content = content(storage);
    assertThat(content).hasSize(BYTES / 2 + 10 + BYTES);
    for (int i = 0; i < content.length; i++) {
      assertThat(content[i]).as("byte %d", i).isEqualTo(i < BYTES / 2 + 10 ? FILLER : 0);
    }
  }
}
