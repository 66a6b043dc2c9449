// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import static io.accordiondb.fixtures.JavaProcess.javaProcess;
import static io.accordiondb.fixtures.JavaProcess.outputOf;
import static io.accordiondb.fixtures.TestData.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each thing that can be wrong has its own exception, which names it; and nothing is lost. */
class BadInputTest {
  private static final byte[] F = bytes("f");
  private static final byte[] Q = bytes("q");
  private static final byte[] KEPT = bytes("kept");

  @TempDir Path parent;
  private Path folder;
  private Database database;
  private Table table;

  private static DatabaseOptions options() {
    return DatabaseOptions.builder()
        .memoryBytes(4 << 20)
        .rowBytesMax(100)
        .valueBytesMax(1000)
        .batchBytesMax(4000)
        .build();
  }

  @BeforeEach
  void open() throws IOException {
    folder = parent.resolve("db");
    database = Database.open(folder, options());
    database.createTable(TableDescriptor.of("t", "f"));
    table = database.table("t");
    table.put(put(KEPT, 1));
  }

  @AfterEach
  void nothingIsLost() throws IOException {
    database.close();
    try (Database again = Database.open(folder, options())) {
      Table same = again.table("t");
      assertThat(same.exists(new Get(KEPT))).isTrue();
      same.put(put(bytes("more"), 1));
      assertThat(same.exists(new Get(bytes("more")))).isTrue();
    }
  }

  private static Put put(byte[] row, int valueBytes) {
    return new Put(row).addColumn(F, Q, new byte[valueBytes]);
  }

  @Test
  void emptyRow() {
    assertThatThrownBy(() -> new Put(new byte[0]))
        .isInstanceOf(EmptyRowException.class)
        .hasMessageContaining("put");
    assertThatThrownBy(() -> new Get(new byte[0])).isInstanceOf(EmptyRowException.class);
    assertThatThrownBy(() -> database.keyValueStore("kv").get(new byte[0]))
        .isInstanceOf(EmptyRowException.class);
  }

  @Test
  void rowBeyondTheLimit() throws IOException {
    table.put(put(new byte[100], 1));
    assertThatThrownBy(() -> table.put(put(new byte[101], 1)))
        .isInstanceOf(RowTooLongException.class)
        .hasMessageContaining("101")
        .hasMessageContaining("100");
  }

  @Test
  void valueOrBatchBeyondTheLimit() throws IOException {
    table.put(put(bytes("a"), 1000));
    assertThatThrownBy(() -> table.put(put(bytes("a"), 1001)))
        .isInstanceOf(ValueTooLargeException.class)
        .hasMessageContaining("1001");
    List<Put> puts =
        List.of(
            put(bytes("b"), 1000),
            put(bytes("c"), 1000),
            put(bytes("d"), 1000),
            put(bytes("e"), 1000));
    assertThatThrownBy(() -> table.put(puts))
        .isInstanceOf(ValueTooLargeException.class)
        .hasMessageContaining("batch");
    assertThat(table.exists(new Get(bytes("b")))).isFalse();
  }

  @Test
  void unknownTableOrFamily() {
    assertThatThrownBy(() -> database.table("nowhere"))
        .isInstanceOf(TableNotFoundException.class)
        .hasMessageContaining("nowhere");
    assertThatThrownBy(() -> table.put(new Put(KEPT).addColumn(bytes("g"), Q, Q)))
        .isInstanceOf(FamilyNotFoundException.class)
        .hasMessageContaining("\"t\"")
        .hasMessageContaining("\"g\"")
        .hasMessageContaining("it has f");
    assertThatThrownBy(() -> table.get(new Get(KEPT).addFamily(bytes("g"))))
        .isInstanceOf(FamilyNotFoundException.class);
    assertThatThrownBy(() -> table.scan(new Scan().addFamily(bytes("g"))))
        .isInstanceOf(FamilyNotFoundException.class);
    assertThatThrownBy(() -> database.createTable(TableDescriptor.of("t", "f")))
        .isInstanceOf(TableExistsException.class);
  }

  @Test
  void badNamesAndSplitKeys() {
    for (String name : List.of("", ".", "../t", "a/b", "a b", "x".repeat(65))) {
      assertThatThrownBy(() -> TableDescriptor.of(name, "f"))
          .isInstanceOf(InvalidNameException.class);
    }
    for (String name : List.of("", "a:b", "a b", "é", "x".repeat(128))) {
      assertThatThrownBy(() -> FamilyDescriptor.of(name)).isInstanceOf(InvalidNameException.class);
    }
    assertThatThrownBy(
            () -> database.createTable(TableDescriptor.of("u", "f"), bytes("a"), bytes("a")))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> database.createTable(TableDescriptor.of("u", "f"), new byte[0]))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void folderThatIsNoDatabase() throws IOException {
    Path other = Files.createDirectory(parent.resolve("other"));
    Path letter = Files.writeString(other.resolve("letter.txt"), "Dear reader");
    assertThatThrownBy(() -> Database.open(other, options()))
        .isInstanceOf(NotADatabaseException.class)
        .hasMessageContaining("letter.txt");
    assertThat(letter).hasContent("Dear reader");
    assertThatThrownBy(() -> Database.open(letter, options()))
        .isInstanceOf(NotADatabaseException.class)
        .hasMessageContaining("it is a file");
    DatabaseOptions existing = DatabaseOptions.builder().createIfMissing(false).build();
    assertThatThrownBy(() -> Database.open(parent.resolve("absent"), existing))
        .isInstanceOf(NotADatabaseException.class);
    assertThat(parent.resolve("absent")).doesNotExist();
  }

  @Test
  void folderOfAnotherFileSystem() throws IOException {
    URI archive = URI.create("jar:" + parent.resolve("archive.zip").toUri());
    try (FileSystem files = FileSystems.newFileSystem(archive, Map.of("create", "true"))) {
      Path inside = files.getPath("/db");
      assertThatThrownBy(() -> Database.open(inside, options()))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("/db is in a file system of the provider \"jar\"")
          .hasMessageContaining("Database.inMemory()");
      assertThat(inside).doesNotExist();
    }
  }

  @Test
  void openInThisProcess() throws IOException {
    assertThatThrownBy(() -> Database.open(folder, options()))
        .isInstanceOf(DatabaseLockedException.class)
        .hasMessageContaining("this process");
    Path link = Files.createSymbolicLink(parent.resolve("link"), folder);
    assertThatThrownBy(() -> Database.open(link, options()))
        .isInstanceOf(DatabaseLockedException.class);
    table.put(put(bytes("after"), 1));
  }

  /** Another process, which tries to open the folder and prints the error. */
  static final class Intruder {
    private Intruder() {}

    public static void main(String[] arguments) throws IOException {
      try (Database database = Database.open(Path.of(arguments[0]), options())) {
        System.out.println("opened " + database.tables());
      } catch (DatabaseLockedException e) {
        System.out.println("locked " + e.getMessage());
      }
    }
  }

  @Test
  void openInAnotherProcess() throws Exception {
    assertThat(outputOf(javaProcess(List.of(), Intruder.class, folder)))
        .contains("locked")
        .contains(Long.toString(ProcessHandle.current().pid()));
  }

  @Test
  void closedThings() throws IOException {
    ResultScanner scanner = table.scan(new Scan());
    scanner.close();
    assertThatThrownBy(scanner::next).isInstanceOf(IllegalStateException.class);
    Snapshot snapshot = database.snapshot();
    snapshot.close();
    assertThatThrownBy(() -> table.get(new Get(KEPT).setSnapshot(snapshot)))
        .isInstanceOf(IllegalStateException.class);
    database.close();
    assertThatThrownBy(() -> table.put(put(KEPT, 1)))
        .isInstanceOf(DatabaseClosedException.class)
        .hasMessageContaining(folder.toRealPath().toString());
    assertThatThrownBy(() -> table.get(new Get(KEPT))).isInstanceOf(DatabaseClosedException.class);
    assertThatThrownBy(() -> database.snapshot()).isInstanceOf(DatabaseClosedException.class);
    assertThatThrownBy(() -> database.createTable(TableDescriptor.of("u", "f")))
        .isInstanceOf(DatabaseClosedException.class);
    database.close();
  }

  @Test
  void thingsThatDoNotFit() throws IOException {
    try (Database other = Database.open(parent.resolve("second"), options());
        Snapshot foreign = other.snapshot()) {
      assertThatThrownBy(() -> table.get(new Get(KEPT).setSnapshot(foreign)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("another database");
    }
    assertThatThrownBy(() -> new Put(KEPT).addColumn(F, Q, -1, Q))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("-1");
    assertThatThrownBy(() -> table.increment(KEPT, F, Q, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("1 bytes");
    assertThatThrownBy(() -> table.put(new Put(KEPT)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("no column");
    assertThatThrownBy(
            () -> CheckAndMutate.builder(KEPT).ifExists(F, Q).build(put(bytes("other"), 1)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> DatabaseOptions.builder().memoryBytes(5))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("memoryBytes is 5");
    assertThatThrownBy(() -> DatabaseOptions.builder().experiment(e -> e.withChunkBytes(100_000)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("power of two");
  }
}
