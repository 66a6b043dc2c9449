// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.backup;

import static io.accordiondb.fixtures.JavaProcess.javaProcess;
import static io.accordiondb.fixtures.JavaProcess.killAtWork;
import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.Database;
import io.accordiondb.KeyValueIterator;
import io.accordiondb.KeyValueStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A process is killed at any moment of a backup or a deletion; all generations stay whole. */
@Tag("slow")
class KilledBackupTest {
  private static final int ROUNDS = 3;
  private static final long MILLIS_MAX = 800;

  @TempDir private Path folder;

  @Test
  void everyGenerationThatIsListedIsWhole() throws Exception {
    SplittableRandom random = new SplittableRandom(System.nanoTime());
    Backups backups = Backups.at(BackupTarget.folder(folder.resolve("backups")));
    for (int round = 0; round < ROUNDS; round++) {
      killAtWork(
          javaProcess(List.of(), Writer.class, folder),
          folder.resolve("begun"),
          Duration.ofMillis(random.nextLong(MILLIS_MAX)));
      for (Generation generation : backups.generations()) {
        assertThat(backups.verify(generation.number(), BackupOptions.DEFAULTS)).isEmpty();
      }
    }
    try (Database database = Database.open(folder.resolve("database"))) {
      Generation made = backups.create(database);
      Path restored = folder.resolve("restored");
      backups.restore(made.number(), restored);
      try (Database copy = Database.open(restored)) {
        assertThat(countOf(copy)).isPositive().isEqualTo(countOf(database));
      }
    }
  }

  private static int countOf(Database database) throws IOException {
    int count = 0;
    try (KeyValueIterator all = database.keyValueStore("numbers").range(null, null)) {
      while (all.hasNext()) {
        all.next();
        count++;
      }
    }
    return count;
  }

  /** Writes, backs up and deletes until it is killed. */
  static final class Writer {
    private Writer() {}

    public static void main(String[] arguments) throws IOException {
      Path folder = Path.of(List.of(arguments).get(0));
      Backups backups = Backups.at(BackupTarget.folder(folder.resolve("backups")));
      try (Database database = Database.open(folder.resolve("database"))) {
        KeyValueStore store = database.keyValueStore("numbers");
        Files.writeString(folder.resolve("begun"), "");
        for (long i = System.nanoTime(); ; i++) {
          store.put(ByteBuffer.allocate(Long.BYTES).putLong(i).array(), new byte[200]);
          if (i % 500 == 0) {
            database.flush();
            backups.create(database);
            backups.keepNewest(3);
          }
        }
      }
    }
  }
}
