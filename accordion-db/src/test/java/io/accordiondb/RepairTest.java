// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import static io.accordiondb.fixtures.TestData.key;
import static io.accordiondb.fixtures.TestData.value;
import static io.accordiondb.fixtures.TestFiles.flip;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RepairTest {
  private static final int KEYS = 1000;

  @TempDir Path folder;

  private static DatabaseOptions options() {
    return DatabaseOptions.builder().memoryBytes(4 << 20).logFileBytes(16 << 10).build();
  }

  /** A table of several files and regions, of which the last keys are in the log alone. */
  @BeforeEach
  void write() throws IOException {
    Path path = folder.resolve("open");
    try (Database database = Database.open(path, options())) {
      KeyValueStore store = database.keyValueStore("s");
      for (int i = 0; i < KEYS; i++) {
        if (i == 300 || i == 600) {
          database.flush();
        }
        if (i == 700) {
          database.splitRegion("s", key(500));
        }
        store.put(key(i), value(i));
      }
      database.checkpoint(folder.resolve("db"));
    }
  }

  @Test
  void aFileThatLeavesNoNumberForOthersIsNamed() throws IOException {
    Path stray = Files.createFile(db().resolve("sst/999999999999.sst"));
    assertThatIOException()
        .isThrownBy(() -> Database.repair(db()))
        .withMessageContainingAll("999999999999", "move it out of the folder");
    Files.delete(stray);
    Database.repair(db());
    assertThat(Database.verify(db()).isSound()).isTrue();
  }

  private Path db() {
    return folder.resolve("db");
  }

  private List<Path> files(String directory) throws IOException {
    try (Stream<Path> files = Files.list(db().resolve(directory))) {
      return files.sorted().toList();
    }
  }

  private Path manifest() throws IOException {
    try (Stream<Path> files = Files.list(db())) {
      return files
          .filter(file -> String.valueOf(file.getFileName()).startsWith("MANIFEST"))
          .findFirst()
          .orElseThrow();
    }
  }

  private int keysLeft() throws IOException {
    assertThat(Database.verify(db()).problems()).isEmpty();
    try (Database database = Database.open(db(), options())) {
      int left = 0;
      for (int i = 0; i < KEYS; i++) {
        byte[] found = database.keyValueStore("s").get(key(i));
        if (found != null) {
          assertThat(found).isEqualTo(value(i));
          left++;
        }
      }
      database.keyValueStore("s").put(key(KEYS), value(KEYS));
      database.flush();
      database.majorCompact("s");
      return left;
    }
  }

  @Test
  void soundDatabaseStaysAsItIs() throws IOException {
    RepairReport report = Database.repair(db());
    assertThat(report.lost()).isEmpty();
    assertThat(report.notes()).isEmpty();
    assertThat(db().resolve("lost")).doesNotExist();
    assertThat(keysLeft()).isEqualTo(KEYS);
  }

  @Test
  void lostManifestIsMadeFromTheFiles() throws IOException {
    loseManifest();
    RepairReport report = Database.repair(db());
    assertThat(report.tables()).isEqualTo(1);
    assertThat(report.notes()).isNotEmpty();
    assertThat(report.lost()).isNotEmpty();
    // The last keys are in the log alone, in regions that no file names.
    assertThat(keysLeft()).isEqualTo(KEYS);
  }

  private void loseManifest() throws IOException {
    Files.delete(manifest());
    Files.delete(db().resolve("CURRENT"));
  }

  /** Ingests a new key into a table that has a checkpoint, and returns the only family's name. */
  private String ingest(byte[] key, byte[] value) throws IOException {
    Path file = folder.resolve("ingested");
    try (Database database = Database.open(db(), options())) {
      FamilyDescriptor family = database.describe("s").families().get(0);
      try (SortedFileWriter writer = SortedFileWriter.create(file, family)) {
        writer.add(key, new byte[0], 1, value);
        writer.finish();
      }
      database.ingest("s", family.name(), List.of(file));
      assertThat(database.keyValueStore("s").get(key)).isEqualTo(value);
      return family.name();
    }
  }

  @Test
  void reportSaysHowAnIngestedTableComesBackAfterTheLossOfTheManifest() throws IOException {
    String family = ingest(key(KEYS + 1), value(1));
    loseManifest();
    RepairReport report = Database.repair(db());
    Path kept = onlyFile(db().resolve("lost"));
    assertThat(report.lost())
        .extracting(VerificationReport.Problem::message)
        .anyMatch(
            message ->
                message.contains(
                    "accordion store ingest %s --table s --family %s %s"
                        .formatted(db(), family, kept)));
    try (Database database = Database.open(db(), options())) {
      database.ingest("s", family, List.of(kept));
      assertThat(database.keyValueStore("s").get(key(KEYS + 1))).isEqualTo(value(1));
    }
    assertThat(keysLeft()).isEqualTo(KEYS);
  }

  private static Path onlyFile(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      List<Path> found = files.toList();
      assertThat(found).hasSize(1);
      return found.get(0);
    }
  }

  @Test
  void everyDamageOfTheManifestLeavesADatabaseThatOpens() throws IOException {
    byte[] manifest = Files.readAllBytes(manifest());
    byte[] current = Files.readAllBytes(db().resolve("CURRENT"));
    for (int offset = 0; offset < manifest.length; offset += 41) {
      Path path = manifest();
      flip(path, offset);
      Database.repair(db());
      assertThat(Database.verify(db()).problems()).as("byte %d", offset).isEmpty();
      try (Database database =
          Database.open(db(), DatabaseOptions.builder().readOnly(true).build())) {
        assertThat(database.keyValueStore("s").get(key(10))).isEqualTo(value(10));
        assertThat(database.keyValueStore("s").get(key(650))).isEqualTo(value(650));
      }
      for (Path other : List.of(manifest())) {
        Files.deleteIfExists(other);
      }
      try (Stream<Path> files = Files.list(db())) {
        for (Path other : files.toList()) {
          if (String.valueOf(other.getFileName()).startsWith("MANIFEST")) {
            Files.delete(other);
          }
        }
      }
      Files.write(path, manifest);
      Files.write(db().resolve("CURRENT"), current);
    }
  }

  @Test
  void damagedSortedTableIsPutAside() throws IOException {
    Path table = files("sst").get(0);
    flip(table, 50);
    RepairReport report = Database.repair(db());
    assertThat(report.lost()).hasSize(1);
    assertThat(db().resolve("lost").resolve(table.getFileName())).exists();
    assertThat(keysLeft()).isBetween(KEYS - 301, KEYS - 1);
  }

  @Test
  void theJournalOfAnImportEndsWithARepairThatLosesCells() throws IOException {
    Path journal = Files.createFile(db().resolve("import-1"));
    Path notes = Files.createFile(db().resolve("import-notes"));
    Path data = Files.createDirectories(db().resolve("import-data/part"));
    Database.repair(db());
    assertThat(journal).exists();
    flip(files("sst").get(0), 100);
    Database.repair(db());
    assertThat(journal).doesNotExist();
    assertThat(List.of(notes, data)).as("what others have put there").allMatch(Files::exists);
  }

  @Test
  void damagedLogIsSalvaged() throws IOException {
    Path log = files("wal").get(0);
    flip(log, Files.size(log) / 2);
    RepairReport report = Database.repair(db());
    assertThat(report.lost()).hasSize(1);
    assertThat(keysLeft()).isGreaterThanOrEqualTo(KEYS - 1);
  }
}
