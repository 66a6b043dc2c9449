// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.accordiondb.fixtures.TestThread;
import java.io.EOFException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(value = 1, unit = TimeUnit.MINUTES)
class MappedReaderTest {
  private static final int PAGE_BYTES = 4096;

  @TempDir private Path folder;

  private Path path;
  private byte[] bytes;

  private MappedReader open(int length, int pieceBytes) throws IOException {
    path = folder.resolve("f");
    bytes = new byte[length];
    new SplittableRandom(length).nextBytes(bytes);
    Files.write(path, bytes);
    return MappedReader.open(path, pieceBytes);
  }

  @ParameterizedTest
  @CsvSource({"4096, 4096", "4097, 4096", "100000, 8192", "100000, 1073741824"})
  void everyRangeIsReadAsItIs(int length, int pieceBytes) throws IOException {
    SplittableRandom random = new SplittableRandom(1);
    try (MappedReader reader = open(length, pieceBytes)) {
      assertThat(reader.size()).isEqualTo(length);
      for (int i = 0; i < 2_000; i++) {
        int from = random.nextInt(length + 1);
        int to = from + random.nextInt(Math.min(length - from, 10_000) + 1);
        ByteBuffer target = i % 2 == 0 ? ByteBuffer.allocate(20_000) : direct();
        target.position(17).limit(17 + to - from);
        reader.readFully(target, from);
        byte[] read = new byte[to - from];
        target.get(17, read);
        assertThat(target.hasRemaining()).isFalse();
        assertThat(read).isEqualTo(Arrays.copyOfRange(bytes, from, to));
      }
    }
  }

  private static ByteBuffer direct() {
    return ByteBuffer.allocateDirect(20_000);
  }

  @Test
  void theLastPageOfTheLongestMappingIsRead() throws IOException {
    path = folder.resolve("f");
    long length = 2L * MappedReader.PIECE_BYTES - 1;
    try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
      file.setLength(length);
      file.seek(length - 1);
      file.write(7);
    }
    try (MappedReader reader = MappedReader.open(path, MappedReader.PIECE_BYTES)) {
      ByteBuffer target = ByteBuffer.allocate(5_000);
      reader.readFully(target, length - 5_000);
      assertThat(target.get(4_999)).isEqualTo((byte) 7);
    }
  }

  /** Pages that begin with what the reader marks them with are read all the same. */
  @Test
  void pagesThatBeginWithTheMarkAreRead() throws IOException {
    path = folder.resolve("f");
    ByteBuffer marks = ByteBuffer.allocate(3 * PAGE_BYTES);
    while (marks.hasRemaining()) {
      marks.putLong(MappedReader.MARK);
    }
    Files.write(path, marks.array());
    try (MappedReader reader = MappedReader.open(path, MappedReader.PIECE_BYTES)) {
      ByteBuffer target = ByteBuffer.allocate(2 * PAGE_BYTES);
      reader.readFully(target, 8);
      assertThat(target.array()).isEqualTo(Arrays.copyOf(marks.array(), 2 * PAGE_BYTES));
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {9_001, 10_000, Long.MAX_VALUE})
  void nothingIsReadBeyondTheEnd(long position) throws IOException {
    try (MappedReader reader = open(10_000, MappedReader.PIECE_BYTES)) {
      assertThatExceptionOfType(EOFException.class)
          .isThrownBy(() -> reader.readFully(ByteBuffer.allocate(1_000), position))
          .withMessageContaining(path.toString());
    }
  }

  @Test
  void anInterruptedThreadOpensAndReads() throws IOException {
    Thread.currentThread().interrupt();
    try (MappedReader reader = open(10_000, MappedReader.PIECE_BYTES)) {
      reader.readFully(ByteBuffer.allocate(1_000), 0);
      assertThat(Thread.interrupted()).isTrue();
    }
  }

  @Test
  void nothingIsReadOnceItIsClosed() throws IOException {
    MappedReader reader = open(10_000, MappedReader.PIECE_BYTES);
    reader.close();
    assertThatExceptionOfType(ClosedChannelException.class)
        .isThrownBy(() -> reader.readFully(ByteBuffer.allocate(1_000), 0));
  }

  /**
   * A file that has lost its pages is as good as a device that cannot read them. The first reads
   * are interpreted, the later ones compiled; other threads are disturbed by none.
   */
  @ParameterizedTest
  @CsvSource({"0, false", "0, true", "30000, false", "30000, true"})
  void aPageThatCannotBeReadIsAnErrorThatNamesFileAndOffset(int readsBefore, boolean isDirect)
      throws Exception {
    MappedReader reader = open(20 * PAGE_BYTES, MappedReader.PIECE_BYTES);
    TestThread thread =
        TestThread.start(
            "reading",
            () -> {
              ByteBuffer target = isDirect ? direct() : ByteBuffer.allocate(20_000);
              for (int i = 0; i < readsBefore; i++) {
                reader.readFully(target.clear().limit(3_000), 5_000);
              }
              try (FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE)) {
                channel.truncate(2 * PAGE_BYTES);
              }
              for (int i = 0; i < 100; i++) {
                checkFailure(reader, target.clear().limit(1 + i * 150), 5_000 + i * 500);
              }
            });
    thread.join();
    reader.close();
  }

  /** The target reaches beyond the second page, or lies behind it. */
  private void checkFailure(MappedReader reader, ByteBuffer target, long position)
      throws IOException {
    if (position + target.limit() <= 2 * PAGE_BYTES) {
      reader.readFully(target, position);
      return;
    }
    assertThatIOException()
        .isThrownBy(() -> reader.readFully(target, position))
        .withMessageContaining(path + " cannot be read at offset ");
  }
}
