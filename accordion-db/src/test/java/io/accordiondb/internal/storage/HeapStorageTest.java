// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.accordiondb.DatabaseLockedException;
import io.accordiondb.fixtures.TestThread;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files in the heap. */
class HeapStorageTest {
  private final HeapStorage storage = new HeapStorage();

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void holdsWhatWasAppended(long seed) throws IOException {
    Random random = new Random(seed);
    byte[] expected = new byte[1 + random.nextInt(400_000)];
    random.nextBytes(expected);
    try (StorageWriter writer = storage.create("f")) {
      int at = 0;
      while (at < expected.length) {
        int count = Math.min(expected.length - at, random.nextInt(1 << random.nextInt(18)));
        writer.append(
            ByteBuffer.wrap(expected, at, count / 2),
            ByteBuffer.wrap(expected, at + count / 2, count - count / 2));
        at += count;
        assertThat(writer.position()).isEqualTo(at);
      }
    }
    try (StorageReader reader = storage.open("f")) {
      for (int i = 0; i < 200; i++) {
        int from = random.nextInt(expected.length);
        ByteBuffer read = ByteBuffer.allocate(random.nextInt(expected.length - from + 1));
        reader.readFully(read, from);
        assertThat(read.array())
            .isEqualTo(Arrays.copyOfRange(expected, from, from + read.capacity()));
      }
      assertThatThrownBy(() -> reader.readFully(ByteBuffer.allocate(2), expected.length - 1))
          .isInstanceOf(EOFException.class);
    }
  }

  @Test
  void namesBehaveAsInAFolder() throws IOException {
    assertThatThrownBy(() -> storage.create("d/f")).isInstanceOf(NoSuchFileException.class);
    storage.createDirectories("d/e");
    storage.create("d/f").append(ByteBuffer.wrap(new byte[3]));
    storage.create("d/e/g").close();
    assertThat(storage.list("")).containsExactly("d");
    assertThat(storage.list("d")).containsExactly("e", "f");
    assertThat(storage.isDirectory("d")).isTrue();
    assertThat(storage.size("d/f")).isEqualTo(3);
    assertThatThrownBy(() -> storage.create("d/f")).isInstanceOf(FileAlreadyExistsException.class);
    storage.rename("d/f", "d/e/g");
    assertThat(storage.size("d/e/g")).isEqualTo(3);
    assertThatThrownBy(() -> storage.open("d/f")).isInstanceOf(NoSuchFileException.class);
    assertThatThrownBy(() -> storage.list("x")).isInstanceOf(NoSuchFileException.class);
    assertThatThrownBy(() -> storage.delete("d")).isInstanceOf(NoSuchFileException.class);
    assertThatThrownBy(() -> storage.createDirectories("d/e/g/h"))
        .isInstanceOf(FileAlreadyExistsException.class);
  }

  @Test
  void aDeletedFileCanBeReadUntilItsReaderIsClosed() throws IOException {
    storage.create("f").append(ByteBuffer.wrap(new byte[] {7}));
    StorageReader reader = storage.open("f");
    storage.delete("f");
    assertThat(storage.totalBytes()).isZero();
    ByteBuffer target = ByteBuffer.allocate(1);
    reader.readFully(target, 0);
    assertThat(target.get(0)).isEqualTo((byte) 7);
    reader.close();
    assertThatThrownBy(() -> reader.readFully(ByteBuffer.allocate(1), 0))
        .isInstanceOf(ClosedChannelException.class);
  }

  @Test
  void theEndOfTheLockIsTheEndOfTheFiles() throws IOException {
    Closeable lock = storage.lock("LOCK");
    assertThatThrownBy(() -> storage.lock("LOCK")).isInstanceOf(DatabaseLockedException.class);
    StorageWriter writer = storage.create("f");
    writer.append(ByteBuffer.wrap(new byte[100_000]));
    StorageReader reader = storage.open("f");
    lock.close();
    assertThat(storage.list("")).isEmpty();
    assertThatThrownBy(() -> reader.readFully(ByteBuffer.allocate(1), 0))
        .isInstanceOf(ClosedChannelException.class);
    assertThatThrownBy(() -> writer.append(ByteBuffer.allocate(1)))
        .isInstanceOf(ClosedChannelException.class);
  }

  @Test
  void readersSeeWholeAppendsWhileTheFileGrows() throws Exception {
    StorageWriter writer = storage.create("f");
    StorageReader reader = storage.open("f");
    int rounds = 40_000;
    TestThread reading =
        TestThread.start(
            "reading",
            () -> {
              ByteBuffer target = ByteBuffer.allocate(Long.BYTES);
              for (long size = 0; size < (long) rounds * Long.BYTES; size = reader.size()) {
                if (size > 0) {
                  target.clear();
                  reader.readFully(target, size - Long.BYTES);
                  assertThat(target.getLong(0)).isEqualTo(size);
                }
              }
            });
    for (int i = 1; i <= rounds; i++) {
      writer.append(ByteBuffer.allocate(Long.BYTES).putLong(0, (long) i * Long.BYTES));
    }
    reading.join();
  }
}
