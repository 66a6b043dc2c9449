// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.durability;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.CorruptionException;
import io.accordiondb.Database;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.Durability;
import io.accordiondb.FamilyDescriptor;
import io.accordiondb.FormatVersionException;
import io.accordiondb.Get;
import io.accordiondb.KeyProvider;
import io.accordiondb.LogWriting;
import io.accordiondb.NotADatabaseException;
import io.accordiondb.ParallelRuns;
import io.accordiondb.Put;
import io.accordiondb.RecoveryMode;
import io.accordiondb.RepairReport;
import io.accordiondb.Table;
import io.accordiondb.TableDescriptor;
import io.accordiondb.TableNotFoundException;
import io.accordiondb.TestKeys;
import io.accordiondb.VerificationReport;
import io.accordiondb.internal.crypt.EncryptedStorage;
import io.accordiondb.internal.engine.DatabaseEngine;
import io.accordiondb.internal.folder.DatabaseFolder;
import io.accordiondb.internal.record.RecordFileHeader;
import io.accordiondb.internal.repair.Repairer;
import io.accordiondb.internal.repair.Verifier;
import io.accordiondb.internal.storage.MemoryStorage;
import io.accordiondb.internal.storage.Storage;
import io.accordiondb.memstore.layout.CellMemory;
import io.accordiondb.memstore.layout.IndexKind;
import io.accordiondb.memstore.layout.SegmentLayout;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Each file of a small database, closed or killed, deleted, cut, or with a bit flipped. Whatever
 * the recovery mode, the database says so or shows what the mode promises of the rows, all of which
 * were written with FSYNC; verifying finds it, and names the sorted table; and a repair leaves a
 * sound database that misses nothing but what was in the damaged file, or in the damaged block of a
 * sorted table, and says what that is.
 */
class EveryFileTest {
  private static final int ROWS = 120;
  private static final byte[] FAMILY = "f".getBytes(US_ASCII);
  private static final byte[] QUALIFIER = "q".getBytes(US_ASCII);

  /** Small, so that a sorted table has several blocks. */
  private static final int BLOCK_BYTES = 512;

  /** Rows that fit into one block at most. */
  private static final int BLOCK_ROWS_MAX = 12;

  /** By default, the test changes one of this number of bytes, and tries one of as many lengths. */
  private static final int STEP = 599;

  private static final byte[][] KEYS =
      IntStream.range(0, ROWS)
          .mapToObj(number -> String.format(Locale.ROOT, "row%05d", number).getBytes(US_ASCII))
          .toArray(byte[][]::new);

  private static final KeyProvider KEYS_AT_REST = TestKeys.current("a");

  private final AtomicLong changed = new AtomicLong();
  private final AtomicLong cut = new AtomicLong();
  private final AtomicLong unnoticed = new AtomicLong();

  /** A database on a disk, and its files. */
  private record Written(
      MemoryStorage disk, boolean isClosed, LogWriting writing, boolean encrypted) {
    List<String> files() throws IOException {
      List<String> files = new ArrayList<>(disk.list(""));
      files.removeAll(List.of("wal", "sst"));
      files.remove(EncryptedStorage.MARKER);
      disk.list("wal").forEach(name -> files.add("wal/" + name));
      disk.list("sst").forEach(name -> files.add("sst/" + name));
      return files;
    }

    /** Returns whether the manifest names a file as one of the log. */
    boolean isBegunLog(String file) throws IOException {
      return BegunLogs.of(plain(disk)).contains(file);
    }

    boolean isNewestLog(String file) throws IOException {
      List<String> logs = BegunLogs.of(plain(disk));
      return file.equals(logs.get(logs.size() - 1));
    }

    DatabaseOptions options(RecoveryMode mode) {
      return EveryFileTest.options(writing, encrypted, mode);
    }

    /** Returns a disk as if its files were plain. */
    Storage plain(MemoryStorage seen) throws IOException {
      return DatabaseFolder.deciphered(seen, encrypted ? KEYS_AT_REST : null);
    }
  }

  private static DatabaseOptions options(LogWriting writing, boolean encrypted, RecoveryMode mode) {
    DatabaseOptions.Builder builder = DatabaseOptions.builder();
    if (encrypted) {
      builder.encryption(KEYS_AT_REST);
    }
    return builder
        .memoryBytes(64 << 20)
        .blockCacheBytes(0)
        .experiment(
            e -> e.withSegmentLayout(SegmentLayout.of(CellMemory.HEAP_CHUNKS, IndexKind.CHUNK)))
        .experiment(e -> e.withChunkBytes(256 << 10))
        .logFileBytes(4 << 10)
        .logWriting(writing)
        .recoveryMode(mode)
        .build();
  }

  private static byte[] row(int number) {
    return KEYS[number];
  }

  /** Writes rows, of which the first half is in two sorted tables. */
  private static Written write(boolean isClosed, LogWriting writing, boolean encrypted)
      throws IOException {
    MemoryStorage disk = new MemoryStorage();
    MemoryStorage killed;
    try (Database database =
        DatabaseEngine.open(disk, options(writing, encrypted, RecoveryMode.TOLERATE_TORN_TAIL))) {
      database.createTable(
          TableDescriptor.builder("t")
              .family(FamilyDescriptor.of("f").toBuilder().blockSizeBytes(BLOCK_BYTES).build())
              .build());
      for (int i = 0; i < ROWS; i++) {
        byte[] value = Arrays.copyOf(row(i), 40);
        database
            .table("t")
            .put(
                new Put(row(i))
                    .addColumn(FAMILY, QUALIFIER, value)
                    .setDurability(Durability.FSYNC));
        if (i == ROWS / 4 || i == ROWS / 2) {
          database.flush();
        }
      }
      killed = disk.copy();
    }
    return new Written(isClosed ? disk : killed, isClosed, writing, encrypted);
  }

  /** Returns the rows that are there, in order; null if the database says that it is damaged. */
  private static @Nullable List<Integer> rows(MemoryStorage disk, DatabaseOptions options)
      throws IOException {
    List<Integer> found = new ArrayList<>();
    try (Database database = DatabaseEngine.open(disk, options)) {
      Table table = database.table("t");
      for (int i = 0; i < ROWS; i++) {
        byte[] value = table.get(new Get(row(i))).value(FAMILY, QUALIFIER);
        if (value != null) {
          assertThat(value).isEqualTo(Arrays.copyOf(row(i), 40));
          found.add(i);
        }
      }
      return found;
    } catch (CorruptionException | FormatVersionException | NotADatabaseException e) {
      return null;
    } finally {
      assertThat(disk.openFiles()).isZero();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "true,PLAIN,false",
    "true,MAPPED,false",
    "false,PLAIN,false",
    "false,MAPPED,false",
    "true,PLAIN,true",
    "false,PLAIN,true"
  })
  void aFileThatIsDeletedIsMissed(boolean isClosed, LogWriting writing, boolean encrypted)
      throws IOException {
    Written written = write(isClosed, writing, encrypted);
    for (String file : written.files()) {
      MemoryStorage damaged = written.disk.copy();
      damaged.delete(file);
      check(written, file, damaged, "deleted", 0, ROWS, List.of(RecoveryMode.values()));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "true,PLAIN,false",
    "true,MAPPED,false",
    "false,PLAIN,false",
    "false,MAPPED,false",
    "true,PLAIN,true",
    "false,PLAIN,true"
  })
  @Timeout(value = 2, unit = TimeUnit.MINUTES)
  void someBytesAndLengths(boolean isClosed, LogWriting writing, boolean encrypted)
      throws IOException {
    sweep(write(isClosed, writing, encrypted), STEP);
  }

  @ParameterizedTest
  @CsvSource({
    "true,PLAIN,false",
    "true,MAPPED,false",
    "false,PLAIN,false",
    "false,MAPPED,false",
    "true,PLAIN,true",
    "false,PLAIN,true"
  })
  @Tag("long")
  @Timeout(value = 60, unit = TimeUnit.MINUTES)
  void everyByteAndLength(boolean isClosed, LogWriting writing, boolean encrypted)
      throws IOException {
    sweep(write(isClosed, writing, encrypted), 1);
  }

  /** Changes and cuts the files of a killed and of a closed database here and there. */
  static void hunt() throws IOException {
    for (boolean isClosed : new boolean[] {true, false}) {
      new EveryFileTest().sweep(write(isClosed, LogWriting.PLAIN, false), STEP);
      new EveryFileTest().aFileThatIsDeletedIsMissed(isClosed, LogWriting.PLAIN, false);
    }
  }

  private void sweep(Written written, int step) throws IOException {
    List<String> files = written.files();
    for (String file : files) {
      byte[] sound = written.disk.bytes(file);
      ParallelRuns.forEach(
          0,
          (sound.length + step - 1) / step,
          number -> {
            int offset = (int) number * step;
            byte[] flipped = sound.clone();
            flipped[offset] ^= (byte) (1 << offset % Byte.SIZE);
            change(
                written,
                file,
                flipped,
                "with byte " + offset + " changed",
                offset,
                written.encrypted ? ROWS : BLOCK_ROWS_MAX);
            changed.incrementAndGet();
            byte[] shorter = Arrays.copyOf(sound, offset);
            change(written, file, shorter, "cut to " + offset, offset, ROWS);
            cut.incrementAndGet();
          });
    }
    System.out.printf(
        "%s, %s%s: %d files, %,d bytes changed, %,d lengths; unnoticed as after a crash: %,d%n",
        written.isClosed ? "closed" : "killed",
        written.writing,
        written.encrypted ? ", encrypted" : "",
        files.size(),
        changed.get(),
        cut.get(),
        unnoticed.get());
  }

  private void change(
      Written written, String file, byte[] bytes, String how, int offset, int lostOfTable) {
    try {
      MemoryStorage damaged = written.disk.copy();
      damaged.setBytes(file, bytes);
      // The other modes read the same files by the same code.
      List<RecoveryMode> modes =
          offset % 2 == 0
              ? List.of(RecoveryMode.TOLERATE_TORN_TAIL, RecoveryMode.POINT_IN_TIME)
              : List.of(RecoveryMode.ABSOLUTE, RecoveryMode.SALVAGE);
      check(written, file, damaged, how, offset, lostOfTable, modes);
    } catch (IOException | RuntimeException | AssertionError e) {
      throw new AssertionError(file + " " + how, e);
    }
  }

  /**
   * Checks a database of which a file is damaged from an offset on; {@code lostOfTable} rows of a
   * sorted table may be lost.
   */
  private void check(
      Written written,
      String file,
      MemoryStorage damaged,
      String how,
      int offset,
      int lostOfTable,
      List<RecoveryMode> modes)
      throws IOException {
    String what = file + " " + how;
    boolean isRefused = false;
    boolean mayEndEarly = !written.isClosed && written.isNewestLog(file);
    for (RecoveryMode mode : modes) {
      List<Integer> found = rows(damaged.copy(), written.options(mode));
      isRefused |= found == null && mode == RecoveryMode.TOLERATE_TORN_TAIL;
      if (found != null && mode != RecoveryMode.SALVAGE) {
        assertThat(found).as("%s, %s", what, mode).isEqualTo(all().subList(0, found.size()));
        if (mode != RecoveryMode.POINT_IN_TIME && !mayEndEarly) {
          assertThat(found).as("%s, %s", what, mode).hasSize(ROWS);
        }
      }
    }
    VerificationReport report = new Verifier(written.plain(damaged.copy())).verify();
    boolean isFound = !report.isSound();
    if (!isFound) {
      unnoticed.incrementAndGet();
      // No crash takes the header of a file that the log has been continued in.
      boolean isHeadless = offset < RecordFileHeader.BYTES && written.isBegunLog(file);
      assertThat((written.isClosed && !file.equals("LOCK")) || isRefused || isHeadless)
          .as("%s, verified", what)
          .isFalse();
    }
    if (file.startsWith("sst/")) {
      assertThat(report.problems())
          .as("%s, verified", what)
          .anyMatch(problem -> problem.file().endsWith(file));
    }
    repair(written, file, damaged, what, lostOfTable, isFound);
  }

  private static void repair(
      Written written,
      String file,
      MemoryStorage damaged,
      String what,
      int lostOfTable,
      boolean isFound)
      throws IOException {
    RepairReport report = new Repairer(written.plain(damaged)).repair();
    assertThat(new Verifier(written.plain(damaged)).verify().problems())
        .as("%s, repaired", what)
        .isEmpty();
    List<Integer> kept;
    try {
      kept = rows(damaged, written.options(RecoveryMode.TOLERATE_TORN_TAIL));
    } catch (TableNotFoundException e) {
      kept = List.of();
    }
    assertThat(kept).as("%s, repaired", what).isNotNull();
    if (isFound) {
      assertThat(report.lost()).as("%s, repaired", what).isNotEmpty();
    }
    int lost = 0;
    if (file.startsWith("sst/")) {
      lost = Math.min(lostOfTable, ROWS - ROWS / 3);
    } else if (!written.isClosed && file.startsWith("wal/")) {
      lost = ROWS - ROWS / 3;
    }
    assertThat(kept).as("%s, repaired", what).hasSizeGreaterThanOrEqualTo(ROWS - lost);
  }

  private static List<Integer> all() {
    return IntStream.range(0, ROWS).boxed().toList();
  }
}
