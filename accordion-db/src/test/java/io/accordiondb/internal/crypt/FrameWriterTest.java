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
import io.accordiondb.internal.storage.WrappingWriter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Appends of which some fail in the middle, and are tried again. */
class FrameWriterTest {
  private static final int APPENDS = 200;

  @Test
  void noNonceIsUsedTwiceAndNothingIsLost() throws IOException {
    MemoryStorage disk = new MemoryStorage();
    FaultyStorage failing = new FaultyStorage(disk);
    Storage storage = EncryptedStorage.over(failing, TestKeys.current("a"), name -> false);
    SplittableRandom random = new SplittableRandom(5);
    ByteBuffer written = ByteBuffer.allocate(64 << 10);
    try (StorageWriter file = storage.create("log")) {
      for (int i = 0; i < APPENDS; i++) {
        byte[] bytes = new byte[1 + random.nextInt(200)];
        random.nextBytes(bytes);
        if (random.nextInt(4) == 0) {
          failing.failOnce(Set.of(Operation.APPEND), 1);
        }
        append(file, bytes);
        written.put(bytes);
        assertThat(file.position()).isEqualTo(written.position());
      }
    }
    try (StorageReader file = storage.open("log")) {
      byte[] read = new byte[(int) file.size()];
      file.readFully(ByteBuffer.wrap(read), 0);
      assertThat(ByteBuffer.wrap(read)).isEqualTo(written.flip());
    }
    List<Long> numbers = numbersOf(disk);
    assertThat(numbers).hasSizeGreaterThan(APPENDS).doesNotHaveDuplicates();
  }

  /** Of other buffers the JDK makes copies outside the heap, where there may be no memory left. */
  @Test
  void everyAppendIsHandedOverFromOutsideTheHeap() throws IOException {
    MemoryStorage disk = new MemoryStorage();
    List<ByteBuffer> appended = new ArrayList<>();
    StorageWriter file =
        new WrappingWriter(disk.create("log")) {
          @Override
          public void append(ByteBuffer... buffers) throws IOException {
            appended.addAll(List.of(buffers));
            super.append(buffers);
          }
        };
    try (FrameWriter writer = new FrameWriter(file, new FrameCipher(new byte[32]), 7)) {
      writer.append(ByteBuffer.allocate(1), ByteBuffer.allocate(3 * Frame.BYTES_MAX + 1));
    }
    assertThat(appended).hasSize(5).allMatch(ByteBuffer::isDirect);
  }

  @Test
  void aFileWithoutItsHeaderIsDeleted() throws IOException {
    MemoryStorage disk = new MemoryStorage();
    FaultyStorage failing = new FaultyStorage(disk);
    Storage storage = EncryptedStorage.over(failing, TestKeys.current("a"), "table"::equals);
    storage.create("other").close();
    for (String name : List.of("log", "table")) {
      failing.failOnce(Set.of(Operation.APPEND), 1);
      assertThatIOException().isThrownBy(() -> storage.create(name));
      assertThat(disk.exists(name)).as(name).isFalse();
      storage.create(name).close();
    }
  }

  private static void append(StorageWriter file, byte[] bytes) throws IOException {
    long before = file.position();
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    try {
      file.append(buffer);
    } catch (IOException e) {
      assertThat(file.position()).isEqualTo(before);
      // Not what was to be appended: under the same nonce it would give the key stream away.
      file.append(ByteBuffer.wrap(bytes));
    }
  }

  /** Returns the numbers of all frames that were begun. */
  private static List<Long> numbersOf(MemoryStorage disk) throws IOException {
    List<Long> numbers = new ArrayList<>();
    try (StorageReader file = disk.open("log")) {
      EncryptionHeader header = EncryptionHeader.read(file, "log");
      assertThat(header).isNotNull();
      ByteBuffer all = ByteBuffer.allocate((int) file.size());
      file.readFully(all, 0);
      for (int at = header.bytes(); at + Frame.HEADER_BYTES <= all.capacity(); at++) {
        Frame frame = Frame.read(header.salt(), all, at, at);
        if (frame != null) {
          numbers.add(frame.number());
        }
      }
    }
    return numbers;
  }
}
