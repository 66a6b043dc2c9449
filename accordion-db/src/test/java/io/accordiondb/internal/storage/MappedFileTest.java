// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.accordiondb.fixtures.Mount;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(value = 1, unit = TimeUnit.MINUTES)
class MappedFileTest {
  private static final int BYTES = 5 << 20;

  @TempDir Path folder;

  private MappedFile open(Path path, Executor ahead) throws IOException {
    return open(path, BYTES, ahead);
  }

  private MappedFile open(Path path, long announcedBytes, Executor ahead) throws IOException {
    assumeThat(MappingSupport.isGiven(folder)).as("files may be mapped").isTrue();
    PositionalFile file =
        PositionalFile.open(path, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE));
    return new MappedFile(path, file, announcedBytes, () -> {}, ahead);
  }

  /** Appends random bytes, and returns them. */
  private static byte[] fill(MappedFile file) throws IOException {
    return fill(file, BYTES);
  }

  private static byte[] fill(MappedFile file, int length) throws IOException {
    SplittableRandom random = new SplittableRandom(1);
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    for (int from = 0; from < length; ) {
      int to = Math.min(length, from + random.nextInt(100_000));
      file.append(ByteBuffer.wrap(bytes, from, to - from));
      from = to;
    }
    return bytes;
  }

  /** An error while the class is initialized would last as long as the process. */
  @Test
  void theZerosAreOnTheHeapIfThereIsNoOtherMemory() {
    ByteBuffer zeros =
        MappedFile.zeros(
            bytes -> {
              throw new OutOfMemoryError("injected");
            });
    assertThat(zeros).isEqualTo(MappedFile.zeros(ByteBuffer::allocateDirect));
  }

  @Test
  void withoutAThreadPiecesArePreparedByTheCaller() throws IOException {
    AtomicInteger asked = new AtomicInteger();
    Executor refusing =
        task -> {
          if (asked.incrementAndGet() % 2 == 0) {
            throw new RejectedExecutionException("injected");
          }
          throw new OutOfMemoryError("unable to create native thread");
        };
    Path path = folder.resolve("f");
    byte[] bytes;
    try (MappedFile file = open(path, refusing)) {
      bytes = fill(file);
      file.sync();
      assertThat(file.position()).isEqualTo(BYTES);
    }
    // Twice for each piece, not for each append.
    assertThat(asked.get()).isBetween(2, 2 * (BYTES >> 20));
    assertThat(Files.readAllBytes(path)).isEqualTo(bytes);
  }

  /** Several pieces are asked for at a time, so any of them may be there without the others. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void somePiecesArePreparedByTheCaller(int refused) throws IOException {
    AtomicInteger asked = new AtomicInteger();
    Executor refusing =
        task -> {
          if (asked.getAndIncrement() % 3 == refused) {
            throw new RejectedExecutionException("injected");
          }
          task.run();
        };
    Path path = folder.resolve("f");
    byte[] bytes;
    try (MappedFile file = open(path, refusing)) {
      bytes = fill(file);
    }
    assertThat(asked.get()).as("mapped and unmapped").isEqualTo(2 * ((BYTES >> 20) - 1));
    assertThat(Files.readAllBytes(path)).isEqualTo(bytes);
  }

  @Test
  void theCallerPreparesOnlyTheFirstPieceAndTheFirstBeyondTheAnnouncedLength() throws IOException {
    int appendBytes = 1 << 18;
    List<Runnable> asked = new ArrayList<>();
    List<Integer> preparedAt = new ArrayList<>();
    Path path = folder.resolve("f");
    try (MappedFile file = open(path, asked::add)) {
      for (int at = 0; at < 2 * BYTES; at += appendBytes) {
        long before = Files.size(path);
        file.append(ByteBuffer.allocate(appendBytes));
        if (Files.size(path) > before) {
          preparedAt.add(at);
        }
        while (!asked.isEmpty()) {
          asked.remove(0).run();
        }
      }
    }
    assertThat(preparedAt).containsExactly(0, BYTES);
    assertThat(path).hasSize(2 * BYTES);
  }

  @Test
  void aFileThatBecomesLongerThanAnnouncedIsWhole() throws IOException {
    ExecutorService threads = Executors.newCachedThreadPool();
    try {
      Path path = folder.resolve("f");
      byte[] bytes;
      try (MappedFile file = open(path, threads)) {
        bytes = fill(file, 4 * BYTES);
      }
      assertThat(Files.readAllBytes(path)).isEqualTo(bytes);
    } finally {
      threads.shutdown();
    }
  }

  @Test
  void ofAShortFileNoMoreThanAPieceIsPreparedBeyondTheNeed() throws IOException {
    Path path = folder.resolve("f");
    try (MappedFile file = open(path, 4_096, Runnable::run)) {
      file.append(ByteBuffer.allocate(900_000));
      assertThat(path).hasSize(1 << 20);
      file.append(ByteBuffer.allocate(300_000));
      assertThat(path).hasSize(3 << 20);
    }
    assertThat(path).hasSize(1_200_000);
  }

  @Test
  void piecesThatWereAskedForAreClosedWithTheFile() throws IOException {
    Path path = folder.resolve("f");
    AtomicInteger asked = new AtomicInteger();
    try (MappedFile file =
        open(
            path,
            task -> {
              asked.incrementAndGet();
              task.run();
            })) {
      file.append(ByteBuffer.wrap(new byte[100]));
      assertThat(asked).as("for a file of little data").hasValue(0);
      file.append(ByteBuffer.wrap(new byte[300_000]));
      assertThat(asked).hasValue(3);
      assertThat(Files.size(path)).isEqualTo(4 << 20);
    }
    assertThat(path).hasSize(300_100);
  }

  @Test
  void aThreadThatFailsToPrepareAPieceDoesNoHarm() throws IOException {
    Executor failing =
        task -> {
          // Interrupted threads fill and map on.
          Thread.currentThread().interrupt();
          task.run();
          Thread.interrupted();
        };
    Path path = folder.resolve("f");
    byte[] bytes;
    try (MappedFile file = open(path, failing)) {
      bytes = fill(file);
    }
    assertThat(Files.readAllBytes(path)).isEqualTo(bytes);
  }

  @Test
  void afterABrokenAppendNoBytesAreTaken() throws IOException {
    Path path = folder.resolve("f");
    MappedFile file = open(path, Runnable::run);
    byte[] first = {1, 2, 3};
    file.append(ByteBuffer.wrap(first));
    // The second buffer is missing, as if an error came between two of its bytes.
    assertThat(catchThrowable(() -> file.append(ByteBuffer.wrap(new byte[] {4}), null)))
        .isInstanceOf(NullPointerException.class);
    for (int i = 0; i < 3; i++) {
      assertThatIOException().isThrownBy(() -> file.append(ByteBuffer.wrap(new byte[] {5})));
    }
    file.close();
    assertThat(Files.readAllBytes(path)).startsWith(first).hasSizeLessThanOrEqualTo(4);
  }

  /**
   * Pages that are not there any more stand for those that the device refuses. The JVM may report
   * the fault much later, so the append has to notice it; and when the JVM does, the error may come
   * anywhere in the thread, which is why it is one of its own.
   */
  @ParameterizedTest
  @CsvSource({"1,true", "1,false", "20000,true", "20000,false"})
  void aStoreThatTheDeviceRefusesFailsTheAppend(int appendsBefore, boolean direct)
      throws Exception {
    Path path = folder.resolve("f");
    MappedFile file = open(path, Runnable::run);
    AtomicInteger appended = new AtomicInteger();
    Thread thread =
        new Thread(
            () -> {
              try {
                ByteBuffer bytes =
                    direct ? ByteBuffer.allocateDirect(100) : ByteBuffer.allocate(100);
                bytes.put(0, (byte) 1).put(99, (byte) 1);
                for (int i = 0; i < appendsBefore; i++) {
                  file.append(bytes.clear());
                }
                try (FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE)) {
                  channel.truncate(0);
                }
                for (int i = 0; i < 10; i++) {
                  try {
                    file.append(bytes.clear());
                    appended.incrementAndGet();
                  } catch (IOException | InternalError e) {
                    bytes.clear();
                  }
                }
              } catch (IOException | InternalError e) {
                return;
              }
            });
    thread.setUncaughtExceptionHandler((failed, e) -> {});
    thread.start();
    thread.join();
    assertThat(appended).as("appends that succeeded without pages").hasValue(0);
    file.close();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 7, 4096, 4097, 70_000})
  void zerosAreAppended(int bytes) throws IOException {
    Path path = folder.resolve("f");
    byte[] expected = new byte[3 * bytes];
    try (MappedFile file = open(path, Runnable::run)) {
      for (int i = 0; i < 3; i++) {
        expected[(i + 1) * bytes - 1] = (byte) i;
        file.append(ByteBuffer.wrap(expected, i * bytes, bytes));
      }
    }
    assertThat(Files.readAllBytes(path)).isEqualTo(expected);
  }

  @Test
  void filesAreMappedWhereTheyAreOverwrittenInPlace() {
    for (String type : new String[] {"ext4", "xfs", "tmpfs"}) {
      assertThat(MappingSupport.isGiven("Linux", type)).as(type).isTrue();
      assertThat(MappingSupport.isGiven("Mac OS X", type)).as(type).isFalse();
      assertThat(MappingSupport.isGiven("Windows 11", type)).as(type).isFalse();
    }
    for (String type :
        new String[] {
          "btrfs", "zfs", "bcachefs", "overlay", "nfs", "nfs4", "cifs", "fuse.sshfs", "9p", "apfs"
        }) {
      assertThat(MappingSupport.isGiven("Linux", type)).as(type).isFalse();
    }
  }

  @Test
  void whereFilesAreNotMappedTheyAreAppendedToPlainly() throws Exception {
    Path layers = Files.createDirectory(folder.resolve("layers"));
    try (Mount above = Mount.of("-t", "tmpfs", "tmpfs", layers.toString())) {
      assertThat(above).isNotNull();
      Path merged = Files.createDirectory(layers.resolve("merged"));
      String options =
          "lowerdir=%s,upperdir=%s,workdir=%s"
              .formatted(
                  Files.createDirectory(layers.resolve("lower")),
                  Files.createDirectory(layers.resolve("upper")),
                  Files.createDirectory(layers.resolve("work")));
      try (Mount overlay = Mount.of("-t", "overlay", "overlay", "-o", options, merged.toString())) {
        assertThat(overlay).isNotNull();
        try (StorageWriter file = new FileStorage(merged).createFilled("f", BYTES)) {
          file.append(ByteBuffer.wrap(new byte[10]));
          assertThat(merged.resolve("f")).hasSize(10);
        }
      }
    }
  }
}
