// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.storage;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.accordiondb.DatabaseLockedException;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What every storage does. */
abstract class StorageContract {
  private Storage storage;

  /** Returns a storage with nothing in it. */
  abstract Storage newStorage() throws IOException;

  @BeforeEach
  void create() throws IOException {
    storage = newStorage();
  }

  @Test
  void fileHoldsWhatWasAppended() throws IOException {
    try (StorageWriter writer = storage.create("f")) {
      ByteBuffer first = buffer("one ");
      ByteBuffer second = ByteBuffer.allocateDirect(4).put(buffer("two ")).flip();
      writer.append(first, second);
      assertThat(first.hasRemaining() || second.hasRemaining()).isFalse();
      assertThat(writer.position()).isEqualTo(8);
      writer.append(buffer("-three-").position(1).limit(6));
      assertThat(writer.position()).isEqualTo(13);
      writer.sync();
    }
    assertThat(read("f")).isEqualTo("one two three");
    assertThat(storage.size("f")).isEqualTo(13);
  }

  @Test
  void largeBuffersAreWrittenAndReadWhole() throws IOException {
    byte[] bytes = new byte[1_000_003];
    new Random(1).nextBytes(bytes);
    try (StorageWriter writer = storage.create("f")) {
      writer.append(ByteBuffer.wrap(bytes));
      writer.append(ByteBuffer.allocateDirect(bytes.length).put(bytes).flip());
    }
    try (StorageReader reader = storage.open("f")) {
      assertThat(reader.size()).isEqualTo(2L * bytes.length);
      ByteBuffer heap = ByteBuffer.allocate(bytes.length);
      reader.readFully(heap, bytes.length);
      assertThat(heap.array()).isEqualTo(bytes);
      ByteBuffer direct = ByteBuffer.allocateDirect(bytes.length);
      reader.readFully(direct, 0);
      assertThat(direct.flip()).isEqualTo(ByteBuffer.wrap(bytes));
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1000, 2_000_000, 4_000_000})
  void filledFileHoldsWhatWasAppended(long announced) throws IOException {
    byte[] bytes = new byte[1_500_007];
    new Random(2).nextBytes(bytes);
    StorageWriter writer = storage.createFilled("f", announced);
    assertThatThrownBy(() -> storage.createFilled("f", 1000))
        .isInstanceOf(FileAlreadyExistsException.class);
    Thread.currentThread().interrupt();
    writer.append(
        ByteBuffer.wrap(bytes), ByteBuffer.allocateDirect(bytes.length).put(bytes).flip());
    assertThat(Thread.interrupted()).as("still interrupted").isTrue();
    assertThat(writer.position()).isEqualTo(2L * bytes.length);
    assertThat(storage.size("f")).isGreaterThanOrEqualTo(2L * bytes.length);
    writer.sync();
    writer.close();
    assertThatThrownBy(() -> writer.append(buffer("x"))).isInstanceOf(ClosedChannelException.class);
    try (StorageReader reader = storage.open("f")) {
      assertThat(reader.size()).isEqualTo(2L * bytes.length);
      for (int half = 0; half < 2; half++) {
        ByteBuffer found = ByteBuffer.allocate(bytes.length);
        reader.readFully(found, (long) half * bytes.length);
        assertThat(found.array()).isEqualTo(bytes);
      }
    }
  }

  @Test
  void readFillsExactlyWhatRemainsOfTheBuffer() throws IOException {
    write("f", "0123456789");
    try (StorageReader reader = storage.open("f")) {
      ByteBuffer target = buffer("......").position(1).limit(4);
      reader.readFully(target, 5);
      assertThat(target.position()).isEqualTo(4);
      assertThat(new String(target.array(), UTF_8)).isEqualTo(".567..");
    }
  }

  @Test
  void readBehindTheEndFails() throws IOException {
    write("f", "0123456789");
    try (StorageReader reader = storage.open("f")) {
      assertThatThrownBy(() -> reader.readFully(ByteBuffer.allocate(5), 6))
          .isInstanceOf(EOFException.class);
      reader.readFully(ByteBuffer.allocate(0), 10);
      reader.readFully(ByteBuffer.allocate(4), 6);
    }
  }

  @Test
  void readerSeesWhatIsAppendedMeanwhile() throws IOException {
    try (StorageWriter writer = storage.create("f");
        StorageReader reader = storage.open("f")) {
      assertThat(reader.size()).isZero();
      writer.append(buffer("ab"));
      assertThat(reader.size()).isEqualTo(2);
      ByteBuffer target = ByteBuffer.allocate(2);
      reader.readFully(target, 0);
      assertThat(target.array()).isEqualTo(new byte[] {'a', 'b'});
    }
  }

  @Test
  void createRefusesANameThatIsTaken() throws IOException {
    write("f", "x");
    assertThatThrownBy(() -> storage.create("f")).isInstanceOf(FileAlreadyExistsException.class);
    assertThat(read("f")).isEqualTo("x");
  }

  @Test
  void whatIsMissingIsReported() {
    for (ThrowingName action :
        List.<ThrowingName>of(
            name -> storage.open(name).close(),
            name -> storage.size(name),
            name -> storage.delete(name),
            name -> storage.sync(name),
            name -> storage.rename(name, "other"),
            name -> storage.list(name),
            name -> storage.syncDirectory(name),
            name -> storage.create(name + "/f"))) {
      assertThatThrownBy(() -> action.accept("missing")).isInstanceOf(NoSuchFileException.class);
    }
  }

  @Test
  void namesThatLeadOutAreRefused() {
    assertThatThrownBy(() -> storage.create("../f")).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> storage.path("a/../../f"))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void namesAreListedInOrder() throws IOException {
    storage.createDirectories("d/e");
    for (String name : List.of("d/b", "d/a", "d/c", "f")) {
      write(name, "x");
    }
    assertThat(storage.list("d")).containsExactly("a", "b", "c", "e");
    assertThat(storage.list("")).containsExactly("d", "f");
    assertThat(storage.list("d/e")).isEmpty();
    assertThat(storage.isDirectory("d/e")).isTrue();
    assertThat(storage.isDirectory("d/a")).isFalse();
    assertThat(storage.isDirectory("d/z")).isFalse();
    assertThat(storage.exists("d")).isTrue();
    assertThat(storage.exists("d/a")).isTrue();
    assertThat(storage.exists("d/z")).isFalse();
  }

  @Test
  void directoriesMayExist() throws IOException {
    storage.createDirectories("d");
    write("d/f", "x");
    storage.createDirectories("d");
    storage.createDirectories("d/e");
    assertThat(read("d/f")).isEqualTo("x");
  }

  @Test
  void renameTakesThePlaceOfAFile() throws IOException {
    write("new", "new");
    write("old", "old");
    storage.rename("new", "old");
    assertThat(read("old")).isEqualTo("new");
    assertThat(storage.list("")).containsExactly("old");
    storage.rename("old", "free");
    assertThat(read("free")).isEqualTo("new");
  }

  @Test
  void deletedFileStaysReadableForWhoHasItOpen() throws IOException {
    write("f", "text");
    try (StorageReader reader = storage.open("f")) {
      storage.delete("f");
      assertThat(storage.exists("f")).isFalse();
      ByteBuffer target = ByteBuffer.allocate(4);
      reader.readFully(target, 0);
      assertThat(new String(target.array(), UTF_8)).isEqualTo("text");
    }
    write("f", "another");
    assertThat(read("f")).isEqualTo("another");
  }

  @Test
  void syncsDoNoHarm() throws IOException {
    storage.createDirectories("d");
    write("d/f", "x");
    storage.sync("d/f");
    storage.syncDirectory("d");
    storage.syncDirectory("");
    assertThat(read("d/f")).isEqualTo("x");
    assertThat(storage.availableBytes()).isPositive();
  }

  @Test
  void closedFilesAreRefused() throws IOException {
    StorageWriter writer = storage.create("f");
    writer.append(buffer("x"));
    writer.close();
    writer.close();
    assertThatThrownBy(() -> writer.append(buffer("y"))).isInstanceOf(ClosedChannelException.class);
    assertThatThrownBy(writer::sync).isInstanceOf(ClosedChannelException.class);
    StorageReader reader = storage.open("f");
    reader.close();
    reader.close();
    assertThatThrownBy(() -> reader.readFully(ByteBuffer.allocate(1), 0))
        .isInstanceOf(ClosedChannelException.class);
    assertThat(read("f")).isEqualTo("x");
  }

  @Test
  void onlyOneHoldsTheLock() throws IOException {
    Closeable lock = storage.lock("LOCK");
    assertThatThrownBy(() -> storage.lock("LOCK"))
        .isInstanceOf(DatabaseLockedException.class)
        .hasMessageContaining(storage.path(""))
        .hasMessageContaining("in this process");
    lock.close();
    try (Closeable next = storage.lock("LOCK")) {
      lock.close();
      assertThatThrownBy(() -> storage.lock("LOCK")).isInstanceOf(DatabaseLockedException.class);
    }
  }

  @Test
  void interruptedThreadReadsAndWritesOn() throws IOException {
    Thread.currentThread().interrupt();
    try (StorageWriter writer = storage.create("f");
        StorageReader reader = storage.open("f")) {
      writer.append(buffer("text"));
      writer.sync();
      storage.syncDirectory("");
      ByteBuffer target = ByteBuffer.allocate(4);
      reader.readFully(target, 0);
      assertThat(new String(target.array(), UTF_8)).isEqualTo("text");
      assertThat(Thread.currentThread().isInterrupted()).isTrue();
    } finally {
      assertThat(Thread.interrupted()).isTrue();
    }
  }

  @Test
  void manyThreadsReadAtOnce() throws Exception {
    byte[] bytes = new byte[1 << 16];
    new Random(2).nextBytes(bytes);
    try (StorageWriter writer = storage.create("f")) {
      writer.append(ByteBuffer.wrap(bytes));
    }
    ExecutorService executor = Executors.newFixedThreadPool(4);
    try (StorageReader reader = storage.open("f")) {
      List<Future<?>> results = new ArrayList<>();
      for (int seed = 0; seed < 4; seed++) {
        Random random = new Random(seed);
        results.add(
            executor.submit(
                () -> {
                  for (int i = 0; i < 500; i++) {
                    int from = random.nextInt(bytes.length);
                    ByteBuffer target = ByteBuffer.allocate(random.nextInt(bytes.length - from));
                    reader.readFully(target, from);
                    assertThat(target.flip())
                        .isEqualTo(ByteBuffer.wrap(bytes, from, target.capacity()));
                  }
                  return null;
                }));
      }
      for (Future<?> result : results) {
        result.get();
      }
    } finally {
      executor.shutdownNow();
    }
  }

  private interface ThrowingName {
    void accept(String name) throws IOException;
  }

  private void write(String name, String text) throws IOException {
    try (StorageWriter writer = storage.create(name)) {
      writer.append(buffer(text));
    }
  }

  private String read(String name) throws IOException {
    try (StorageReader reader = storage.open(name)) {
      ByteBuffer target = ByteBuffer.allocate((int) reader.size());
      reader.readFully(target, 0);
      return new String(target.array(), UTF_8);
    }
  }

  private static ByteBuffer buffer(String text) {
    return ByteBuffer.wrap(text.getBytes(UTF_8));
  }
}
