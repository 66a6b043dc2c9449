// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.durability;

import static io.accordiondb.fixtures.Await.await;
import static io.accordiondb.fixtures.TestData.bytes;
import static io.accordiondb.fixtures.TestFiles.deleteFolder;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.accordiondb.Database;
import io.accordiondb.DatabaseFailedException;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.Durability;
import io.accordiondb.Get;
import io.accordiondb.LogWriting;
import io.accordiondb.Put;
import io.accordiondb.Table;
import io.accordiondb.TableDescriptor;
import io.accordiondb.statistics.HealthStatistics;
import io.accordiondb.statistics.WriteState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The folder of an open database is moved, deleted or replaced. */
@Timeout(value = 1, unit = TimeUnit.MINUTES)
class MovedFolderTest {
  private static final byte[] FAMILY = bytes("f");
  private static final byte[] QUALIFIER = bytes("q");

  @TempDir Path temporary;

  private Path folder;
  private Path elsewhere;

  @BeforeEach
  void name() {
    assumeThat(temporary.getFileSystem().supportedFileAttributeViews()).contains("posix");
    folder = temporary.resolve("database");
    elsewhere = temporary.resolve("elsewhere");
  }

  private Database open(Path path, LogWriting writing) throws IOException {
    Database database =
        Database.open(
            path, DatabaseOptions.builder().memoryBytes(4 << 20).logWriting(writing).build());
    if (!database.exists("t")) {
      database.createTable(TableDescriptor.of("t", "f"));
    }
    return database;
  }

  private static void put(Table table, int row, Durability durability) throws IOException {
    table.put(
        new Put(bytes("row" + row))
            .addColumn(FAMILY, QUALIFIER, bytes("value"))
            .setDurability(durability));
  }

  private static boolean has(Table table, int row) throws IOException {
    return table.get(new Get(bytes("row" + row))).value(FAMILY, QUALIFIER) != null;
  }

  @ParameterizedTest
  @EnumSource
  void inAMovedFolderNothingIsAcknowledgedAndNothingIsLost(LogWriting writing) throws IOException {
    try (Database database = open(folder, writing)) {
      Table table = database.table("t");
      put(table, 1, Durability.FSYNC);
      put(table, 2, Durability.SYNC);
      Files.move(folder, elsewhere);
      assertThatIOException().isThrownBy(() -> put(table, 3, Durability.FSYNC));
      assertThatThrownBy(() -> put(table, 4, Durability.SYNC))
          .isInstanceOf(DatabaseFailedException.class)
          .hasMessageContaining(folder.toString());
      assertThat(has(table, 1)).isTrue();
      assertThatThrownBy(database::close).isInstanceOf(DatabaseFailedException.class);
    }
    try (Database database = open(elsewhere, writing)) {
      assertThat(has(database.table("t"), 1)).isTrue();
      assertThat(has(database.table("t"), 2)).isTrue();
    }
    assertThat(folder).doesNotExist();
  }

  @ParameterizedTest
  @EnumSource
  void inADeletedFolderNothingIsAcknowledged(LogWriting writing) throws IOException {
    try (Database database = open(folder, writing)) {
      Table table = database.table("t");
      put(table, 1, Durability.FSYNC);
      deleteFolder(folder);
      assertThatIOException().isThrownBy(() -> put(table, 2, Durability.FSYNC));
      assertThatIOException().isThrownBy(() -> put(table, 3, Durability.SYNC));
      assertThatThrownBy(database::close).isInstanceOf(DatabaseFailedException.class);
    }
    assertThat(folder).doesNotExist();
  }

  /** Nobody asks for a sync; the periodic flush of the log notices all the same. */
  @Test
  void writesWithoutSyncAreRefusedSoonAfterTheFolderIsGone() throws IOException {
    try (Database database = open(folder, LogWriting.MAPPED)) {
      Table table = database.table("t");
      put(table, 1, Durability.SYNC);
      deleteFolder(folder);
      boolean refused = false;
      while (!refused) {
        try {
          put(table, 2, Durability.SYNC);
        } catch (DatabaseFailedException e) {
          refused = true;
        }
      }
      assertThatThrownBy(database::close).isInstanceOf(DatabaseFailedException.class);
    }
  }

  /** Whoever is told of each failure would be told of this one a hundred times a second. */
  @Test
  void aFolderThatIsGoneIsOneFailureOfTheLog() throws IOException {
    try (Database database = open(folder, LogWriting.MAPPED)) {
      put(database.table("t"), 1, Durability.SYNC);
      deleteFolder(folder);
      HealthStatistics health =
          await(
              "the report that the database takes no more writes",
              () -> database.statistics().health(),
              now -> String.valueOf(now.lastBackgroundError()).contains("until it is opened"));
      long nanos = database.statistics().nanosOpen() + TimeUnit.MILLISECONDS.toNanos(200);
      await("twenty more rounds", () -> database.statistics().nanosOpen() > nanos);
      assertThat(health.writes()).isEqualTo(WriteState.FAILED);
      assertThat(database.statistics().health().backgroundErrors()).isLessThan(5);
      assertThatThrownBy(database::close).isInstanceOf(DatabaseFailedException.class);
    }
  }

  /** The old owner still knows names in the folder, which now lead to the files of another. */
  @Test
  void theFilesOfADatabaseThatTookTheFoldersPlaceStay() throws IOException {
    try (Database old = open(folder, LogWriting.PLAIN)) {
      put(old.table("t"), 1, Durability.FSYNC);
      Files.move(folder, elsewhere);
      try (Database other = open(folder, LogWriting.PLAIN)) {
        put(other.table("t"), 2, Durability.FSYNC);
        other.flush();
        List<String> before = files(folder);
        assertThatIOException().isThrownBy(old::flush);
        assertThatIOException().isThrownBy(() -> old.createTable(TableDescriptor.of("u", "f")));
        assertThatThrownBy(old::close).isInstanceOf(DatabaseFailedException.class);
        assertThat(files(folder)).isEqualTo(before);
        put(other.table("t"), 3, Durability.FSYNC);
      }
    }
    try (Database other = open(folder, LogWriting.PLAIN)) {
      assertThat(has(other.table("t"), 1)).isFalse();
      assertThat(has(other.table("t"), 2)).isTrue();
      assertThat(has(other.table("t"), 3)).isTrue();
    }
    try (Database old = open(elsewhere, LogWriting.PLAIN)) {
      assertThat(has(old.table("t"), 1)).isTrue();
    }
  }

  @Test
  void openingReadOnlyBesideAWriterDoesNotLoseItsLock() throws IOException {
    try (Database writer = open(folder, LogWriting.MAPPED)) {
      put(writer.table("t"), 1, Durability.FSYNC);
      String owner = Files.readString(folder.resolve("LOCK"));
      DatabaseOptions readOnly = DatabaseOptions.builder().readOnly(true).build();
      try (Database reader = Database.open(folder, readOnly)) {
        assertThat(has(reader.table("t"), 1)).isTrue();
      }
      assertThat(Files.readString(folder.resolve("LOCK"))).isEqualTo(owner).isNotEmpty();
      put(writer.table("t"), 2, Durability.FSYNC);
    }
  }

  private static List<String> files(Path path) throws IOException {
    try (Stream<Path> files = Files.walk(path)) {
      return files.map(Path::toString).sorted().toList();
    }
  }
}
