// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.durability;

import static io.accordiondb.fixtures.TestData.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.accordiondb.CompactionStyle;
import io.accordiondb.CorruptionException;
import io.accordiondb.Database;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.FamilyDescriptor;
import io.accordiondb.Get;
import io.accordiondb.KeyProvider;
import io.accordiondb.LoggedText;
import io.accordiondb.Merge;
import io.accordiondb.RecoveryMode;
import io.accordiondb.RepairReport;
import io.accordiondb.TableDescriptor;
import io.accordiondb.TestKeys;
import io.accordiondb.VerificationReport;
import io.accordiondb.internal.repair.Repairer;
import io.accordiondb.internal.repair.Verifier;
import io.accordiondb.internal.storage.MemoryStorage;
import io.accordiondb.internal.storage.Storage;
import io.accordiondb.internal.storage.StorageReader;
import io.accordiondb.internal.storage.WrappingStorage;
import io.accordiondb.merge.MergeOperators;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Repairs and recoveries of databases that use several features at once. */
class DamagedFeaturesTest extends OneTable {
  static void loseManifest(MemoryStorage disk) throws IOException {
    for (String name : disk.list("")) {
      if (name.startsWith("MANIFEST") || name.equals("CURRENT")) {
        disk.delete(name);
      }
    }
  }

  static Map<String, byte[]> manifest(MemoryStorage disk) throws IOException {
    Map<String, byte[]> files = new TreeMap<>();
    for (String name : disk.list("")) {
      if (name.startsWith("MANIFEST") || name.equals("CURRENT")) {
        files.put(name, disk.bytes(name));
      }
    }
    return files;
  }

  static void restore(MemoryStorage disk, Map<String, byte[]> manifest) throws IOException {
    for (String name : disk.list("")) {
      if (name.startsWith("MANIFEST") && !manifest.containsKey(name)) {
        throw new IllegalStateException("rolled " + name);
      }
    }
    for (var file : manifest.entrySet()) {
      disk.setBytes(file.getKey(), file.getValue());
    }
  }

  static void add(Database database, String row, long n) throws IOException {
    database
        .table("t")
        .merge(new Merge(bytes(row)).addColumn(F, Q, ByteBuffer.allocate(8).putLong(n).array()));
  }

  static long count(Database database, String row) throws IOException {
    byte[] value = database.table("t").get(new Get(bytes(row))).value(F, Q);
    return value == null ? 0 : ByteBuffer.wrap(value).getLong();
  }

  @Test
  void repairKeepsLoggedCellsBelowACompactedIngestedFile() throws IOException {
    MemoryStorage killed;
    try (Database database = open(disk, options())) {
      database.createTable(TableDescriptor.builder("t").family(manual()).build());
      put(database, "t", "a", "flushed");
      database.flush();
      put(database, "t", "b", "logged");
      ingest(database, "t", "c", "ingested");
      database.majorCompact("t");
      killed = disk.copy();
    }
    loseManifest(killed);
    new Repairer(killed).repair();
    try (Database database = open(killed, options())) {
      assertThat(get(database, "t", "a")).isEqualTo("flushed");
      assertThat(get(database, "t", "c")).isEqualTo("ingested");
      assertThat(get(database, "t", "b")).isEqualTo("logged");
    }
  }

  private static DatabaseOptions.Builder optionsThatKeepTheLog() {
    return options().logFileBytes(4 << 10).logRetention(Duration.ofDays(1));
  }

  /** Writes a table, and flushes it, so that the files of the log are kept. */
  private static void fillKeptLog(Database database) throws IOException {
    database.createTable(TableDescriptor.builder("t").family(manual()).build());
    for (int i = 0; i < 100; i++) {
      put(database, "t", "row" + i, "v".repeat(300));
    }
    database.flush();
  }

  @Test
  void repairKeepsTheKeptLog() throws IOException {
    DatabaseOptions.Builder options = optionsThatKeepTheLog();
    MemoryStorage killed;
    try (Database database = open(disk, options)) {
      fillKeptLog(database);
      for (int i = 0; i < 100; i++) {
        put(database, "t", "row" + i, "w".repeat(300));
      }
      killed = disk.copy();
    }
    List<String> kept = new ArrayList<>(killed.list("kept"));
    assertThat(kept).hasSizeGreaterThan(2);
    List<String> wal = killed.list("wal");
    killed.flip("wal/" + wal.get(0), 1000);
    new Repairer(killed).repair();
    assertThat(killed.list("kept")).containsAll(kept);
    new Repairer(killed).repair();
    assertThat(new Verifier(killed).verify().problems()).isEmpty();
  }

  @Test
  void repairPutsDamagedFilesOfTheKeptLogAside() throws IOException {
    DatabaseOptions.Builder options = optionsThatKeepTheLog();
    try (Database database = open(disk, options)) {
      fillKeptLog(database);
    }
    List<String> kept = new ArrayList<>(disk.list("kept"));
    assertThat(kept).hasSizeGreaterThan(3).contains("names");
    String damaged = kept.get(1);
    disk.flip("kept/" + damaged, 1000);
    disk.flip("kept/names", 50);
    RepairReport report = new Repairer(disk).repair();
    assertThat(report.lost())
        .extracting(VerificationReport.Problem::file)
        .containsExactly(disk.path("kept/" + damaged), disk.path("kept/names"));
    assertThat(report.lost())
        .allMatch(problem -> problem.message().contains("it is kept as lost/"));
    assertThat(disk.list("lost")).containsExactlyInAnyOrder(damaged, "names");
    kept.removeAll(List.of(damaged, "names"));
    assertThat(disk.list("kept")).containsExactlyElementsOf(kept);
    assertThat(new Verifier(disk).verify().problems()).isEmpty();
    try (Database database = open(disk, options)) {
      assertThat(get(database, "t", "row99")).startsWith("v");
    }
    assertThat(new Verifier(disk).verify().problems()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"true, true", "true, false", "false, true", "false, false"})
  void aFileThatMayNotBeOpenedNowIsNotLost(boolean isDenied, boolean isManifestThere)
      throws IOException {
    String file = "sst/000000000001.sst";
    assertNotLostAfter(
        isDenied
            ? new AccessDeniedException(file)
            : new FileSystemException(file, null, "Too many open files"),
        isManifestThere);
  }

  @ParameterizedTest
  @ValueSource(strings = {"Cannot allocate memory", "Stale file handle", "Connection timed out"})
  void aFileThatCannotBeReadNowIsNotLost(String reason) throws IOException {
    assertNotLostAfter(new FileSystemException("sst/000000000001.sst", null, reason), true);
  }

  @Test
  void aFileWhoseLibraryDoesNotLoadIsNotLost() throws IOException {
    assertNotLostAfter(new IOException("ZSTD compression needs the native library"), true);
  }

  @Test
  void aFileThatTheDeviceCannotReadIsDamaged() throws IOException {
    try (Database database = open(disk, options())) {
      database.createTable(TableDescriptor.builder("t").family(manual()).build());
      put(database, "t", "row", "v");
    }
    String table = "sst/" + disk.list("sst").get(0);
    Storage broken = refusing(table, new FileSystemException(table, null, "Input/output error"));
    assertThat(new Verifier(broken).verify().problems()).hasSize(1);
  }

  private void assertNotLostAfter(IOException failure, boolean isManifestThere) throws IOException {
    try (Database database = open(disk, options())) {
      database.createTable(TableDescriptor.builder("t").family(manual()).build());
      put(database, "t", "row", "v");
    }
    String table = "sst/" + disk.list("sst").get(0);
    if (!isManifestThere) {
      loseManifest(disk);
    }
    Storage refusing = refusing(table, failure);
    if (isManifestThere) {
      assertThatThrownBy(() -> new Verifier(refusing).verify()).isSameAs(failure);
    }
    assertThatThrownBy(() -> new Repairer(refusing).repair()).isSameAs(failure);
    assertThat(disk.list("sst")).hasSize(1);
    new Repairer(disk).repair();
    assertThat(new Verifier(disk).verify().problems()).isEmpty();
    try (Database database = open(disk, options())) {
      assertThat(get(database, "t", "row")).isEqualTo("v");
    }
  }

  private Storage refusing(String table, IOException failure) {
    return new WrappingStorage(disk) {
      @Override
      public StorageReader open(String name) throws IOException {
        if (name.equals(table)) {
          throw failure;
        }
        return super.open(name);
      }
    };
  }

  @Test
  void verifySaysThatASortedTableIsMissing() throws IOException {
    try (Database database = open(disk, options())) {
      database.createTable(TableDescriptor.builder("t").family(manual()).build());
      put(database, "t", "row", "v");
    }
    String table = "sst/" + disk.list("sst").get(0);
    disk.delete(table);
    assertThat(new Verifier(disk).verify().problems())
        .containsExactly(
            new VerificationReport.Problem(disk.path(table), disk.path(table) + " is missing"));
  }

  @Test
  void verifyNotesThatAKeptLogFileIsMissing() throws IOException {
    DatabaseOptions.Builder options = optionsThatKeepTheLog();
    try (Database database = open(disk, options)) {
      fillKeptLog(database);
    }
    List<String> kept =
        disk.list("kept").stream().filter(name -> name.endsWith(".log")).sorted().toList();
    assertThat(kept).hasSizeGreaterThan(4);
    disk.delete("kept/" + kept.get(0));
    assertThat(new Verifier(disk).verify().notes()).isEmpty();
    disk.delete("kept/" + kept.get(2));
    VerificationReport report = new Verifier(disk).verify();
    assertThat(report.problems()).isEmpty();
    assertThat(report.notes())
        .containsExactly(
            "the kept log has a gap before "
                + disk.path("kept/" + kept.get(3))
                + ": file "
                + Long.parseLong(kept.get(2).substring(0, 12))
                + " is missing, so change feeds and restores lack its writes");
    disk.delete("kept/" + kept.get(kept.size() - 1));
    String oldest = disk.path("wal/" + disk.list("wal").get(0));
    assertThat(new Verifier(disk).verify().notes())
        .hasSize(2)
        .anyMatch(note -> note.startsWith("the kept log has a gap before " + oldest));
  }

  /** The command line shows what is logged. */
  @Test
  void warningsOfDamageHaveNoStackTraces() throws IOException {
    DatabaseOptions.Builder options = optionsThatKeepTheLog();
    try (Database database = open(disk, options)) {
      database.createTable(TableDescriptor.builder("t").family(manual()).build());
      for (int i = 0; i < 100; i++) {
        put(database, "t", "row" + i, "v".repeat(300));
        if (i % 50 == 49) {
          database.flush();
        }
      }
    }
    try (LoggedText log = new LoggedText()) {
      disk.flip("kept/names", 50);
      open(disk, options).close();
      List<String> tables = disk.list("sst");
      disk.setBytes("sst/" + tables.get(0), disk.bytes("sst/" + tables.get(1)));
      new Repairer(disk).repair();
      assertThat(log.toString())
          .contains("names of tables that are gone: /memory/kept/names is damaged")
          .containsPattern("no cell of .*" + tables.get(0) + " could be read: .* is damaged")
          .doesNotContain("\tat ");
    }
  }

  @Test
  void pointInTimeRefusesAnIngestedFileFromAfterThatMoment() throws IOException {
    MemoryStorage killed;
    try (Database database = open(disk, options())) {
      database.createTable(TableDescriptor.builder("t").family(manual()).build());
      for (int i = 0; i < 20; i++) {
        put(database, "t", "row" + i, "logged");
      }
      ingest(database, "t", "z", "ingested");
      put(database, "t", "row99", "logged");
      killed = disk.copy();
    }
    String log = "wal/" + killed.list("wal").get(0);
    byte[] bytes = killed.bytes(log);
    int end = bytes.length;
    while (bytes[end - 1] == 0) {
      end--;
    }
    killed.flip(log, end / 2);
    assertThatThrownBy(() -> open(killed, options().recoveryMode(RecoveryMode.POINT_IN_TIME)))
        .isInstanceOf(CorruptionException.class)
        .hasMessageContaining("which sorted tables have");
  }

  @Test
  void repairAdoptsLoggedCellsOfATruncatedTable() throws IOException {
    MemoryStorage killed;
    Map<String, byte[]> old;
    try (Database database = open(disk, options())) {
      database.createTable(TableDescriptor.builder("t").family(manual()).build());
      put(database, "t", "a", "before");
      database.flush();
      old = manifest(disk);
      database.truncateTable("t");
      put(database, "t", "b", "flushed");
      database.flush();
      put(database, "t", "c", "logged");
      killed = disk.copy();
    }
    restore(killed, old);
    new Repairer(killed).repair();
    try (Database database = open(killed, options())) {
      assertThat(get(database, "t", "a")).isNull();
      assertThat(get(database, "t", "b")).isEqualTo("flushed");
      assertThat(get(database, "t", "c")).isEqualTo("logged");
    }
  }

  @Test
  void aRangeTombstoneOfARepairedLogStaysInForce() throws IOException {
    MemoryStorage killed;
    Map<String, byte[]> old;
    try (Database database = open(disk, options())) {
      database.createTable(TableDescriptor.builder("t").family(manual()).build());
      put(database, "t", "a", "deleted");
      old = manifest(disk);
      database.flush();
      database.splitRegion("t", bytes("h"));
      database.table("t").deleteRange(bytes("a"), bytes("b"));
      put(database, "t", "c", "there");
      database.flush();
      database.majorCompact("t");
      killed = disk.copy();
    }
    restore(killed, old);
    new Repairer(killed).repair();
    for (int i = 0; i < 3; i++) {
      try (Database database = open(killed, options())) {
        assertThat(get(database, "t", "a")).as("opening " + i).isNull();
        assertThat(get(database, "t", "c")).isEqualTo("there");
      }
    }
  }

  @Test
  void repairsTheLogOfAnEncryptedDatabase() throws IOException {
    Path path = folder.resolve("enc");
    KeyProvider keys = TestKeys.current("a");
    Path copy = folder.resolve("copy");
    try (Database database = Database.open(path, options().encryption(keys).build())) {
      database.createTable(TableDescriptor.builder("t").family(manual()).build());
      for (int i = 100; i < 150; i++) {
        put(database, "t", "row" + i, "v");
      }
      database.checkpoint(copy);
    }
    Path log;
    try (var list = Files.list(copy.resolve("wal"))) {
      log = list.sorted().findFirst().orElseThrow();
    }
    byte[] bytes = Files.readAllBytes(log);
    bytes[bytes.length / 2] ^= 1;
    Files.write(log, bytes);
    Database.repair(copy, keys);
    try (Database database = Database.open(copy, options().encryption(keys).build())) {
      assertThat(get(database, "t", "row100")).isEqualTo("v");
    }
    Database.repair(copy, keys);
  }

  @Test
  void repairCountsNoOperandTwice() throws IOException {
    MemoryStorage killed;
    try (Database database = open(disk, options())) {
      database.createTable(
          TableDescriptor.builder("t")
              .family(
                  FamilyDescriptor.builder("f")
                      .mergeOperator(MergeOperators.counter().name())
                      .compactionStyle(CompactionStyle.NONE)
                      .build())
              .build());
      for (int i = 0; i < 10; i++) {
        add(database, "a", 1);
      }
      database.flush();
      database.splitRegion("t", bytes("h"));
      add(database, "b", 1);
      database.flush();
      add(database, "a", 1);
      assertThat(count(database, "a")).isEqualTo(11);
      killed = disk.copy();
    }
    loseManifest(killed);
    new Repairer(killed).repair();
    try (Database database = open(killed, options())) {
      assertThat(count(database, "b")).isEqualTo(1);
      assertThat(count(database, "a")).isEqualTo(11);
    }
  }

  @Test
  void repairReportsNoLossForWhatAKilledCompactionHasLeft() throws IOException {
    try (Database database = open(disk, options())) {
      database.createTable(TableDescriptor.builder("t").family(manual()).build());
      put(database, "t", "a", "1");
    }
    String name = "sst/000000000020.sst";
    disk.create(name).close();
    assertThat(new Verifier(disk).verify().problems()).isEmpty();
    assertThat(new Repairer(disk).repair().lost()).isEmpty();
  }
}
