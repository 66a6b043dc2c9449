// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.backup;

import static io.accordiondb.fixtures.JavaProcess.javaProcess;
import static io.accordiondb.fixtures.JavaProcess.outputOf;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.Database;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.RestorePoint;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The folder that a backup is restored to is that in which the process runs. */
class RestoreIntoWorkingFolderTest {
  private static final byte[] KEY = "key".getBytes(UTF_8);

  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(strings = {".", "", "./", "../new"})
  void aGenerationIsRestored(String path) throws Exception {
    assertRestored("generation", path);
  }

  @Test
  void aMomentIsRestored() throws Exception {
    assertRestored("moment", ".");
  }

  private void assertRestored(String what, String path) throws Exception {
    DatabaseOptions keeping = DatabaseOptions.builder().logRetention(Duration.ofDays(1)).build();
    try (Database database = Database.open(folder.resolve("db"), keeping)) {
      database.keyValueStore("s").put(KEY, KEY);
      Backups.at(BackupTarget.folder(folder.resolve("backups"))).create(database);
    }
    Path restored = Files.createDirectory(folder.resolve("new"));
    ProcessBuilder process =
        javaProcess(List.of(), Restore.class, folder.resolve("backups"), what, path);
    outputOf(process.directory(restored.toFile()));
    try (Database database = Database.open(restored)) {
      assertThat(database.keyValueStore("s").get(KEY)).isEqualTo(KEY);
    }
  }

  /** Restores a backup. */
  static final class Restore {
    private Restore() {}

    public static void main(String[] arguments) throws IOException {
      List<String> words = List.of(arguments);
      Backups backups = Backups.at(BackupTarget.folder(Path.of(words.get(0))));
      Path restored = Path.of(words.get(2));
      if (words.get(1).equals("generation")) {
        backups.restore(1, restored);
      } else {
        long sequence = backups.generations().get(0).checkpoint().sequence();
        backups.restore(
            RestorePoint.sequence(sequence),
            restored,
            DatabaseOptions.defaults(),
            BackupOptions.DEFAULTS);
      }
    }
  }
}
