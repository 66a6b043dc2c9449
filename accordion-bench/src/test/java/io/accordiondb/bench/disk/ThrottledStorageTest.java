// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.bench.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.accordiondb.Database;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.KeyValueStore;
import io.accordiondb.internal.storage.FileStorage;
import io.accordiondb.internal.storage.Storage;
import io.accordiondb.internal.storage.StorageReader;
import io.accordiondb.internal.storage.StorageWriter;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The simulated disk, by a clock that only waiting moves. */
class ThrottledStorageTest {
  private static final long MILLI = 1_000_000;
  private static final long BUFFER = DiskModel.BUFFER_NANOS;

  /** A megabyte a second, so that a thousand bytes take a millisecond; seeks take 8 ms. */
  private static final SimulatedDisk DISK = new SimulatedDisk(1_000_000, Duration.ofMillis(8));

  private final WaitedTime time = new WaitedTime();

  @TempDir Path folder;
  private Storage below;
  private Storage storage;

  /** Moves by what is waited. */
  private static final class WaitedTime implements ThrottledStorage.Time {
    private final AtomicLong now = new AtomicLong();

    @Override
    public long nanos() {
      return now.get();
    }

    @Override
    public void awaitNanos(long nanos) {
      long unused = now.accumulateAndGet(nanos, Math::max);
    }
  }

  @BeforeEach
  void create() throws IOException {
    below = new FileStorage(folder);
    storage = new ThrottledStorage(below, DISK, time);
  }

  private StorageWriter write(String name, int bytes) throws IOException {
    StorageWriter writer = storage.create(name);
    writer.append(ByteBuffer.allocate(bytes));
    return writer;
  }

  @Test
  void writersWaitWhenTheBufferIsFull() throws IOException {
    write("a", 400_000);
    assertThat(time.nanos()).isZero();
    write("b", 300_000);
    assertThat(time.nanos()).isEqualTo(700 * MILLI - BUFFER);
    time.now.set(1_000 * MILLI);
    write("c", 500_000);
    assertThat(time.nanos()).as("the buffer was empty").isEqualTo(1_000 * MILLI);
  }

  @Test
  void forcingWaitsForTheBufferAndASeek() throws IOException {
    StorageWriter writer = write("a", 100_000);
    writer.sync();
    assertThat(time.nanos()).isEqualTo(108 * MILLI);
    storage.syncDirectory("");
    storage.sync("a");
    assertThat(time.nanos()).isEqualTo(124 * MILLI);
  }

  @Test
  void readsSeekUnlessTheyGoOn() throws IOException {
    write("a", 50_000);
    time.now.set(60_000 * MILLI);
    try (StorageReader reader = storage.open("a")) {
      assertThat(nanosOfRead(reader, 0)).isEqualTo(9 * MILLI);
      assertThat(nanosOfRead(reader, 1_000)).isEqualTo(MILLI);
      assertThat(nanosOfRead(reader, 30_000)).isEqualTo(9 * MILLI);
      assertThat(nanosOfRead(reader, 2_000)).as("the first stream goes on").isEqualTo(MILLI);
      for (int other = 10; other < 20; other++) {
        assertThat(nanosOfRead(reader, other * 100)).isEqualTo(9 * MILLI);
      }
      assertThat(nanosOfRead(reader, 3_000)).as("it is forgotten").isEqualTo(9 * MILLI);
    }
  }

  @Test
  void readsGoFirstAndTakeTheirTimeFromTheBuffer() throws IOException {
    StorageWriter writer = write("a", 300_000);
    try (StorageReader reader = storage.open("a")) {
      assertThat(nanosOfRead(reader, 0)).isEqualTo(9 * MILLI);
    }
    writer.sync();
    assertThat(time.nanos()).isEqualTo((300 + 9 + 8) * MILLI);
  }

  private long nanosOfRead(StorageReader reader, long position) throws IOException {
    long before = time.nanos();
    reader.readFully(ByteBuffer.allocate(1_000), position);
    return time.nanos() - before;
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void filesHoldWhatWasAppendedThroughTheDisk(boolean filled) throws IOException {
    byte[] bytes = new byte[100_003];
    new Random(1).nextBytes(bytes);
    try (StorageWriter writer = filled ? storage.createFilled("a", 1 << 20) : storage.create("a")) {
      writer.append(ByteBuffer.wrap(bytes, 0, 3), ByteBuffer.wrap(bytes, 3, bytes.length - 3));
      assertThat(writer.position()).isEqualTo(bytes.length);
    }
    for (Storage reading : new Storage[] {storage, below}) {
      try (StorageReader reader = reading.open("a")) {
        assertThat(reader.size()).isEqualTo(bytes.length);
        ByteBuffer found = ByteBuffer.allocate(bytes.length);
        reader.readFully(found, 0);
        assertThat(found.array()).isEqualTo(bytes);
        assertThatThrownBy(() -> reader.readFully(ByteBuffer.allocate(2), bytes.length - 1))
            .isInstanceOf(EOFException.class);
      }
    }
  }

  @Test
  void aClosedFileIsRefused() throws IOException {
    StorageWriter writer = write("a", 10);
    writer.close();
    assertThatThrownBy(() -> writer.append(ByteBuffer.allocate(1)))
        .isInstanceOf(ClosedChannelException.class);
    assertThatThrownBy(writer::sync).isInstanceOf(ClosedChannelException.class);
    StorageReader reader = storage.open("a");
    reader.close();
    assertThatThrownBy(() -> reader.readFully(ByteBuffer.allocate(1), 0))
        .isInstanceOf(ClosedChannelException.class);
  }

  @Test
  void aFileIsLinkedIntoAnotherFolderOfTheDisk(@TempDir Path other) throws IOException {
    write("a", 10).close();
    storage.linkTo("a", new ThrottledStorage(new FileStorage(other), DISK, time), "b");
    assertThat(Files.getAttribute(other.resolve("b"), "unix:nlink")).isEqualTo(2);
  }

  @Test
  void anInterruptIsKept() throws IOException {
    Thread.currentThread().interrupt();
    try (StorageWriter writer = write("a", 600_000)) {
      writer.sync();
    }
    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  void aDatabaseKeepsWhatItIsToldOnASlowDisk() throws IOException {
    SimulatedDisk fast = new SimulatedDisk(1L << 30, Duration.ofNanos(1));
    byte[] key = "key".getBytes(StandardCharsets.US_ASCII);
    try (Database database = fast.open(folder, DatabaseOptions.defaults())) {
      KeyValueStore store = database.keyValueStore("t");
      store.put(key, key);
      database.flush();
    }
    try (Database database = Database.open(folder)) {
      assertThat(database.keyValueStore("t").get(key)).isEqualTo(key);
    }
  }

  @Test
  void refusesDisksThatCannotBe() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new SimulatedDisk(0, Duration.ZERO))
        .withMessageContaining("0 bytes");
    for (Duration seek : new Duration[] {Duration.ofNanos(-1), Duration.ofSeconds(11)}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> new SimulatedDisk(1, seek))
          .withMessageContaining(seek.toString());
    }
  }
}
