// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.backup;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.Database;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
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
}
