// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.engine;

import static io.accordiondb.fixtures.TestData.bytes;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.accordiondb.BloomKind;
import io.accordiondb.Change;
import io.accordiondb.ChangeFeed;
import io.accordiondb.ChangedCell;
import io.accordiondb.CompactionStyle;
import io.accordiondb.Compression;
import io.accordiondb.Database;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.Delete;
import io.accordiondb.Durability;
import io.accordiondb.FamilyDescriptor;
import io.accordiondb.KeyProvider;
import io.accordiondb.KeyValueStore;
import io.accordiondb.LogWriting;
import io.accordiondb.Merge;
import io.accordiondb.Put;
import io.accordiondb.Result;
import io.accordiondb.ResultScanner;
import io.accordiondb.Scan;
import io.accordiondb.SortedFileWriter;
import io.accordiondb.Table;
import io.accordiondb.TableDescriptor;
import io.accordiondb.TestKeys;
import io.accordiondb.internal.storage.MemoryStorage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes a small database that has as much as possible of what the formats can express, as a killed
 * process leaves it, and texts with all that it holds. Later releases must read the same.
 *
 * <p>{@code main} writes the test data of a release, which is never written again: into a folder
 * {@code format/RELEASE} below the resources of the tests.
 */
final class KeptDatabase {
  /** What the database holds, beside its files. */
  static final String CONTENTS = "contents.txt";

  /** What its log holds. */
  static final String CHANGES = "changes.txt";

  private static final byte[] FAMILY = bytes("f");
  private static final byte[] QUALIFIER = bytes("q");
  private static final byte[] TAG = {0, 3, 65, 1, 2};
  private static final int ROWS = 16;

  private KeptDatabase() {}

  /** Writes the databases of a release. The only argument is a folder. */
  public static void main(String[] arguments) throws IOException {
    Path folder = Path.of(arguments[0]);
    write(folder.resolve("database"), null);
    write(folder.resolve("database-encrypted"), TestKeys.current("a"));
  }

  static DatabaseOptions.Builder options(@Nullable KeyProvider keys) {
    DatabaseOptions.Builder options =
        DatabaseOptions.builder()
            .memoryBytes(4 << 20)
            .logFileBytes(4 << 10)
            .logCompression(Compression.LZ4)
            .logRetention(Duration.ofDays(3650));
    return keys == null ? options : options.encryption(keys);
  }

  private static void write(Path folder, @Nullable KeyProvider keys) throws IOException {
    MemoryStorage disk = new MemoryStorage();
    MemoryStorage killed;
    DatabaseOptions growing = options(keys).logWriting(LogWriting.PLAIN).build();
    try (Database database = DatabaseEngine.open(disk, growing)) {
      createTables(database);
      writeCells(database, 0);
      writeMarkers(database.table("cells"), 0);
    }
    DatabaseOptions filled = options(keys).logWriting(LogWriting.MAPPED).build();
    try (Database database = DatabaseEngine.open(disk, filled)) {
      writeCells(database, ROWS);
      changeFiles(database);
      writeMarkers(database.table("cells"), ROWS);
      writeCells(database, 2 * ROWS);
      database.keyValueStore("pairs").deleteRange(row(2 * ROWS), row(2 * ROWS + 5));
      killed = disk.copy();
    }
    Files.createDirectories(folder);
    for (String directory : List.of("", "wal", "sst", "kept")) {
      for (String name : killed.list(directory)) {
        String path = directory.isEmpty() ? name : directory + "/" + name;
        if (!killed.isDirectory(path) && !name.equals("LOCK")) {
          Files.createDirectories(folder.resolve(directory));
          // Kept since a time that never comes, so that no test is too late for them.
          String lasting = path.replaceFirst("-[0-9]{13}\\.log", "-9999999999999.log");
          Files.write(folder.resolve(lasting), killed.bytes(path));
        }
      }
    }
    try (Database database = DatabaseEngine.open(killed, growing)) {
      Files.writeString(folder.resolve(CONTENTS), contentsOf(database));
      Files.writeString(folder.resolve(CHANGES), changesOf(database));
    }
  }

  private static byte[] row(int number) {
    return bytes(String.format("row%04d", number));
  }

  private static void createTables(Database database) throws IOException {
    database.createTable(
        TableDescriptor.builder("cells")
            .family(
                FamilyDescriptor.builder("f")
                    .maxVersions(3)
                    .compression(Compression.ZSTD)
                    .bloomFilter(BloomKind.ROWCOL)
                    .blockSizeBytes(1 << 10)
                    .build())
            .family(
                FamilyDescriptor.builder("g")
                    .compression(Compression.NONE)
                    .bloomFilter(BloomKind.NONE)
                    .compactionStyle(CompactionStyle.LEVELED)
                    .build())
            .build(),
        row(ROWS));
    database.createTable(
        TableDescriptor.builder("sums")
            .family(FamilyDescriptor.builder("f").mergeOperator("counter").build())
            .build());
    database.createTable(TableDescriptor.of("emptied", "f"));
    database.createTable(TableDescriptor.of("gone", "f"));
  }

  /** Writes puts, some with tags and a time to live of their own, operands, and pairs. */
  private static void writeCells(Database database, int from) throws IOException {
    Table cells = database.table("cells");
    for (int i = from; i < from + ROWS; i++) {
      byte[] row = row(i);
      byte[] value = bytes("value " + i);
      cells.put(new Put(row).addColumn(FAMILY, QUALIFIER, 1000 + i, value));
      cells.put(new Put(row).addColumn(FAMILY, QUALIFIER, 2000 + i, value));
      Put tagged = new Put(row).addColumn(bytes("g"), QUALIFIER, 1000 + i, value, TAG);
      cells.put(i % 2 == 0 ? tagged : tagged.setTtlMillis(Long.MAX_VALUE / 4));
      database.keyValueStore("pairs").put(row, value);
    }
    for (int i = 0; i < 6; i++) {
      byte[] operand = ByteBuffer.allocate(Long.BYTES).putLong(from + i).array();
      database.table("sums").merge(new Merge(row(i % 3)).addColumn(FAMILY, QUALIFIER, operand));
    }
    // Long enough to be compressed in the log.
    cells.put(new Put(row(from)).addColumn(FAMILY, bytes("long"), 5, bytes("ab".repeat(500))));
    cells.put(
        new Put(row(from))
            .addColumn(FAMILY, bytes("skipped"), 5, bytes("in no log"))
            .setDurability(Durability.SKIP));
    database.flush("cells");
  }

  private static void writeMarkers(Table cells, int from) throws IOException {
    cells.delete(new Delete(row(from + 1)).addColumn(FAMILY, QUALIFIER, 2001 + from));
    cells.delete(new Delete(row(from + 2)).addColumns(FAMILY, QUALIFIER, 1002 + from));
    cells.delete(new Delete(row(from + 3)).addFamily(FAMILY, 5000));
    cells.delete(new Delete(row(from + 4)).addFamilyVersion(FAMILY, 1004 + from));
    cells.deleteRange(row(from + 10), row(from + 12));
  }

  /** Lets the manifest have every kind of change. */
  private static void changeFiles(Database database) throws IOException {
    KeyValueStore pairs = database.keyValueStore("pairs");
    pairs.deleteRange(row(5), row(8));
    database.flush();
    database.majorCompact("pairs");
    pairs.deleteRange(row(20), row(25));
    database.flush();
    database.splitRegion("cells", row(ROWS / 2));
    database.copyTable("cells", named(database.describe("cells"), "copied"));
    Path foreign = Files.createTempFile("accordion-", ".sst");
    Files.delete(foreign);
    try (SortedFileWriter file =
        SortedFileWriter.create(foreign, database.describe("cells").family("f"))) {
      file.add(bytes("foreign"), QUALIFIER, 7, bytes("from a file"));
      file.finish();
    }
    database.ingest("cells", "f", List.of(foreign));
    Files.deleteIfExists(foreign);
    database.table("emptied").put(new Put(row(1)).addColumn(FAMILY, QUALIFIER, 1, row(1)));
    database.truncateTable("emptied");
    database.table("gone").put(new Put(row(1)).addColumn(FAMILY, QUALIFIER, 1, row(1)));
    database.dropTable("gone");
    database.flush();
    ((DatabaseEngine) database).truncateLog();
  }

  private static TableDescriptor named(TableDescriptor table, String name) {
    TableDescriptor.Builder builder = TableDescriptor.builder(name);
    table.families().forEach(builder::family);
    return builder.build();
  }

  /** Returns all that a database holds, as text: tables, what they show, and what is stored. */
  static String contentsOf(Database database) throws IOException {
    StringBuilder text = new StringBuilder();
    for (TableDescriptor table : database.tables()) {
      text.append("table ").append(table.name()).append('\n');
      for (FamilyDescriptor family : table.families()) {
        text.append(family.name()).append(' ').append(family.attributes()).append('\n');
      }
      database.regions(table.name()).forEach(region -> text.append(text(region.startRow())));
      text.append('\n');
      for (boolean raw : new boolean[] {false, true}) {
        Scan scan = new Scan().setAllVersions().setAllTags(true).setRaw(raw);
        try (ResultScanner scanner = database.table(table.name()).scan(scan)) {
          for (Result result : scanner) {
            result.cells().forEach(cell -> text.append(cell).append('\n'));
          }
        }
      }
    }
    return text.toString();
  }

  /** Returns all that the log of a database holds, as text. */
  static String changesOf(Database database) throws IOException {
    try (ChangeFeed feed = database.changes(0)) {
      return changesOf(feed);
    }
  }

  /** Returns all that a feed delivers at once, as text. */
  static String changesOf(ChangeFeed feed) throws IOException {
    StringBuilder text = new StringBuilder();
    for (Change change = feed.next(Duration.ZERO);
        change != null;
        change = feed.next(Duration.ZERO)) {
      text.append(change.sequence());
      for (ChangedCell cell : change.cells()) {
        text.append(' ').append(cell.table()).append(' ').append(cell.cell()).append('\n');
      }
    }
    return text.toString();
  }

  private static String text(byte[] row) {
    return new String(row, UTF_8) + ";";
  }
}
