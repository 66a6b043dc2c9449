// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.backup;

import static io.accordiondb.fixtures.JavaProcess.javaProcess;
import static io.accordiondb.fixtures.JavaProcess.outputOf;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.accordiondb.Database;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.Durability;
import io.accordiondb.Get;
import io.accordiondb.Put;
import io.accordiondb.RestorePoint;
import io.accordiondb.RestorePointException;
import io.accordiondb.Snapshot;
import io.accordiondb.Table;
import io.accordiondb.TableDescriptor;
import io.accordiondb.fixtures.TestFiles;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Databases that are restored and go on, and what is done twice. */
@Timeout(120)
class RepeatedRunsTest {
  private static final byte[] F = {'f'};
  private static final byte[] Q = {'q'};
  private static final Instant NOON = Instant.parse("2026-01-31T12:00:00Z");

  @TempDir private Path folder;
  private final AtomicLong clock = new AtomicLong(NOON.toEpochMilli());
  private Backups backups;

  private Backups backups() {
    return Backups.at(BackupTarget.folder(folder.resolve("backups")));
  }

  private DatabaseOptions options() {
    return DatabaseOptions.builder()
        .logRetention(Duration.ofDays(7))
        .durability(Durability.SYNC)
        .clock(() -> Instant.ofEpochMilli(clock.get()))
        .build();
  }

  /** The same job, of which one value is corrected. */
  private static void load(Database database, int corrected) throws IOException {
    Table table = database.table("t");
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < 5000; i++) {
      byte[] value = new byte[100];
      random.nextBytes(value);
      if (i == 2000) {
        value[50] = (byte) corrected;
      }
      table.put(
          new Put(String.format("%06d", i).getBytes(UTF_8)).addColumn(F, Q, 1000L + i, value));
    }
    database.flush();
  }

  private static int corrected(Path restored) throws IOException {
    try (Database database = Database.open(restored)) {
      return database.table("t").get(new Get("002000".getBytes(UTF_8))).value(F, Q)[50];
    }
  }

  @Test
  void aDatabaseThatWasRestoredTwiceIsBackedUp() throws IOException {
    backups = backups();
    try (Database database = Database.open(folder.resolve("db"))) {
      database.createTable(TableDescriptor.of("t", "f"));
      backups.create(database);
    }
    for (int run = 1; run <= 2; run++) {
      backups.restore(1, folder.resolve("run" + run));
      try (Database database = Database.open(folder.resolve("run" + run))) {
        load(database, run);
        backups.create(database);
      }
    }
    for (int run = 1; run <= 2; run++) {
      assertThat(backups.verify(1 + run, BackupOptions.DEFAULTS)).isEmpty();
      backups.restore(1 + run, folder.resolve("restored" + run));
      assertThat(corrected(folder.resolve("restored" + run))).isEqualTo(run);
    }
  }

  @Test
  void aSecondBackupOfADatabaseIsRefusedWhileTheFirstRuns() throws Exception {
    backups = backups();
    Backups others = Backups.at(BackupTarget.folder(folder.resolve("others")));
    List<Throwable> refused = new ArrayList<>();
    try (Database database = Database.open(folder.resolve("db"))) {
      database.createTable(TableDescriptor.of("t", "f"));
      backups.create(
          database,
          BackupOptions.DEFAULTS.withProgress(
              (files, filesAll, bytes, bytesAll) -> {
                if (files == 1) {
                  refused.add(catchThrowable(() -> others.create(database)));
                }
              }));
      assertThat(refused).hasSize(1);
      assertThat(refused.get(0)).hasMessageContaining("another backup of this database is running");
      assertThat(others.create(database).number()).isEqualTo(1);
    }
    assertThat(backups.verify(1, BackupOptions.DEFAULTS)).isEmpty();
    backups.restore(1, folder.resolve("restored"));
    Database.open(folder.resolve("restored")).close();
  }

  /** As they do if nothing can be written beside the database. */
  @Test
  void twoBackupsWithFoldersOfTheirOwnForLinksDoNotDisturbEachOther() throws Exception {
    backups = backups();
    Backups others = Backups.at(BackupTarget.folder(folder.resolve("others")));
    BackupOptions apart = BackupOptions.DEFAULTS.withStaging(folder.resolve("links"));
    List<Generation> made = new ArrayList<>();
    try (Database database = Database.open(folder.resolve("db"))) {
      database.createTable(TableDescriptor.of("t", "f"));
      load(database, 1);
      backups.create(
          database,
          BackupOptions.DEFAULTS.withProgress(
              (files, filesAll, bytes, bytesAll) -> {
                if (files == 1) {
                  try {
                    load(database, 2);
                    database.compact("t");
                    made.add(others.create(database, apart));
                  } catch (IOException e) {
                    throw new UncheckedIOException(e);
                  }
                }
              }));
    }
    assertThat(made).hasSize(1);
    backups.restore(1, folder.resolve("restored1"));
    others.restore(1, folder.resolve("restored2"));
    assertThat(corrected(folder.resolve("restored1"))).isEqualTo(1);
    assertThat(corrected(folder.resolve("restored2"))).isEqualTo(2);
  }

  /** Tries to back up a database that another process has open and is backing up. */
  static final class Other {
    private Other() {}

    public static void main(String[] arguments) throws IOException {
      Path folder = Path.of(List.of(arguments).get(0));
      DatabaseOptions reading = DatabaseOptions.builder().readOnly(true).build();
      try (Database database = Database.open(folder.resolve("db"), reading)) {
        Backups.at(BackupTarget.folder(folder.resolve("third"))).create(database);
        System.out.println("made a backup");
      } catch (IOException e) {
        System.out.println(e.getMessage());
      }
    }
  }

  @Test
  void anAttemptOfThisProcessDoesNotLetOthersIn() throws Exception {
    backups = backups();
    Backups others = Backups.at(BackupTarget.folder(folder.resolve("others")));
    List<String> refused = new ArrayList<>();
    try (Database database = Database.open(folder.resolve("db"))) {
      database.createTable(TableDescriptor.of("t", "f"));
      backups.create(
          database,
          BackupOptions.DEFAULTS.withProgress(
              (files, filesAll, bytes, bytesAll) -> {
                if (files == 1) {
                  assertThatThrownBy(() -> others.create(database)).isInstanceOf(IOException.class);
                  refused.add(outputOfAnother());
                }
              }));
    }
    assertThat(refused).hasSize(1);
    assertThat(refused.get(0)).contains("another backup of this database is running");
    assertThat(backups.verify(1, BackupOptions.DEFAULTS)).isEmpty();
  }

  private String outputOfAnother() {
    try {
      return outputOf(javaProcess(List.of(), Other.class, folder));
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private long put(Database database, int count) throws IOException {
    for (int i = 0; i < count; i++) {
      clock.addAndGet(1000);
      database.keyValueStore("s").put(key(Instant.ofEpochMilli(clock.get())), new byte[] {1});
    }
    try (Snapshot now = database.snapshot()) {
      return now.sequenceNumber();
    }
  }

  @Test
  void momentsOfARestoredDatabaseBeforeItsFirstBackup() throws IOException {
    backups = backups();
    try (Database database = Database.open(folder.resolve("db"), options())) {
      put(database, 10);
      backups.create(database);
      put(database, 10);
      backups.create(database);
    }
    backups.restore(1, folder.resolve("second"));
    clock.addAndGet(60_000);
    long wanted;
    try (Database database = Database.open(folder.resolve("second"), options())) {
      wanted = put(database, 40);
      put(database, 10);
      backups.create(database);
    }
    // The copy of generation 1 and the log of generation 3 lead there.
    Path copy = folder.resolve("copy");
    backups.restore(RestorePoint.sequence(wanted), copy, options(), BackupOptions.DEFAULTS);
  }

  /** The newest database decides what a number means; one that was left is named. */
  @Test
  void aSequenceNumberOfTwoDatabasesIsRefused() throws IOException {
    backups = backups();
    long second;
    try (Database database = Database.open(folder.resolve("db"), options())) {
      put(database, 10);
      backups.create(database);
      put(database, 20);
      second = backups.create(database).checkpoint().sequence();
      put(database, 20);
      backups.create(database);
    }
    long first = backups.generations().get(0).checkpoint().sequence();
    long third = backups.generations().get(2).checkpoint().sequence();
    assertThat(restoreTo(RestorePoint.sequence(first + 5), folder.resolve("before"))).isPositive();
    long behind = goOnFrom(1, "other", 100);
    assertThat(behind).isGreaterThan(third);
    Path copy = folder.resolve("copy");
    for (long both : new long[] {first + 1, first + 5, second, second + 1, third}) {
      assertThatThrownBy(() -> restoreTo(RestorePoint.sequence(both), copy))
          .isInstanceOf(RestorePointException.class)
          .hasMessageContaining("cannot restore to sequence number " + both)
          .hasMessageContaining(
              "generations " + (both > second ? 3 : 2) + " and 4 lead to different moments")
          .hasMessageContaining("restore to a time");
      assertThat(copy).doesNotExist();
    }
    for (long one : new long[] {first, third + 1}) {
      Path restored = folder.resolve("one" + one);
      assertThat(restoreTo(RestorePoint.sequence(one), restored)).isEqualTo(one);
    }
    // The first one goes on after all.
    goOnFrom(2, "again", 100);
    Path restored = folder.resolve("again5");
    assertThat(restoreTo(RestorePoint.sequence(first + 5), restored)).isEqualTo(first + 5);
    assertThatThrownBy(() -> restoreTo(RestorePoint.sequence(second + 1), copy))
        .hasMessageContaining("generations 3 and 5 lead to different moments");
  }

  /** Restores a generation, writes to the database, and makes another one. */
  private long goOnFrom(long generation, String name, int count) throws IOException {
    backups.restore(generation, folder.resolve(name));
    clock.addAndGet(60_000);
    try (Database database = Database.open(folder.resolve(name), options())) {
      put(database, count);
      return backups.create(database).checkpoint().sequence();
    }
  }

  /** Whether it fails is known from the manifest and the log. */
  @Test
  void aRestoreToATimeThatFailsCopiesNoSortedTable() throws IOException {
    Set<String> read = new HashSet<>();
    backups =
        Backups.at(
            new ForwardingTarget(BackupTarget.folder(folder.resolve("backups"))) {
              @Override
              public InputStream read(String name) throws IOException {
                read.add(name);
                return super.read(name);
              }
            });
    try (Database database = Database.open(folder.resolve("db"), options())) {
      put(database, 5);
      database.flush();
      backups.create(database);
      put(database, 5);
      database.flush();
      backups.create(database);
    }
    Instant lost = Instant.ofEpochMilli(clock.get()).plusSeconds(1);
    goOnFrom(1, "other", 50);
    Set<String> tables = new HashSet<>();
    for (long number = 1; number <= 3; number++) {
      GenerationRecord.read(BackupTarget.folder(folder.resolve("backups")), number).files().stream()
          .filter(file -> file.name().startsWith("sst/"))
          .forEach(file -> tables.add(file.object()));
    }
    assertThat(tables).isNotEmpty();
    read.clear();
    assertThatThrownBy(() -> restoreTo(RestorePoint.time(lost), folder.resolve("copy")))
        .isInstanceOf(RestorePointException.class);
    assertThat(read).isNotEmpty().doesNotContainAnyElementsOf(tables);
  }

  @Test
  void aTimeThatOnlyTheDatabaseSawThatWasReplacedIsRefused() throws IOException {
    backups = backups();
    try (Database database = Database.open(folder.resolve("db"), options())) {
      put(database, 5);
      backups.create(database);
      put(database, 5);
      backups.create(database);
      put(database, 5);
      backups.create(database);
      put(database, 10);
    }
    Instant lost = Instant.ofEpochMilli(clock.get());
    backups.restore(2, folder.resolve("second"));
    clock.addAndGet(60_000);
    Instant begun = Instant.ofEpochMilli(clock.get());
    try (Database database = Database.open(folder.resolve("second"), options())) {
      put(database, 50);
      backups.create(database);
    }
    Path copy = folder.resolve("copy");
    for (Instant refused : List.of(lost, begun.minusSeconds(1))) {
      assertThatThrownBy(() -> restoreTo(RestorePoint.time(refused), copy))
          .isInstanceOf(RestorePointException.class)
          .hasMessageContaining("cannot restore to " + refused);
      assertThat(copy).doesNotExist();
    }
    assertThat(restoreTo(RestorePoint.time(begun.plusSeconds(50)), copy)).isPositive();
    try (Database restored = Database.open(copy)) {
      assertThat(restored.keyValueStore("s").get(key(NOON.plusSeconds(10)))).isNotNull();
      assertThat(restored.keyValueStore("s").get(key(NOON.plusSeconds(15)))).isNull();
    }
  }

  private long restoreTo(RestorePoint point, Path copy) throws IOException {
    return backups.restore(point, copy, options(), BackupOptions.DEFAULTS);
  }

  private static byte[] key(Instant written) {
    return ("k" + written.toEpochMilli()).getBytes(UTF_8);
  }

  @Test
  void aRestorationThatFailedIsRepeatedInTheSameFolder() throws IOException {
    backups = backups();
    try (Database database = Database.open(folder.resolve("db"))) {
      database.createTable(TableDescriptor.of("t", "f"));
      load(database, 1);
      backups.create(database);
    }
    Path largest = null;
    for (Path each : TestFiles.filesBelow(folder.resolve("backups/files"))) {
      largest = largest == null || Files.size(each) > Files.size(largest) ? each : largest;
    }
    byte[] sound = Files.readAllBytes(largest);
    Files.write(largest, new byte[sound.length]);
    Path restored = folder.resolve("restored");
    assertThatThrownBy(() -> backups.restore(1, restored))
        .isInstanceOf(BackupDamagedException.class);
    Files.write(largest, sound);
    backups.restore(1, restored);
    assertThat(corrected(restored)).isEqualTo(1);
  }
}
