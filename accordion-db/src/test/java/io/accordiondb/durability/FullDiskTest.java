// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.durability;

import static io.accordiondb.fixtures.Await.await;
import static io.accordiondb.fixtures.TestFiles.fillDisk;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.accordiondb.Database;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.Durability;
import io.accordiondb.KeyValueStore;
import io.accordiondb.LogWriting;
import io.accordiondb.WritesSuspendedException;
import io.accordiondb.fixtures.Mount;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A disk that is really full, where this test may mount one. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class FullDiskTest {
  private static final int DISK_MIB = 24;
  private static final int VALUE_BYTES = 10_000;

  @TempDir Path temporary;

  private Path folder;
  private Path ballast;

  /** File systems that reserve what is written at once, and when it gets to the device. */
  private enum Disk {
    TMPFS,
    EXT4;

    Mount mount(Path temporary, Path target) throws IOException, InterruptedException {
      if (this == TMPFS) {
        return Mount.of("-t", "tmpfs", "-o", "size=" + DISK_MIB + "m", "tmpfs", target.toString());
      }
      Path image = temporary.resolve("image");
      try (FileChannel file =
          FileChannel.open(image, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
        file.write(ByteBuffer.allocate(1), ((long) DISK_MIB << 20) - 1);
      }
      List<String> format = List.of("mkfs.ext4", "-q", "-F", "-m", "0", image.toString());
      assumeThat(Mount.succeeds(format)).as("may format").isTrue();
      return Mount.of("-o", "loop", image.toString(), target.toString());
    }
  }

  static Stream<Arguments> disks() {
    List<Arguments> disks = new ArrayList<>();
    for (Disk disk : Disk.values()) {
      for (LogWriting writing : LogWriting.values()) {
        disks.add(Arguments.of(disk, writing));
      }
    }
    return disks.stream();
  }

  private Mount mount(Disk disk) throws IOException, InterruptedException {
    Path target = Files.createDirectory(temporary.resolve("disk"));
    Mount mount = disk.mount(temporary, target);
    folder = target.resolve("database");
    ballast = target.resolve("ballast");
    return mount;
  }

  private Database open(LogWriting writing) throws IOException {
    return Database.open(
        folder,
        DatabaseOptions.builder()
            .memoryBytes(8 << 20)
            .logFileBytes(2 << 20)
            .logWriting(writing)
            .stallMax(Duration.ofSeconds(1))
            .build());
  }

  private static byte[] key(int number) {
    return ("key" + number).getBytes(US_ASCII);
  }

  private static byte[] value(int number) {
    byte[] value = new byte[VALUE_BYTES];
    new SplittableRandom(number).nextBytes(value);
    return value;
  }

  private static void assertHolds(Database database, int keys) throws IOException {
    KeyValueStore store = database.keyValueStore("s");
    for (int i = 0; i < keys; i++) {
      assertThat(store.get(key(i))).as("key " + i).isEqualTo(value(i));
    }
  }

  @ParameterizedTest
  @MethodSource("disks")
  void writesGoOnOnceThereIsRoomForTheLog(Disk disk, LogWriting writing) throws Exception {
    try (Mount mount = mount(disk)) {
      assertThat(mount).isNotNull();
      int acknowledged = 0;
      try (Database database = open(writing)) {
        KeyValueStore store = database.keyValueStore("s");
        for (; acknowledged < 50; acknowledged++) {
          store.put(key(acknowledged), value(acknowledged), Durability.FSYNC);
        }
        fillDisk(ballast);
        boolean room = true;
        while (room) {
          Durability durability = acknowledged % 2 == 0 ? Durability.FSYNC : Durability.SYNC;
          try {
            store.put(key(acknowledged), value(acknowledged), durability);
            acknowledged++;
          } catch (IOException e) {
            room = false;
          }
        }
        int refused = acknowledged;
        assertThatThrownBy(() -> store.put(key(refused), value(refused)))
            .isInstanceOf(WritesSuspendedException.class);
        assertThatThrownBy(database::resume)
            .isInstanceOf(WritesSuspendedException.class)
            .hasMessageContaining("No space left on device")
            .hasMessageNotContaining("java.");
        assertHolds(database, acknowledged);
        Files.delete(ballast);
        if (acknowledged % 2 == 0) {
          database.resume();
        } else {
          awaitWrites(store);
        }
        assertThat(store.get(key(refused))).isNull();
        store.put(key(acknowledged), value(acknowledged), Durability.FSYNC);
        acknowledged++;
        assertHolds(database, acknowledged);
      }
      try (Database database = open(writing)) {
        assertHolds(database, acknowledged);
        assertThat(database.keyValueStore("s").get(key(acknowledged))).isNull();
      }
    }
  }

  /** Writes until that succeeds: nobody asks for the resumption. */
  private static void awaitWrites(KeyValueStore store) throws IOException {
    await(
        "a write that succeeds",
        () -> {
          try {
            store.put(key(-1), value(-1));
            return true;
          } catch (WritesSuspendedException e) {
            return false;
          }
        });
  }

  @ParameterizedTest
  @MethodSource("disks")
  void aFlushThatFoundNoRoomSucceedsOnceThereIsSome(Disk disk, LogWriting writing)
      throws Exception {
    try (Mount mount = mount(disk)) {
      assertThat(mount).isNotNull();
      int keys = 100;
      try (Database database = open(writing)) {
        KeyValueStore store = database.keyValueStore("s");
        for (int i = 0; i < keys; i++) {
          store.put(key(i), value(i), Durability.SKIP);
        }
        fillDisk(ballast);
        assertThatIOException().isThrownBy(database::flush);
        assertThatIOException().isThrownBy(database::flush);
        Files.delete(ballast);
        database.flush();
        assertHolds(database, keys);
      }
      try (Database database = open(writing)) {
        assertHolds(database, keys);
      }
    }
  }
}
