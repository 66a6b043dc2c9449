// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.durability;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.accordiondb.Compactions;
import io.accordiondb.CorruptionException;
import io.accordiondb.Database;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.Durability;
import io.accordiondb.Get;
import io.accordiondb.LogWriting;
import io.accordiondb.Put;
import io.accordiondb.RecoveryMode;
import io.accordiondb.RepairReport;
import io.accordiondb.TableDescriptor;
import io.accordiondb.VerificationReport;
import io.accordiondb.internal.engine.DatabaseEngine;
import io.accordiondb.internal.repair.Repairer;
import io.accordiondb.internal.repair.Verifier;
import io.accordiondb.internal.storage.MemoryStorage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Databases from which somebody has taken a log file, or the end of the manifest. None of that may
 * go unnoticed, and nothing may be deleted on the way to noticing it.
 */
class LostFilesTest {
  private static final int ROWS = 800;

  /** The default run repairs a manifest that is cut at each length that is a multiple of this. */
  private static final int CUTS_STEP = 41;

  private static final byte[] FAMILY = "f".getBytes(US_ASCII);
  private static final byte[] QUALIFIER = "q".getBytes(US_ASCII);

  private final MemoryStorage disk = new MemoryStorage();

  private static DatabaseOptions.Builder options(LogWriting writing) {
    return DatabaseOptions.builder().memoryBytes(4 << 20).logFileBytes(8 << 10).logWriting(writing);
  }

  private static byte[] row(int number) {
    return String.format(Locale.ROOT, "row%05d", number).getBytes(US_ASCII);
  }

  private static Put put(int number) {
    return new Put(row(number)).addColumn(FAMILY, QUALIFIER, row(number));
  }

  /**
   * Writes rows with FSYNC, flushed every 200 rows; returns the disk as a killed process leaves it.
   */
  private MemoryStorage write(LogWriting writing, boolean flushes) throws IOException {
    MemoryStorage killed;
    try (Database database = DatabaseEngine.open(disk, options(writing).build())) {
      database.createTable(TableDescriptor.of("t", "f"));
      for (int i = 0; i < ROWS; i++) {
        if (flushes && i % 200 == 199) {
          database.flush();
          Compactions.compact(database, "t", i % 400 == 399);
        }
        database.table("t").put(put(i).setDurability(Durability.FSYNC));
      }
      killed = disk.copy();
    }
    return killed;
  }

  private static List<Integer> rows(MemoryStorage storage, DatabaseOptions options)
      throws IOException {
    List<Integer> found = new ArrayList<>();
    try (Database database = DatabaseEngine.open(storage, options)) {
      for (int i = 0; i < ROWS; i++) {
        byte[] value = database.table("t").get(new Get(row(i))).value(FAMILY, QUALIFIER);
        if (value != null) {
          assertThat(value).isEqualTo(row(i));
          found.add(i);
        }
      }
    }
    return found;
  }

  private static List<String> logs(MemoryStorage storage) throws IOException {
    return storage.list("wal").stream().map(name -> "wal/" + name).toList();
  }

  private static List<String> files(MemoryStorage storage) throws IOException {
    List<String> files = new ArrayList<>(storage.list(""));
    storage.list("wal").forEach(name -> files.add("wal/" + name));
    storage.list("sst").forEach(name -> files.add("sst/" + name));
    files.remove("LOCK");
    return files;
  }

  private static void assertRefused(MemoryStorage storage, DatabaseOptions options)
      throws IOException {
    List<String> before = files(storage);
    assertThatThrownBy(() -> DatabaseEngine.open(storage, options).close())
        .isInstanceOf(CorruptionException.class);
    assertThat(files(storage)).as("files after a refusal").containsAll(before);
    assertThat(storage.openFiles()).isZero();
  }

  private static VerificationReport verify(MemoryStorage storage) throws IOException {
    return new Verifier(storage).verify();
  }

  private static RepairReport repair(MemoryStorage storage) throws IOException {
    return new Repairer(storage).repair();
  }

  @ParameterizedTest
  @CsvSource({"PLAIN,true", "PLAIN,false", "MAPPED,true", "MAPPED,false"})
  void aMissingLogFileIsRefused(LogWriting writing, boolean isKilled) throws IOException {
    MemoryStorage killed = write(writing, false);
    MemoryStorage whole = isKilled ? killed : disk;
    for (String log : logs(whole)) {
      MemoryStorage damaged = whole.copy();
      damaged.delete(log);
      for (RecoveryMode mode : List.of(RecoveryMode.TOLERATE_TORN_TAIL, RecoveryMode.ABSOLUTE)) {
        assertRefused(damaged, options(writing).recoveryMode(mode).build());
        assertRefused(damaged, options(writing).recoveryMode(mode).readOnly(true).build());
      }
      assertThat(verify(damaged).problems()).as(log).isNotEmpty();
      RepairReport report = repair(damaged);
      assertThat(report.lost()).as(log).isNotEmpty();
      assertThat(verify(damaged).problems()).isEmpty();
      assertThat(rows(damaged, options(writing).build())).hasSizeGreaterThan(isKilled ? 500 : 799);
    }
  }

  @ParameterizedTest
  @CsvSource({"PLAIN,true", "PLAIN,false", "MAPPED,true", "MAPPED,false"})
  void aFolderWithoutItsLogIsRefused(LogWriting writing, boolean isKilled) throws IOException {
    MemoryStorage killed = write(writing, false);
    MemoryStorage damaged = isKilled ? killed : disk;
    for (String log : logs(damaged)) {
      damaged.delete(log);
    }
    for (RecoveryMode mode : List.of(RecoveryMode.TOLERATE_TORN_TAIL, RecoveryMode.ABSOLUTE)) {
      assertRefused(damaged, options(writing).recoveryMode(mode).build());
    }
    assertThat(verify(damaged).problems()).isNotEmpty();
    assertThat(repair(damaged).lost()).isNotEmpty();
    assertThat(rows(damaged, options(writing).build())).hasSize(isKilled ? 0 : ROWS);
  }

  @ParameterizedTest
  @EnumSource
  void aRefusalSaysWhatToDo(LogWriting writing) throws IOException {
    MemoryStorage killed = write(writing, false);
    MemoryStorage missing = killed.copy();
    missing.delete(logs(missing).get(1));
    MemoryStorage changed = killed.copy();
    String log = logs(changed).get(1);
    changed.flip(log, changed.bytes(log).length / 3);
    for (MemoryStorage damaged : List.of(missing, changed)) {
      for (RecoveryMode mode : List.of(RecoveryMode.TOLERATE_TORN_TAIL, RecoveryMode.ABSOLUTE)) {
        assertThatThrownBy(
                () -> DatabaseEngine.open(damaged, options(writing).recoveryMode(mode).build()))
            .isInstanceOf(CorruptionException.class)
            .hasMessageContainingAll("POINT_IN_TIME", "SALVAGE", "verify", "repair");
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void aPointInTimeEndsAtAMissingLogFileAndASalvagePassesIt(LogWriting writing) throws IOException {
    MemoryStorage killed = write(writing, false);
    List<String> logs = BegunLogs.of(killed);
    assertThat(logs).hasSizeGreaterThan(4);
    for (String log : logs) {
      MemoryStorage damaged = killed.copy();
      damaged.delete(log);
      List<Integer> prefix =
          rows(damaged.copy(), options(writing).recoveryMode(RecoveryMode.POINT_IN_TIME).build());
      assertThat(prefix).hasSizeLessThan(ROWS);
      for (int row = 0; row < prefix.size(); row++) {
        assertThat(prefix.get(row)).isEqualTo(row);
      }
      List<Integer> salvaged =
          rows(damaged, options(writing).recoveryMode(RecoveryMode.SALVAGE).build());
      assertThat(salvaged).hasSizeGreaterThan(ROWS / 2).containsAll(prefix);
      assertThat(rows(damaged, options(writing).build())).isEqualTo(salvaged);
    }
  }

  @ParameterizedTest
  @EnumSource
  void aClosedDatabaseNoticesEveryCutOfItsManifest(LogWriting writing) throws IOException {
    write(writing, true);
    String manifest =
        disk.list("").stream().filter(n -> n.startsWith("MANIFEST")).findFirst().get();
    byte[] whole = disk.bytes(manifest);
    for (int length = 0; length < whole.length; length += 1 + length % 7) {
      MemoryStorage damaged = disk.copy();
      damaged.setBytes(manifest, Arrays.copyOf(whole, length));
      assertRefused(damaged, options(writing).build());
      assertThat(verify(damaged).problems()).as("cut to %d", length).isNotEmpty();
    }
  }

  @ParameterizedTest
  @CsvSource({"PLAIN,true", "PLAIN,false", "MAPPED,true", "MAPPED,false"})
  void aRepairAfterACutManifestKeepsAllRows(LogWriting writing, boolean isKilled)
      throws IOException {
    repairCutManifests(writing, isKilled, CUTS_STEP);
  }

  @ParameterizedTest
  @CsvSource({"PLAIN,true", "PLAIN,false", "MAPPED,true", "MAPPED,false"})
  @Tag("long")
  void aRepairAfterAnyCutOfTheManifestKeepsAllRows(LogWriting writing, boolean isKilled)
      throws IOException {
    repairCutManifests(writing, isKilled, 1);
  }

  private void repairCutManifests(LogWriting writing, boolean isKilled, int step)
      throws IOException {
    MemoryStorage killed = write(writing, true);
    MemoryStorage whole = isKilled ? killed : disk;
    String manifest =
        whole.list("").stream().filter(n -> n.startsWith("MANIFEST")).findFirst().get();
    byte[] bytes = whole.bytes(manifest);
    for (int length = 0; length < bytes.length; length += step) {
      MemoryStorage damaged = whole.copy();
      damaged.setBytes(manifest, Arrays.copyOf(bytes, length));
      repair(damaged);
      assertThat(verify(damaged).problems()).as("cut to %d", length).isEmpty();
      assertThat(rows(damaged, options(writing).build())).as("cut to %d", length).hasSize(ROWS);
    }
  }

  @ParameterizedTest
  @EnumSource
  void aKilledDatabaseNoticesThatItsManifestHasLostACommit(LogWriting writing) throws IOException {
    MemoryStorage killed = write(writing, true);
    String manifest =
        killed.list("").stream().filter(n -> n.startsWith("MANIFEST")).findFirst().get();
    byte[] whole = killed.bytes(manifest);
    // Behind the last commit stands its confirmation, without which it may be a torn one.
    for (int length = whole.length - 26; length > 0; length -= 1 + length % 7) {
      MemoryStorage damaged = killed.copy();
      damaged.setBytes(manifest, Arrays.copyOf(whole, length));
      assertRefused(damaged, options(writing).build());
      assertThat(verify(damaged).problems()).as("cut to %d", length).isNotEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource
  void withoutCurrentTheErrorNamesTheRepairThatMendsIt(LogWriting writing) throws IOException {
    MemoryStorage killed = write(writing, true);
    for (MemoryStorage whole : List.of(killed, disk)) {
      MemoryStorage damaged = whole.copy();
      damaged.delete("CURRENT");
      for (boolean readOnly : new boolean[] {true, false}) {
        assertThatThrownBy(
                () -> DatabaseEngine.open(damaged, options(writing).readOnly(readOnly).build()))
            .isInstanceOf(IOException.class)
            .hasMessageContaining("CURRENT")
            .hasMessageContaining("repair");
      }
      assertThat(repair(damaged).lost()).hasSize(1);
      assertThat(rows(damaged, options(writing).build())).hasSize(ROWS);
    }
  }
}
