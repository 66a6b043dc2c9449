// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.accordiondb.Database;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.KeyValueStore;
import io.accordiondb.SimulatedDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The simulated disk, by a clock that only waiting moves. */
class ThrottledStorageTest extends StorageContract {
  private static final long MILLI = 1_000_000;
  private static final long BUFFER = DiskModel.BUFFER_NANOS;

  /** A megabyte a second, so that a thousand bytes take a millisecond; seeks take 8 ms. */
  private static final SimulatedDisk DISK = new SimulatedDisk(1_000_000, Duration.ofMillis(8));

  private final WaitedTime time = new WaitedTime();
  private final Storage storage = new ThrottledStorage(new MemoryStorage(), DISK, time);

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

  @Override
  Storage newStorage() {
    return storage;
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

  @Test
  void aDatabaseKeepsWhatItIsToldOnASlowDisk(@TempDir Path folder) throws IOException {
    SimulatedDisk fast = new SimulatedDisk(1L << 30, Duration.ofNanos(1));
    DatabaseOptions options = DatabaseOptions.builder().simulatedDisk(fast).build();
    byte[] key = "key".getBytes(StandardCharsets.US_ASCII);
    try (Database database = Database.open(folder, options)) {
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
