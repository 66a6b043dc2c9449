// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import static io.accordiondb.fixtures.TestData.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.retention.KeepDeletedCells;
import io.accordiondb.retention.VersionRules;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * An ingested cell with an old timestamp, written after a delete marker that is still in memory:
 * the marker hides what was written before it and leaves the ingested cell, whatever is flushed or
 * compacted in the meantime.
 */
class IngestedHistoryTest {
  private static final byte[] FAMILY = bytes("f");
  private static final byte[] QUALIFIER = bytes("q");
  private static final byte[] ROW = bytes("row");
  private static final long NOW = 1_000;

  @TempDir Path folder;
  private DatabaseOptions options;
  private int files;

  /** Deletes what is in the row by a marker of some kind. */
  interface Deletion {
    void from(Table table) throws IOException;
  }

  @BeforeEach
  void setOptions() {
    options =
        DatabaseOptions.builder()
            .memoryBytes(8 << 20)
            .clock(() -> Instant.ofEpochMilli(NOW))
            .build();
  }

  static Stream<Arguments> deletions() {
    return Stream.of(CompactionStyle.values())
        .flatMap(
            style ->
                Stream.of(
                    deletion(style, "row", table -> table.delete(new Delete(ROW))),
                    deletion(
                        style,
                        "column",
                        table -> table.delete(new Delete(ROW).addColumns(FAMILY, QUALIFIER))),
                    deletion(
                        style,
                        "version",
                        table -> table.delete(new Delete(ROW).addColumn(FAMILY, QUALIFIER, 100))),
                    deletion(
                        style,
                        "version of the family",
                        table -> table.delete(new Delete(ROW).addFamilyVersion(FAMILY, 100))),
                    deletion(
                        style, "range", table -> table.deleteRange(new byte[0], new byte[0]))));
  }

  private static Arguments deletion(CompactionStyle style, String name, Deletion deletion) {
    return Arguments.of(style, name, deletion);
  }

  @ParameterizedTest(name = "{0}, {1}")
  @MethodSource("deletions")
  void anIngestedCellOutlivesAMarkerInMemory(CompactionStyle style, String name, Deletion deletion)
      throws IOException {
    try (Database database = open(family().compactionStyle(style))) {
      put(database, 100);
      database.flush();
      deletion.from(database.table("t"));
      ingest(database, 50);
      assertShowsAlways(database, 50);
    }
  }

  static Stream<Arguments> deletionsOfVersions() {
    return deletions().filter(arguments -> arguments.get()[1].toString().startsWith("version"));
  }

  @ParameterizedTest(name = "{0}, {1}")
  @MethodSource("deletionsOfVersions")
  void anIngestedCellOutlivesTwoMarkersOfWhichOneIsDropped(
      CompactionStyle style, String name, Deletion deletion) throws IOException {
    try (Database database = open(family().compactionStyle(style))) {
      put(database, 100);
      database.flush();
      deletion.from(database.table("t"));
      ingest(database, 50);
      deletion.from(database.table("t"));
      database.flushInMemory("t");
      assertShowsAlways(database, 50);
    }
  }

  @Test
  void aDeletedVersionDoesNotCountAgainstAnIngestedCell() throws IOException {
    try (Database database = open(family().maxVersions(3))) {
      put(database, 10);
      put(database, 20);
      put(database, 30);
      database.flush();
      database.table("t").delete(new Delete(ROW).addColumn(FAMILY, QUALIFIER, 20));
      ingest(database, 5);
      assertShowsAlways(database, 30, 10, 5);
    }
  }

  @Test
  void whereDeletedCellsAreKeptTheyDoNotCountAgainstAnIngestedCell() throws IOException {
    VersionRules rules = new VersionRules(1, 0, VersionRules.FOREVER, KeepDeletedCells.TRUE);
    try (Database database = open(family().versionRules(rules))) {
      put(database, 100);
      database.flush();
      database.table("t").delete(new Delete(ROW).addColumns(FAMILY, QUALIFIER));
      ingest(database, 50);
      assertShowsAlways(database, 50);
    }
  }

  @Test
  void theMinimumOfVersionsKeepsAnIngestedCell() throws IOException {
    VersionRules rules = new VersionRules(2, 1, 10, KeepDeletedCells.FALSE);
    try (Database database = open(family().versionRules(rules))) {
      put(database, 100);
      database.flush();
      database.table("t").delete(new Delete(ROW).addColumns(FAMILY, QUALIFIER));
      ingest(database, 50);
      assertShowsAlways(database, 50);
    }
  }

  @Test
  void anIngestedCellOutlivesAMarkerInMemoryAfterASplit() throws IOException {
    try (Database database = open(family())) {
      put(database, 100);
      database.flush();
      database.splitRegion("t", bytes("roo"));
      database.table("t").delete(new Delete(ROW));
      ingest(database, 50);
      assertShowsAlways(database, 50);
    }
  }

  /** The marker is in a file that a compaction leaves out, and then in the oldest by its number. */
  @Test
  void aMarkerThatIsFlushedLateStillHidesWhatItDeleted() throws IOException {
    try (Database database = open(family())) {
      put(database, 100);
      database.flush();
      database.table("t").delete(new Delete(ROW));
      ingest(database, 50);
      database.majorCompact("t");
      database.flush();
      for (int i = 0; i < 12; i++) {
        put(database, bytes("other" + i), 100);
        database.flush();
        database.compact("t");
        assertThat(timestamps(database)).containsExactly(50L);
      }
      assertShowsAlways(database, 50);
    }
  }

  private static FamilyDescriptor.Builder family() {
    return FamilyDescriptor.builder("f");
  }

  private Database open(FamilyDescriptor.Builder family) throws IOException {
    Database database = Database.open(folder.resolve("db"), options);
    database.createTable(TableDescriptor.builder("t").family(family.build()).build());
    return database;
  }

  private static void put(Database database, long timestamp) throws IOException {
    put(database, ROW, timestamp);
  }

  private static void put(Database database, byte[] row, long timestamp) throws IOException {
    database.table("t").put(new Put(row).addColumn(FAMILY, QUALIFIER, timestamp, bytes("put")));
  }

  private void ingest(Database database, long timestamp) throws IOException {
    Path file = folder.resolve("file" + files++);
    try (SortedFileWriter writer = SortedFileWriter.create(file, FamilyDescriptor.of("f"))) {
      writer.add(ROW, QUALIFIER, timestamp, bytes("ingested"));
      writer.finish();
    }
    database.ingest("t", "f", List.of(file));
  }

  private static List<Long> timestamps(Database database) throws IOException {
    return database.table("t").get(new Get(ROW).setAllVersions()).cells().stream()
        .map(Cell::timestamp)
        .toList();
  }

  private static void assertShowsAlways(Database database, long... expected) throws IOException {
    assertThat(timestamps(database)).as("at first").containsExactly(box(expected));
    database.majorCompact("t");
    assertThat(timestamps(database)).as("compacted").containsExactly(box(expected));
    database.flush();
    assertThat(timestamps(database)).as("flushed").containsExactly(box(expected));
    database.majorCompact("t");
    assertThat(timestamps(database)).as("compacted again").containsExactly(box(expected));
  }

  private static Long[] box(long[] numbers) {
    return Arrays.stream(numbers).boxed().toArray(Long[]::new);
  }
}
