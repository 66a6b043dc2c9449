// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import static io.accordiondb.fixtures.TestData.bytes;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.accordiondb.statistics.StoreStatistics;
import io.accordiondb.statistics.TableStatistics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TableCopyTest {
  @TempDir Path folder;

  private static TableDescriptor table(String name, CompactionStyle style) {
    return TableDescriptor.builder(name)
        .family(FamilyDescriptor.builder("f").maxVersions(3).compactionStyle(style).build())
        .build();
  }

  private static void put(Database database, String table, String row, long timestamp)
      throws IOException {
    database
        .table(table)
        .put(new Put(bytes(row)).addColumn(bytes("f"), bytes("q"), timestamp, bytes("v")));
  }

  private static List<Long> versions(Database database, String table, String row)
      throws IOException {
    Get get = new Get(bytes(row)).setVersions(10);
    return database.table(table).get(get).cells().stream().map(Cell::timestamp).toList();
  }

  private static long files(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder.resolve("sst"))) {
      return files.count();
    }
  }

  private static long filesOf(Database database, String table) throws IOException {
    long files = 0;
    for (TableStatistics statistics : database.statistics().tables()) {
      if (statistics.name().equals(table)) {
        for (StoreStatistics store : statistics.stores()) {
          files += store.files().count();
        }
      }
    }
    return files;
  }

  private static void fill(Database database) throws IOException {
    fill(database, CompactionStyle.TIERED);
  }

  private static void fill(Database database, CompactionStyle style) throws IOException {
    database.createTable(table("t", style), bytes("m"));
    for (long timestamp = 1; timestamp <= 3; timestamp++) {
      put(database, "t", "a", timestamp);
      put(database, "t", "z", timestamp);
    }
    database.flush();
    database.table("t").delete(new Delete(bytes("a")).addColumn(bytes("f"), bytes("q"), 2));
    database.table("t").deleteRange(bytes("y"), bytes("zz"));
    put(database, "t", "z", 9);
  }

  private static void assertCopied(Database database, String table) throws IOException {
    assertThat(versions(database, table, "a")).containsExactly(3L, 1L);
    assertThat(versions(database, table, "z"))
        .as("a range tombstone hides the rest")
        .containsExactly(9L);
  }

  @Test
  void aCopyHasAllThatTheOriginalHasAndNoFileOfItsOwn() throws IOException {
    try (Database database = Database.open(folder)) {
      // No compaction may change the number of files meanwhile.
      fill(database, CompactionStyle.NONE);
      database.flush();
      long before = files(folder);
      database.copyTable("t", table("copy", CompactionStyle.NONE));
      assertThat(files(folder)).isEqualTo(before);
      assertCopied(database, "copy");
      assertThat(database.regions("copy"))
          .extracting(region -> new String(region.startRow(), US_ASCII))
          .containsExactly("", "m");
      assertThat(database.regions("copy").get(0).id())
          .isNotEqualTo(database.regions("t").get(0).id());
    }
    try (Database database = Database.open(folder)) {
      assertCopied(database, "copy");
      assertCopied(database, "t");
    }
    assertThat(Database.verify(folder).problems()).isEmpty();
  }

  @Test
  void copiesHideWhatTheFilterOfTheirFamilyHides(@TempDir Path other) throws IOException {
    DatabaseOptions options =
        DatabaseOptions.builder()
            .compactionFilter("all", cell -> CompactionFilter.Decision.DROP)
            .build();
    FamilyDescriptor filtered =
        FamilyDescriptor.builder("f").compactionFilter("all").filtersReads(true).build();
    Path checkpoint = other.resolve("checkpoint");
    try (Database database = Database.open(folder, options)) {
      database.createTable(TableDescriptor.builder("t").family(filtered).build());
      put(database, "t", "a", 1);
      database.copyTable("t", TableDescriptor.builder("copy").family(filtered).build());
      database.checkpoint(checkpoint);
      assertThat(versions(database, "copy", "a")).isEmpty();
    }
    try (Database database = Database.open(checkpoint, options)) {
      assertThat(versions(database, "t", "a")).isEmpty();
      assertThat(versions(database, "copy", "a")).isEmpty();
    }
    try (Database database = Database.open(checkpoint)) {
      assertThatThrownBy(() -> versions(database, "copy", "a"))
          .isInstanceOf(CompactionFilterException.class);
    }
  }

  @Test
  void originalAndCopyChangeApart() throws IOException {
    try (Database database = Database.open(folder)) {
      fill(database);
      database.copyTable("t", table("copy", CompactionStyle.TIERED));
      put(database, "t", "a", 5);
      put(database, "copy", "a", 4);
      assertThat(versions(database, "t", "a")).containsExactly(5L, 3L, 1L);
      assertThat(versions(database, "copy", "a")).containsExactly(4L, 3L, 1L);
      database.majorCompact("t");
      assertThat(versions(database, "copy", "a")).containsExactly(4L, 3L, 1L);
      database.dropTable("t");
      assertThat(versions(database, "copy", "a")).containsExactly(4L, 3L, 1L);
      database.flush();
      database.majorCompact("copy");
      database.dropTable("copy");
      assertThat(files(folder)).as("files that no table has are deleted").isZero();
    }
  }

  @Test
  void theCopyOfACopyOutlivesBoth() throws IOException {
    try (Database database = Database.inMemory()) {
      fill(database);
      database.splitRegion("t", bytes("b"));
      database.copyTable("t", table("first", CompactionStyle.NONE));
      database.copyTable("first", table("second", CompactionStyle.TIERED));
      database.dropTable("t");
      database.dropTable("first");
      assertCopied(database, "second");
      assertThat(database.regions("second")).hasSize(3);
    }
  }

  @Test
  void withoutStyleOnlyAMajorCompactionRewritesFiles() throws IOException {
    try (Database database = Database.open(folder)) {
      fill(database);
      for (int i = 0; i < 20; i++) {
        put(database, "t", "row" + i, 1);
        database.flush();
      }
      database.copyTable("t", table("copy", CompactionStyle.NONE));
      long files = filesOf(database, "copy");
      database.compact("copy");
      assertThat(filesOf(database, "copy")).isEqualTo(files).isGreaterThan(2);
      database.majorCompact("copy");
      assertThat(filesOf(database, "copy")).as("one for each region").isEqualTo(2);
      assertCopied(database, "copy");
    }
  }

  @Test
  void aCopyHoldsOneMoment() throws Exception {
    try (Database database = Database.open(folder)) {
      database.createTable(table("t", CompactionStyle.TIERED), bytes("m"));
      List<Exception> failures = new ArrayList<>();
      Thread writer =
          new Thread(
              () -> {
                try {
                  for (long i = 1; i <= 3000; i++) {
                    put(database, "t", "a", i);
                    put(database, "t", "z", i);
                  }
                } catch (IOException | RuntimeException e) {
                  failures.add(e);
                }
              });
      writer.start();
      for (int i = 0; i < 5; i++) {
        database.copyTable("t", table("copy" + i, CompactionStyle.NONE));
      }
      writer.join();
      assertThat(failures).isEmpty();
      assertThat(versions(database, "t", "z")).startsWith(3000L);
      for (int i = 0; i < 5; i++) {
        long lower = newest(database, "copy" + i, "a");
        long upper = newest(database, "copy" + i, "z");
        assertThat(lower).as("z was written after a").isBetween(upper, upper + 1);
      }
    }
  }

  private static long newest(Database database, String table, String row) throws IOException {
    return versions(database, table, row).stream().findFirst().orElse(0L);
  }

  @Test
  void wrongCopiesAreRefused() throws IOException {
    try (Database database = Database.inMemory()) {
      fill(database);
      TableDescriptor copy = table("copy", CompactionStyle.NONE);
      assertThatThrownBy(() -> database.copyTable("none", copy))
          .isInstanceOf(TableNotFoundException.class);
      assertThatThrownBy(() -> database.copyTable("t", table("t", CompactionStyle.NONE)))
          .isInstanceOf(TableExistsException.class);
      assertThatThrownBy(() -> database.copyTable("t", TableDescriptor.of("copy", "f", "g")))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("has families [f], its copy \"copy\" [f, g]");
      assertThat(database.exists("copy")).isFalse();
      put(database, "t", "still", 1);
    }
  }

  @Test
  void aRegionOfManyFilesOfAscendingKeysIsSplitNearTheMiddle() throws IOException {
    DatabaseOptions options = DatabaseOptions.builder().levelFileBytes(4 << 10).build();
    try (Database database = Database.inMemory(options)) {
      database.createTable(table("t", CompactionStyle.TIERED));
      for (int i = 0; i < 2000; i++) {
        put(database, "t", "row" + (1000 + i), 1);
        if (i % 200 == 199) {
          database.flush();
        }
      }
      assertThat(database.splitRegionAtMiddle("t", new byte[0])).isTrue();
      assertThat(new String(database.regions("t").get(1).startRow(), US_ASCII))
          .isBetween("row1700", "row2300");
    }
  }

  @Test
  void aRegionIsSplitNearTheMiddleOfItsData() throws IOException {
    try (Database database = Database.inMemory()) {
      database.createTable(table("t", CompactionStyle.TIERED));
      assertThat(database.splitRegionAtMiddle("t", new byte[0])).as("an empty one").isFalse();
      for (int i = 0; i < 2000; i++) {
        put(database, "t", "row" + (1000 + i), 1);
      }
      assertThat(database.splitRegionAtMiddle("t", new byte[0])).isTrue();
      List<TableRegion> regions = database.regions("t");
      assertThat(regions).hasSize(2);
      assertThat(regions.get(0).endRow()).isEqualTo(regions.get(1).startRow());
      assertThat(new String(regions.get(1).startRow(), US_ASCII)).isBetween("row1500", "row2500");
    }
  }
}
