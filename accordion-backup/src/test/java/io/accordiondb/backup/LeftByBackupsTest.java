// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.backup;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.accordiondb.Database;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What backups and deletions keep, and what they leave behind. */
class LeftByBackupsTest {
  private static final byte[] KEY = "key".getBytes(UTF_8);

  @TempDir private Path folder;

  @Test
  void aBackupOfADatabaseInMemoryLeavesNoFile() throws IOException {
    List<Path> before = temporaryFiles();
    try (Database database = Database.inMemory()) {
      database.keyValueStore("s").put(KEY, KEY);
      Backups.at(BackupTarget.folder(folder.resolve("backups"))).create(database);
    }
    assertThat(temporaryFiles()).isSubsetOf(before);
  }

  private static List<Path> temporaryFiles() throws IOException {
    try (Stream<Path> files = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
      return files
          .filter(file -> String.valueOf(file.getFileName()).startsWith("accordion-backup"))
          .filter(Files::isRegularFile)
          .toList();
    }
  }

  @Test
  void damagedGenerationsDoNotCountAmongTheNewestThatAreKept() throws IOException {
    Path place = folder.resolve("backups");
    Backups backups = Backups.at(BackupTarget.folder(place));
    try (Database database = Database.open(folder.resolve("db"))) {
      for (int i = 1; i <= 3; i++) {
        database.keyValueStore("s").put(KEY, new byte[] {(byte) i});
        backups.create(database);
      }
    }
    Files.writeString(place.resolve("generations/0000000003"), "nonsense");
    backups.keepNewest(1);
    assertThat(backups.generations()).extracting(Generation::number).containsExactly(2L);
  }

  @Test
  void backupsInTheFolderOfTheDatabaseAreRefusedByAnyPath() throws IOException {
    Path path = folder.resolve("db");
    Path link = Files.createSymbolicLink(folder.resolve("link"), path);
    try (Database database = Database.open(path)) {
      Backups backups = Backups.at(BackupTarget.folder(link.resolve("a/backups")));
      assertThatThrownBy(() -> backups.create(database))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("is in the folder of the database");
    }
    assertThat(path.resolve("a")).doesNotExist();
  }

  /** Otherwise a loss of power could bring the record of a generation back without its files. */
  @Test
  void theDeletionOfAGenerationIsOnTheDeviceBeforeItsFilesGo() throws Exception {
    Path place = folder.resolve("backups");
    BackupTarget target = BackupTarget.folder(place);
    try (Database database = Database.open(folder.resolve("db"))) {
      for (int i = 1; i <= 3; i++) {
        database.keyValueStore("s").put(KEY, new byte[] {(byte) i});
        Backups.at(target).create(database);
      }
    }
    assertThat(forcedBeforeAFileGoes(target, backups -> backups.delete(1)))
        .contains(place.resolve("generations"));
    assertThat(forcedBeforeAFileGoes(target, backups -> backups.keepNewest(1)))
        .contains(place.resolve("generations"));
  }

  private interface Deletion {
    void run(Backups backups) throws IOException;
  }

  /** Returns the files and folders that a deletion forces to the device until a file goes. */
  private List<Path> forcedBeforeAFileGoes(BackupTarget target, Deletion deletion)
      throws IOException {
    Path dump = folder.resolve("events.jfr");
    Files.deleteIfExists(dump);
    try (Recording recording = new Recording()) {
      recording.enable("jdk.FileForce").withoutThreshold();
      recording.start();
      deletion.run(
          Backups.at(
              new ForwardingTarget(target) {
                @Override
                public void delete(String name) throws IOException {
                  if (name.startsWith(FileEntry.OBJECTS) && !Files.exists(dump)) {
                    recording.dump(dump);
                  }
                  super.delete(name);
                }
              }));
    }
    return RecordingFile.readAllEvents(dump).stream()
        .filter(event -> event.getEventType().getName().equals("jdk.FileForce"))
        .map(event -> Path.of(event.getString("path")))
        .toList();
  }
}
