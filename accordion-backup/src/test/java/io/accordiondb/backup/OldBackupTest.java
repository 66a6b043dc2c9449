// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.backup;

import static io.accordiondb.fixtures.TestData.key;
import static io.accordiondb.fixtures.TestData.value;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.Database;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.KeyValueStore;
import io.accordiondb.LogWriting;
import io.accordiondb.RestorePoint;
import io.accordiondb.fixtures.TestFiles;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Backups that releases have written are read. {@link #main} writes those of a release, which are
 * never written again: into a folder {@code format/RELEASE} below the resources of the tests.
 */
class OldBackupTest {
  private static final int KEYS = 20;

  @TempDir Path folder;

  private static DatabaseOptions options() {
    return DatabaseOptions.builder()
        .memoryBytes(4 << 20)
        .logFileBytes(4 << 10)
        .logWriting(LogWriting.PLAIN)
        .logRetention(Duration.ofDays(3650))
        .build();
  }

  /** Writes two generations. The only argument is a folder. */
  public static void main(String[] arguments) throws IOException {
    Path database = Files.createTempDirectory("accordion-");
    Backups backups = Backups.at(BackupTarget.folder(Path.of(arguments[0]).resolve("backups")));
    try (Database open = Database.open(database.resolve("database"), options())) {
      for (int generation = 1; generation <= 2; generation++) {
        write(open, generation);
        open.flush();
        backups.create(open);
      }
    }
    TestFiles.deleteFolder(database);
  }

  private static void write(Database database, int generation) throws IOException {
    for (int i = (generation - 1) * KEYS; i < generation * KEYS; i++) {
      database.keyValueStore("s").put(key(i), value(i));
    }
  }

  /** Returns a copy of the backups of a release. */
  private Path backups(String release) throws IOException {
    Path kept =
        Path.of(
            URI.create(
                Objects.requireNonNull(
                        OldBackupTest.class.getResource("/format/" + release + "/backups"))
                    .toString()));
    Path copy = folder.resolve("backups");
    for (Path file : TestFiles.filesBelow(kept)) {
      Path target = copy.resolve(kept.relativize(file).toString());
      Files.createDirectories(Objects.requireNonNull(target.getParent()));
      Files.copy(file, target);
    }
    return copy;
  }

  @ParameterizedTest
  @ValueSource(strings = "0.1.0")
  void everyGenerationIsRestored(String release) throws IOException {
    Backups backups = Backups.at(BackupTarget.folder(backups(release)));
    List<Generation> generations = backups.generations();
    assertThat(generations).extracting(Generation::number).containsExactly(1L, 2L);
    assertThat(backups.problems()).isEmpty();
    for (Generation generation : generations) {
      assertThat(backups.verify(generation.number(), BackupOptions.DEFAULTS)).isEmpty();
      Path restored = folder.resolve("restored" + generation.number());
      backups.restore(generation.number(), restored);
      assertHolds(restored, KEYS * (int) generation.number());
    }
    // A moment between them is in the kept log of the second one.
    long between = Objects.requireNonNull(generations.get(0).checkpoint()).sequence() + 5;
    Path restored = folder.resolve("between");
    backups.restore(RestorePoint.sequence(between), restored, options(), BackupOptions.DEFAULTS);
    assertHolds(restored, KEYS + 5);
    // The next backup goes on behind them.
    try (Database database = Database.open(folder.resolve("restored2"), options())) {
      assertThat(backups.create(database).number()).isEqualTo(3);
    }
  }

  /** The oldest backups do not say which moment they hold. */
  @ParameterizedTest
  @ValueSource(strings = "0.1.0")
  void aGenerationWithoutItsMomentIsRestored(String release) throws IOException {
    Path target = backups(release);
    Path generation = target.resolve(GenerationRecord.objectOf(1));
    String lines = Files.readString(generation).replaceAll("(?m)^(checkpoint|sha256) .*\n", "");
    Files.writeString(
        generation, lines + "sha256 " + FileDigest.sha256(lines.getBytes(UTF_8)) + "\n");
    Backups backups = Backups.at(BackupTarget.folder(target));
    assertThat(backups.generations().get(0).checkpoint()).isNull();
    assertThat(backups.problems()).isEmpty();
    backups.restore(1, folder.resolve("restored"));
    assertHolds(folder.resolve("restored"), KEYS);
  }

  private static void assertHolds(Path restored, int keys) throws IOException {
    assertThat(Database.verify(restored).problems()).isEmpty();
    try (Database database = Database.open(restored, options())) {
      KeyValueStore store = database.keyValueStore("s");
      assertThat(store.get(key(keys - 1))).isEqualTo(value(keys - 1));
      assertThat(store.get(key(keys))).isNull();
      for (int i = 0; i < keys; i++) {
        assertThat(store.get(key(i))).isEqualTo(value(i));
      }
    }
  }
}
