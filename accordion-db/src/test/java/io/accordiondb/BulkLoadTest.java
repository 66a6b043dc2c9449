// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import static io.accordiondb.fixtures.JavaProcess.javaProcess;
import static io.accordiondb.fixtures.JavaProcess.outputOf;
import static io.accordiondb.fixtures.TestData.key;
import static io.accordiondb.fixtures.TestFiles.flip;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.accordiondb.encoding.CellTags;
import io.accordiondb.encoding.CellType;
import io.accordiondb.encoding.KeyValueLayout;
import io.accordiondb.fixtures.Mount;
import io.accordiondb.internal.engine.DatabaseEngine;
import io.accordiondb.internal.manifest.FileView;
import io.accordiondb.internal.region.StoreFiles;
import io.accordiondb.internal.sstable.SortedTableWriter;
import io.accordiondb.internal.storage.FaultyStorage;
import io.accordiondb.internal.storage.FileStorage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class BulkLoadTest {
  private static final byte[] QUALIFIER = {};
  private static final long TIMESTAMP = 1_000;

  @TempDir Path folder;

  private static DatabaseOptions options() {
    return DatabaseOptions.builder().memoryBytes(4 << 20).build();
  }

  private static byte[] value(String text, int number) {
    return (text + number).getBytes(US_ASCII);
  }

  private Path sortedFile(String name, int from, int to, long timestamp) throws IOException {
    return sortedFile(name, "loaded ", from, to, timestamp);
  }

  private Path sortedFile(String name, String value, int from, int to, long timestamp)
      throws IOException {
    Path file = folder.resolve(name);
    try (SortedFileWriter writer =
        SortedFileWriter.create(file, FamilyDescriptor.of(KeyValueStore.FAMILY))) {
      for (int i = from; i < to; i++) {
        writer.add(key(i), QUALIFIER, timestamp, value(value, i));
      }
      writer.finish();
    }
    return file;
  }

  private static int count(Database database) throws IOException {
    int count = 0;
    try (KeyValueIterator all = database.keyValueStore("s").range(null, null)) {
      while (all.hasNext()) {
        all.next();
        count++;
      }
    }
    return count;
  }

  @Test
  void takesFilesOverSeveralRegionsInOneStep() throws IOException {
    Path db = folder.resolve("db");
    long now = System.currentTimeMillis() + 10_000;
    try (Database database = Database.open(db, options())) {
      database.createTable(TableDescriptor.of("s", KeyValueStore.FAMILY), key(100), key(200));
      KeyValueStore store = database.keyValueStore("s");
      store.put(key(5), value("old ", 5));
      try (Snapshot before = database.snapshot()) {
        database.ingest(
            "s",
            KeyValueStore.FAMILY,
            List.of(sortedFile("a", 0, 150, now), sortedFile("b", 150, 300, now)));
        assertThat(count(database)).isEqualTo(300);
        assertThat(store.get(key(5))).isEqualTo(value("loaded ", 5));
        assertThat(store.at(before).get(key(5))).isEqualTo(value("old ", 5));
        assertThat(store.at(before).get(key(7))).isNull();
      }
      store.delete(key(8));
      store.put(key(9), value("new ", 9));
      database.flush();
      assertThat(database.splitRegion("s", key(50))).isTrue();
      assertThat(database.mergeRegions("s", key(150))).isTrue();
      assertThat(count(database)).isEqualTo(300);
    }
    assertThat(Database.verify(db).problems()).isEmpty();
    try (Database database = Database.open(db, options())) {
      assertThat(count(database)).isEqualTo(300);
      database.majorCompact("s");
      assertThat(count(database)).isEqualTo(300);
      assertThat(database.keyValueStore("s").get(key(299))).isEqualTo(value("loaded ", 299));
    }
    assertThat(Database.verify(db).problems()).isEmpty();
  }

  /** All reads choose the cell of the last file. */
  @Test
  void allReadsAgreeOnACellThatTwoFilesHave() throws IOException {
    try (Database database = Database.open(folder.resolve("db"), options())) {
      KeyValueStore store = database.keyValueStore("s");
      Path first = sortedFile("first", "first ", 1, 2, TIMESTAMP);
      Path second = sortedFile("second", "second ", 1, 3, TIMESTAMP);
      for (List<Path> files : List.of(List.of(first, second), List.of(second, first))) {
        database.ingest("s", KeyValueStore.FAMILY, files);
        byte[] found = store.get(key(1));
        assertThat(found).isEqualTo(value(files.get(1) == second ? "second " : "first ", 1));
        try (KeyValueIterator up = store.range(null, null);
            KeyValueIterator down = store.reverseRange(null, null)) {
          assertThat(up.next().value()).isEqualTo(found);
          assertThat(down.next().key()).isEqualTo(key(2));
          assertThat(down.next().value()).isEqualTo(found);
        }
      }
    }
  }

  /** A compaction may rewrite one of the files and not the other. */
  @Test
  void compactionsDoNotChangeWhichOfTwoFilesCounts() throws IOException {
    try (Database database = Database.open(folder.resolve("db"), options())) {
      KeyValueStore store = database.keyValueStore("s");
      for (int i = 10; i < 14; i++) {
        store.put(key(i), value("old ", i));
        database.flush();
      }
      Path small = sortedFile("small", "small ", 1, 2, TIMESTAMP);
      StringBuilder incompressible = new StringBuilder("large ");
      new SplittableRandom(1).ints(1 << 20, '0', 'z').forEach(incompressible::appendCodePoint);
      Path large = sortedFile("large", incompressible.toString(), 1, 5, TIMESTAMP);
      database.ingest("s", KeyValueStore.FAMILY, List.of(small, large));
      byte[] found = store.get(key(1));
      assertThat(found).startsWith(value("large ", 1)[0]);
      database.compact("s");
      for (int i = 0; i < 20; i++) {
        assertThat(store.get(key(1))).hasSize(found.length);
      }
    }
  }

  @Test
  void damagedOrForeignFilesAreRefusedWhole() throws IOException {
    Path sound = sortedFile("a", 0, 10, TIMESTAMP);
    Path damaged = sortedFile("b", 10, 20, TIMESTAMP);
    flip(damaged, 20);
    Path db = folder.resolve("db");
    try (Database database = Database.open(db, options())) {
      KeyValueStore store = database.keyValueStore("s");
      assertThatThrownBy(() -> database.ingest("s", KeyValueStore.FAMILY, List.of(sound, damaged)))
          .isInstanceOf(CorruptionException.class);
      assertThatThrownBy(() -> database.ingest("s", "nothing", List.of(sound)))
          .isInstanceOf(FamilyNotFoundException.class);
      assertThatThrownBy(
              () -> database.ingest("s", KeyValueStore.FAMILY, List.of(folder.resolve("none"))))
          .isInstanceOf(IOException.class);
      assertThat(count(database)).isZero();
      assertThat(db.resolve("sst")).isEmptyDirectory();
      store.put(key(1), value("x", 1));
      assertThat(count(database)).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {-1, Long.MIN_VALUE, Long.MAX_VALUE})
  void writerRefusesTimestampsThatNoCellCanHave(long timestamp) throws IOException {
    Path file = folder.resolve("a");
    try (SortedFileWriter writer = SortedFileWriter.create(file, FamilyDescriptor.of("f"))) {
      assertThatThrownBy(() -> writer.add(key(1), QUALIFIER, timestamp, value("x", 1)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(String.valueOf(timestamp));
      assertThatThrownBy(() -> writer.add(key(1), new byte[70_000], TIMESTAMP, value("x", 1)))
          .isInstanceOf(ValueTooLargeException.class);
      writer.add(key(1), QUALIFIER, TIMESTAMP, value("x", 1));
      writer.finish();
    }
    assertThat(file).exists();
  }

  static Stream<Arguments> unfitCells() {
    byte[] q = {'q'};
    return Stream.of(
        Arguments.of(new byte[0], "", q, TIMESTAMP, CellType.PUT, 1),
        Arguments.of(key(1), "", q, -1L, CellType.PUT, 1),
        Arguments.of(key(1), "", q, Long.MAX_VALUE, CellType.PUT, 1),
        Arguments.of(key(1), "", new byte[70_000], TIMESTAMP, CellType.PUT, 1),
        Arguments.of(new byte[1_001], "", q, TIMESTAMP, CellType.PUT, 1),
        Arguments.of(key(1), "", q, TIMESTAMP, CellType.PUT, 2_001),
        Arguments.of(key(1), "f", q, TIMESTAMP, CellType.PUT, 1),
        Arguments.of(key(1), "", q, TIMESTAMP, CellType.DELETE_COLUMN, 0));
  }

  @ParameterizedTest
  @MethodSource("unfitCells")
  void filesWithCellsThatAPutRefusesAreRefusedWhole(
      byte[] row, String family, byte[] qualifier, long timestamp, CellType type, int valueBytes)
      throws IOException {
    assertRefused(
        cell(row, family, qualifier, timestamp, type, new byte[valueBytes], CellTags.NONE));
  }

  /** A put refuses some of these cells, depending on the family; no writer of files writes them. */
  @Test
  void filesWithCellsThatHaveTagsAreRefusedWhole() throws IOException {
    byte[] tags = CellTags.ofTtl(1_000_000);
    assertRefused(cell(key(1), "", QUALIFIER, TIMESTAMP, CellType.PUT, value("x", 1), tags));
  }

  @Test
  void aRefusalDoesNotShowTheValue() throws IOException {
    ByteBuffer cell =
        cell(key(1), "", QUALIFIER, -1, CellType.PUT, value("secret", 1), CellTags.NONE);
    assertRefused(cell).hasMessageNotContaining("secret");
  }

  private static ByteBuffer cell(
      byte[] row,
      String family,
      byte[] qualifier,
      long timestamp,
      CellType type,
      byte[] value,
      byte[] tags) {
    int length = KeyValueLayout.length(row.length, family.length(), qualifier.length, value.length);
    int tagsBytes = tags.length == 0 ? 0 : Short.BYTES + tags.length;
    ByteBuffer cell = ByteBuffer.allocate(length + tagsBytes);
    KeyValueLayout.write(
        cell, 0, row, family.getBytes(US_ASCII), qualifier, timestamp, type.code() & 0xFF, value);
    if (tagsBytes > 0) {
      CellTags.write(cell, length, tags);
    }
    return cell;
  }

  private AbstractThrowableAssert<?, ?> assertRefused(ByteBuffer cell) throws IOException {
    SortedTableWriter writer =
        new SortedTableWriter(
            new FileStorage(folder),
            "unfit",
            FileView.FOREIGN_NUMBER,
            StoreFiles.optionsOf(FamilyDescriptor.of("f")));
    writer.add(cell, 0, cell.capacity(), 0);
    writer.finish();
    List<Path> files = List.of(sortedFile("sound", 0, 3, TIMESTAMP), folder.resolve("unfit"));
    Path db = folder.resolve("db");
    DatabaseOptions limited =
        DatabaseOptions.builder()
            .memoryBytes(4 << 20)
            .rowBytesMax(1_000)
            .valueBytesMax(2_000)
            .build();
    try (Database database = Database.open(db, limited)) {
      database.keyValueStore("s");
      Throwable thrown = catchThrowable(() -> database.ingest("s", KeyValueStore.FAMILY, files));
      assertThat(count(database)).isZero();
      assertThat(db.resolve("sst")).isEmptyDirectory();
      return assertThat(thrown)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("unfit")
          .hasMessageContaining("/timestamp " + KeyValueLayout.timestamp(cell, 0) + "/");
    }
  }

  @Test
  void aFileThatIsMissingIsNamedAndNoFolderIsCreated() throws IOException {
    Path missing = folder.resolve("no").resolve("such").resolve("file");
    try (Database database = Database.open(folder.resolve("db"), options())) {
      database.keyValueStore("s");
      for (Path path : List.of(missing, folder)) {
        assertThatThrownBy(() -> database.ingest("s", KeyValueStore.FAMILY, List.of(path)))
            .isInstanceOf(IOException.class)
            .hasMessageContaining(path.toString())
            .hasMessageContaining("ingest");
      }
      assertThat(folder.resolve("no")).doesNotExist();
    }
  }

  @Test
  void aFileMayBeNamedByASymbolicLink() throws IOException {
    Path file = sortedFile("a", 0, 10, TIMESTAMP);
    Path link = Files.createSymbolicLink(folder.resolve("link"), file);
    try (Database database = Database.open(folder.resolve("db"), options())) {
      database.keyValueStore("s");
      database.ingest("s", KeyValueStore.FAMILY, List.of(link));
      Files.delete(file);
      Files.delete(link);
      assertThat(count(database)).isEqualTo(10);
    }
  }

  @Test
  void aFileThatNobodyMayWriteToIsIngested() throws Exception {
    assumeThat(folder.getFileSystem().supportedFileAttributeViews()).contains("posix");
    Path file = sortedFile("a", 0, 10, TIMESTAMP);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("r--r--r--"));
    ProcessBuilder process = javaProcess(List.of(), Ingestion.class, folder.resolve("db"), file);
    if (Files.isWritable(file)) {
      // This user may write to every file, so the process is denied that privilege.
      List<String> denied = List.of("setpriv", "--bounding-set", "-dac_override");
      assumeThat(Mount.succeeds(append(denied, "true"))).as("may deny privileges").isTrue();
      process.command(append(denied, process.command().toArray(String[]::new)));
    }
    assertThat(outputOf(process)).endsWith("10\n");
  }

  private static List<String> append(List<String> command, String... arguments) {
    return Stream.concat(command.stream(), Stream.of(arguments)).toList();
  }

  /** Ingests a file into a database, and prints how many keys it has then. */
  static final class Ingestion {
    private Ingestion() {}

    public static void main(String[] args) throws IOException {
      Path file = Path.of(args[1]);
      if (Files.isWritable(file)) {
        throw new IllegalStateException(file + " is writable");
      }
      try (Database database = Database.open(Path.of(args[0]), options())) {
        database.keyValueStore("s");
        database.ingest("s", KeyValueStore.FAMILY, List.of(file));
        System.out.println(count(database));
      }
    }
  }

  @Test
  void anIngestThatFailsPartWayLeavesNothing() throws IOException {
    List<Path> files =
        List.of(sortedFile("a", 0, 10, TIMESTAMP), sortedFile("b", 10, 20, TIMESTAMP));
    boolean failed = true;
    for (int nth = 1; failed; nth++) {
      Path db = folder.resolve("db" + nth);
      FaultyStorage storage = new FaultyStorage(new FileStorage(db));
      try (Database database = DatabaseEngine.open(storage, options())) {
        database.keyValueStore("s");
        storage.failOnce(FaultyStorage.CHANGES, nth);
        Throwable thrown = catchThrowable(() -> database.ingest("s", KeyValueStore.FAMILY, files));
        failed = thrown != null;
        storage.count(Set.of());
        assertThat(count(database)).as("operation " + nth).isEqualTo(failed ? 0 : 20);
        if (failed && catchThrowable(() -> database.flush()) == null) {
          assertThat(db.resolve("sst")).as("operation " + nth).isEmptyDirectory();
          database.ingest("s", KeyValueStore.FAMILY, files);
          assertThat(count(database)).isEqualTo(20);
        }
      } catch (IOException e) {
        assertThat(failed).as("only a database that has failed fails to close").isTrue();
      }
      try (Database database = Database.open(db, options())) {
        assertThat(count(database)).as("operation " + nth).isIn(0, 20);
      }
      assertThat(Database.verify(db).problems()).isEmpty();
    }
  }

  @Test
  void writerRefusesDisorderAndLeavesNothingUnlessFinished() throws IOException {
    Path file = folder.resolve("a");
    try (SortedFileWriter writer = SortedFileWriter.create(file, FamilyDescriptor.of("f"))) {
      writer.add(key(2), QUALIFIER, TIMESTAMP, value("x", 2));
      assertThatThrownBy(() -> writer.add(key(1), QUALIFIER, TIMESTAMP, value("x", 1)))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> writer.add(key(2), QUALIFIER, TIMESTAMP, value("x", 3)))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> writer.add(new byte[0], QUALIFIER, TIMESTAMP, value("x", 3)))
          .isInstanceOf(IllegalArgumentException.class);
    }
    assertThat(file).doesNotExist();
  }

  @Test
  void rangeDeleteDeletesTheRowsOfTheRange() throws IOException {
    Path db = folder.resolve("db");
    try (Database database = Database.open(db, options())) {
      KeyValueStore store = database.keyValueStore("s");
      for (int i = 0; i < 3000; i++) {
        store.put(key(i), value("x", i));
      }
      database.flush();
      Table table = database.table("s");
      table.deleteRange(key(100), key(2600));
      assertThat(count(database)).isEqualTo(500);
      assertThat(store.get(key(99))).isNotNull();
      assertThat(store.get(key(100))).isNull();
      assertThat(store.get(key(2599))).isNull();
      assertThat(store.get(key(2600))).isNotNull();
      table.deleteRange(new byte[0], new byte[0]);
      assertThat(count(database)).isZero();
    }
  }

  @Test
  void rangeDeleteTakesCellsOfATimeToComeAndLeavesWhatIsWrittenLater() throws IOException {
    try (Database database = Database.open(folder.resolve("db"), options())) {
      KeyValueStore store = database.keyValueStore("s");
      Table table = database.table("s");
      byte[] family = KeyValueStore.FAMILY.getBytes(US_ASCII);
      byte[] row = key(1);
      long later = System.currentTimeMillis() + 1_000_000_000;
      table.put(new Put(row).addColumn(family, new byte[0], later, value("x", 1)));
      table.deleteRange(key(0), key(2));
      assertThat(table.get(new Get(row)).isEmpty()).isTrue();
      store.put(row, value("y", 1));
      assertThat(store.get(row)).isEqualTo(value("y", 1));
      database.flush();
      database.majorCompact("s");
      assertThat(store.get(row)).isEqualTo(value("y", 1));
    }
  }
}
