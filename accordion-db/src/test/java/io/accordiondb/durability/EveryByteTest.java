// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.durability;

import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.CorruptionException;
import io.accordiondb.Database;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.Durability;
import io.accordiondb.FormatVersionException;
import io.accordiondb.NotADatabaseException;
import io.accordiondb.ParallelRuns;
import io.accordiondb.durability.WriteHistory.Contents;
import io.accordiondb.durability.WriteHistory.Progress;
import io.accordiondb.internal.engine.DatabaseEngine;
import io.accordiondb.internal.storage.MemoryStorage;
import io.accordiondb.memstore.layout.CellMemory;
import io.accordiondb.memstore.layout.IndexKind;
import io.accordiondb.memstore.layout.SegmentLayout;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each file of a small database that was not closed, with every bit of it flipped in turn, and cut
 * at every length. Either the database says that the file is damaged, when it is opened or read, or
 * it shows what it held before. Nothing tells the last record of the newest log from one that a
 * crash has torn: there it may show what it held before that.
 */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class EveryByteTest {
  /** One bit of each eighth byte, of each place in turn. */
  private static final int BITS_STEP = 63;

  /** The default run cuts a file at every length that is a multiple of this. */
  private static final int LENGTHS_STEP = 19;

  private static final long ALLOCATED_BYTES_MAX = 16 << 20;
  private static final AtomicLong CLOCK = new AtomicLong(1_000_000);

  private static final DatabaseOptions OPTIONS =
      DatabaseOptions.builder()
          .memoryBytes(64 << 20)
          .blockCacheBytes(0)
          .experiment(
              e -> e.withSegmentLayout(SegmentLayout.of(CellMemory.HEAP_CHUNKS, IndexKind.CHUNK)))
          .experiment(e -> e.withChunkBytes(256 << 10))
          .logFileBytes(4 << 10)
          .clock(() -> Instant.ofEpochMilli(CLOCK.get()))
          .build();

  private static MemoryStorage disk = new MemoryStorage();
  private static Contents contents = new Contents(Map.of(), Map.of());
  private static WriteHistory history = new WriteHistory();

  @BeforeAll
  static void write() throws IOException {
    history = new WriteHistory();
    MemoryStorage written = new MemoryStorage();
    try (Database database = DatabaseEngine.open(written, OPTIONS)) {
      Workload workload =
          new Workload(database, history, new SplittableRandom(3), CLOCK::incrementAndGet, 0);
      workload.create("t0");
      for (int i = 0; i < 8; i++) {
        workload.write(Durability.ASYNC, 3);
      }
      workload.flush("t0");
      workload.create("t1");
      while (BegunLogs.of(written).size() < 2) {
        workload.write(Durability.ASYNC, 9);
      }
      // The log notes with the first record of the new file that the old one is on the device.
      for (int i = 0; i < 3; i++) {
        workload.write(Durability.FSYNC, 2);
      }
      disk = written.crash(new SplittableRandom(4));
    }
    contents = contentsOf(disk.copy());
    history.checkVisible(contents);
  }

  static Stream<String> files() throws IOException {
    List<String> files = new ArrayList<>();
    disk.list("").stream().filter(name -> name.matches("CURRENT|MANIFEST.*")).forEach(files::add);
    files.addAll(BegunLogs.of(disk));
    disk.list("sst").forEach(name -> files.add("sst/" + name));
    assertThat(files).hasSizeGreaterThanOrEqualTo(5);
    return files.stream();
  }

  @ParameterizedTest
  @MethodSource("files")
  void someBitsOfEveryByte(String file) throws IOException {
    bits(file, BITS_STEP);
  }

  @ParameterizedTest
  @MethodSource("files")
  @Tag("long")
  @Timeout(value = 30, unit = TimeUnit.MINUTES)
  void everyBit(String file) throws IOException {
    bits(file, 1);
  }

  /** Changes a file's bits, one at a time: the first one and each that is a step further. */
  static void bits(String file, int step) throws IOException {
    byte[] sound = disk.bytes(file);
    boolean newestLog = file.equals(newestLog());
    AtomicInteger detected = new AtomicInteger();
    ParallelRuns.forEach(
        0,
        8 * sound.length / step,
        number -> {
          int bit = (int) number * step;
          byte[] damaged = sound.clone();
          damaged[bit / 8] ^= (byte) (1 << bit % 8);
          Contents found = read(file, damaged, "bit " + bit % 8 + " of byte " + bit / 8);
          if (found == null) {
            detected.incrementAndGet();
          } else if (newestLog) {
            checkPrefix(found, history.started() - 1, history.catalogsStarted() - 1, bit / 8);
          } else {
            assertThat(found).as("with byte %d of %s changed", bit / 8, file).isEqualTo(contents);
          }
        });
    assertThat(detected.get()).as("damage noticed").isGreaterThan(sound.length / step);
  }

  @ParameterizedTest
  @MethodSource("files")
  void someLengths(String file) throws IOException {
    lengths(file, LENGTHS_STEP);
  }

  @ParameterizedTest
  @MethodSource("files")
  @Tag("long")
  @Timeout(value = 30, unit = TimeUnit.MINUTES)
  void everyLength(String file) throws IOException {
    lengths(file, 1);
  }

  private static void lengths(String file, int step) throws IOException {
    byte[] sound = disk.bytes(file);
    boolean mayBeOlder = file.equals(newestLog());
    ParallelRuns.forEach(
        0,
        (sound.length + step - 1) / step,
        number -> {
          int length = (int) number * step;
          byte[] cut = Arrays.copyOf(sound, length);
          Contents found = read(file, cut, "cut to " + length + " of " + sound.length);
          if (found != null && mayBeOlder) {
            checkPrefix(found, 0, 0, length);
          } else if (found != null) {
            assertThat(found).as("with %s cut to %d bytes", file, length).isEqualTo(contents);
          }
        });
  }

  private static String newestLog() throws IOException {
    List<String> logs = BegunLogs.of(disk);
    return logs.get(logs.size() - 1);
  }

  private static void checkPrefix(Contents found, int writesMin, int catalogMin, int offset) {
    try {
      Progress progress = new Progress(writesMin, writesMin, writesMin, catalogMin, Map.of());
      history.check(found, progress, true, history.started(), history.catalogsStarted());
    } catch (AssertionError e) {
      throw new AssertionError("at offset " + offset, e);
    }
  }

  /** Returns what a database holds with other bytes in a file; null if it says it is damaged. */
  private static @Nullable Contents read(String file, byte[] bytes, String how) {
    long allocatedBefore = allocatedBytes();
    MemoryStorage damaged = disk.copy();
    try {
      damaged.setBytes(file, bytes);
      return contentsOf(damaged);
    } catch (CorruptionException | FormatVersionException | NotADatabaseException e) {
      assertThat(damaged.openFiles()).as("files open after " + e).isZero();
      return null;
    } catch (IOException | RuntimeException | Error e) {
      throw new AssertionError(file + ", " + how, e);
    } finally {
      assertThat(allocatedBytes() - allocatedBefore)
          .as("%s, %s: bytes allocated", file, how)
          .isLessThan(ALLOCATED_BYTES_MAX);
    }
  }

  /** Returns how many bytes this thread has allocated; its module is not read by this one. */
  private static long allocatedBytes() {
    try {
      Object threads =
          Class.forName("java.lang.management.ManagementFactory")
              .getMethod("getThreadMXBean")
              .invoke(null);
      return (long)
          Class.forName("com.sun.management.ThreadMXBean")
              .getMethod("getCurrentThreadAllocatedBytes")
              .invoke(threads);
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
  }

  private static Contents contentsOf(MemoryStorage storage) throws IOException {
    try (Database database = DatabaseEngine.open(storage, OPTIONS)) {
      return Workload.contentsOf(database);
    }
  }
}
