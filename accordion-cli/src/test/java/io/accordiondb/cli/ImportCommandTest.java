// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli;

import static io.accordiondb.fixtures.TestData.bytes;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.accordiondb.Cell;
import io.accordiondb.CompactionFilter;
import io.accordiondb.CompactionFilter.Decision;
import io.accordiondb.Database;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.Delete;
import io.accordiondb.FamilyDescriptor;
import io.accordiondb.Get;
import io.accordiondb.Put;
import io.accordiondb.Result;
import io.accordiondb.ResultScanner;
import io.accordiondb.Scan;
import io.accordiondb.Table;
import io.accordiondb.TableDescriptor;
import io.accordiondb.encoding.CellTags;
import io.accordiondb.fixtures.TestFiles;
import io.accordiondb.fixtures.TestThread;
import io.accordiondb.retention.KeepDeletedCells;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An imported table is what the exported one was, now and later. */
@Tag("slow")
class ImportCommandTest {
  private static final byte[] F = bytes("f");
  private static final byte[] Q = bytes("q");
  private static final byte[] TAG = {0, 2, 65, 7};
  private static final long HOUR = 3_600_000;

  /** One byte of this number is changed. */
  private static final int BYTES_STEP = 11;

  private static final long NOW = System.currentTimeMillis();

  private static final FamilyDescriptor VERSIONS =
      FamilyDescriptor.builder("f").maxVersions(3).build();
  private static final FamilyDescriptor KEEPS_DELETED =
      FamilyDescriptor.builder("f").maxVersions(3).keepDeletedCells(KeepDeletedCells.TRUE).build();

  @TempDir Path folder;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private Path original() {
    return folder.resolve("original");
  }

  private Path copy() {
    return folder.resolve("copy");
  }

  private Path file() {
    return folder.resolve("cells.json");
  }

  private int run(Object... arguments) {
    List<String> words = new ArrayList<>(List.of("store"));
    List.of(arguments).forEach(word -> words.add(word.toString()));
    return Main.run(new PrintWriter(out), new PrintWriter(err), words.toArray(new String[0]));
  }

  private void exportTable() {
    assertThat(run("export", original(), "--table=t", file(), "--force"))
        .as(err.toString())
        .isZero();
  }

  private int importTable() {
    return run("import", copy(), "--table=t", file());
  }

  private void copyTable() {
    exportTable();
    assertThat(importTable()).as(err.toString()).isZero();
  }

  private static TableDescriptor table(FamilyDescriptor family) {
    return TableDescriptor.builder("t").family(family).build();
  }

  private static Table create(Database database, FamilyDescriptor family) throws IOException {
    database.createTable(table(family));
    return database.table("t");
  }

  private static Put put(String row, long timestamp, String value, byte... tags) {
    return new Put(bytes(row)).addColumn(F, Q, timestamp, bytes(value), tags);
  }

  private static List<Cell> cells(Path database, long now) throws IOException {
    DatabaseOptions options =
        DatabaseOptions.builder().clock(() -> Instant.ofEpochMilli(now)).build();
    try (Database open = Database.open(database, options)) {
      return cells(open);
    }
  }

  private static List<Cell> cells(Database database) throws IOException {
    List<Cell> cells = new ArrayList<>();
    try (ResultScanner scanner =
        database.table("t").scan(new Scan().setAllVersions().setAllTags(true))) {
      for (Result result : scanner) {
        cells.addAll(result.cells());
      }
    }
    return cells;
  }

  @Test
  void aValueOfAnyLengthThatAnApplicationAllowsComesBack() throws IOException {
    byte[] value = new byte[16 << 20];
    new SplittableRandom(1).nextBytes(value);
    DatabaseOptions options = DatabaseOptions.builder().valueBytesMax(value.length).build();
    try (Database database = Database.open(original(), options)) {
      database.createTable(table(VERSIONS));
      database.table("t").put(new Put(bytes("r")).addColumn(F, Q, value));
    }
    copyTable();
    try (Database database = Database.open(copy(), options)) {
      assertThat(database.table("t").get(new Get(bytes("r"))).value(F, Q)).isEqualTo(value);
    }
  }

  @Test
  void batchesAreBoundedInBytes() throws IOException {
    String value = "v".repeat(70_000);
    try (Database database = Database.open(original())) {
      Table table = create(database, VERSIONS);
      for (int i = 0; i < 1000; i++) {
        table.put(put(String.format(Locale.ROOT, "row%03d", i), 1, value));
      }
    }
    copyTable();
    assertThat(cells(copy(), NOW)).hasSize(1000);
  }

  @Test
  void noOlderValueComesBackWhenAnImportedOneExpires() throws IOException {
    try (Database database = Database.open(original())) {
      Table table = create(database, VERSIONS);
      table.put(put("a", NOW - 10, "older"));
      table.put(put("a", NOW, "expires").setTtlMillis(HOUR));
      table.put(put("b", NOW - 10, "older expires").setTtlMillis(10 * HOUR));
      table.put(put("b", NOW - 5, "older"));
      table.put(put("b", NOW, "expires").setTtlMillis(HOUR));
      table.put(put("c", NOW - 5, "expires").setTtlMillis(HOUR));
      table.put(put("c", NOW, "stays"));
    }
    copyTable();
    for (long now : List.of(NOW, NOW + 2 * HOUR, NOW + 20 * HOUR)) {
      assertThat(cells(copy(), now)).isEqualTo(cells(original(), now));
    }
    assertThat(cells(copy(), NOW + 2 * HOUR)).hasSize(1);
  }

  @Test
  void passesOverAByteOrderMark() throws IOException {
    try (Database database = Database.open(original())) {
      create(database, VERSIONS).put(put("a", 1, "value"));
    }
    exportTable();
    Files.writeString(file(), "\uFEFF" + Files.readString(file()));
    assertThat(importTable()).as(err.toString()).isZero();
    assertThat(cells(copy(), NOW)).isEqualTo(cells(original(), NOW));
  }

  @Test
  void readsAPipeAndPassesOverBlankLines() throws Exception {
    try (Database database = Database.open(original())) {
      create(database, VERSIONS).put(put("a", 1, "value"));
    }
    exportTable();
    Path pipe = folder.resolve("pipe");
    assumeThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    TestThread writer =
        TestThread.start(
            "writer", () -> Files.writeString(pipe, Files.readString(file()) + "\n \n"));
    assertThat(run("import", copy(), "--table=t", pipe)).as(err.toString()).isZero();
    writer.join();
    assertThat(cells(copy(), NOW)).isEqualTo(cells(original(), NOW));
  }

  @Test
  void onlyTheOwnerCanReadANewFile() throws IOException {
    assumeThat(folder.getFileSystem().supportedFileAttributeViews()).contains("posix");
    exportRows(3);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file())))
        .isEqualTo("rw-------");
  }

  @Test
  void aFileThatIsReplacedKeepsItsPermissions() throws IOException {
    try (Database database = Database.open(original())) {
      create(database, VERSIONS).put(put("a", 1, "value"));
    }
    exportTable();
    for (String text : List.of("rw-------", "rw-rw-rw-")) {
      Set<PosixFilePermission> own = PosixFilePermissions.fromString(text);
      Files.setPosixFilePermissions(file(), own);
      exportTable();
      assertThat(Files.getPosixFilePermissions(file())).isEqualTo(own);
    }
  }

  @Test
  void theLaterOfTwoLinesForATimestampWins() throws IOException {
    List<String> lines = new ArrayList<>(List.of(CellLines.head(table(VERSIONS))));
    for (Put put :
        List.of(
            put("a", 10, "first").setTtlMillis(Long.MAX_VALUE / 4),
            put("a", 12, "other").setTtlMillis(Long.MAX_VALUE / 4),
            put("a", 10, "last"),
            put("b", 10, "first"),
            put("b", 10, "last").setTtlMillis(Long.MAX_VALUE / 4))) {
      lines.add(CellLines.line(put.cells().get(0)));
    }
    lines.add("{\"cells\":5}");
    Files.write(file(), lines);
    assertThat(importTable()).as(err.toString()).isZero();
    assertThat(cells(copy(), NOW))
        .extracting(cell -> new String(cell.value(), US_ASCII))
        .containsExactly("other", "last", "last");
  }

  @Test
  void noOlderValueComesBackWhenAFilterDropsAnImportedOne() throws IOException {
    try (Database database = Database.open(original())) {
      Table table = create(database, VERSIONS);
      table.put(put("a", 1, "kept"));
      table.put(put("a", 2, "x"));
    }
    exportTable();
    CompactionFilter dropsX =
        cell -> cell.value().get(cell.value().position()) == 'x' ? Decision.DROP : Decision.KEEP;
    DatabaseOptions options = DatabaseOptions.builder().compactionFilter("x", dropsX).build();
    try (Database database = Database.open(copy(), options)) {
      create(
          database,
          FamilyDescriptor.builder("f")
              .maxVersions(3)
              .compactionFilter("x")
              .filtersReads(true)
              .build());
    }
    assertThat(importTable()).as(err.toString()).isZero();
    try (Database database = Database.open(copy(), options)) {
      assertThat(cells(database)).isEmpty();
    }
  }

  @Test
  void aTableWhoseReadsNeedAFilterIsNotExportedWithoutIt() throws IOException {
    DatabaseOptions options =
        DatabaseOptions.builder().compactionFilter("x", cell -> Decision.DROP).build();
    try (Database database = Database.open(original(), options)) {
      create(
              database,
              FamilyDescriptor.builder("f").compactionFilter("x").filtersReads(true).build())
          .put(put("a", 1, "hidden"));
    }
    assertThat(run("export", original(), "--table=t", file())).isEqualTo(1);
    assertThat(err.toString()).contains("compaction filter x of family f");
    assertThat(file()).doesNotExist();
  }

  @Test
  void tagsComeAlongAndHiddenCellsDoNot() throws IOException {
    try (Database database = Database.open(original())) {
      Table table = create(database, VERSIONS);
      table.put(put("a", 1, "tagged", TAG));
      table.put(put("b", 1, "both", TAG).setTtlMillis(Long.MAX_VALUE / 4));
      table.put(put("c", 1, "malformed time to live", new byte[] {0, 2, CellTags.TTL, 7}));
      table.put(put("d", 1, "hidden", TAG));
      table.delete(new Delete(bytes("d")).addColumns(F, Q, 1));
      table.put(put("e", 1, "plain"));
    }
    copyTable();
    assertThat(cells(copy(), NOW)).hasSize(4).isEqualTo(cells(original(), NOW));
    assertThat(Files.readAllLines(file()))
        .hasSize(6)
        .anyMatch(
            line -> line.endsWith(",\"ttlMillis\":2305843009213693951,\"tags\":\"AAJBBw==\"}"))
        .anyMatch(line -> line.endsWith("\"value\":\"cGxhaW4=\"}"));
  }

  @Test
  void saysWhyAFamilyThatKeepsDeletedCellsTakesNoTimesToLive() throws IOException {
    try (Database database = Database.open(original())) {
      Table table = create(database, VERSIONS);
      table.put(put("a", 1, "stays"));
      table.put(put("b", 1, "expires").setTtlMillis(Long.MAX_VALUE / 4));
      database.alterTable(table(KEEPS_DELETED));
    }
    exportTable();
    assertThat(importTable()).isEqualTo(1);
    assertThat(err.toString())
        .contains(file() + ", line 3: family f keeps deleted cells", "alter the family of table t");
    alterCopy("FALSE");
    assertThat(importTable()).as(err.toString()).isZero();
    alterCopy("TRUE");
    assertThat(cells(copy(), NOW)).hasSize(2).isEqualTo(cells(original(), NOW));
    try (Database database = Database.open(copy())) {
      assertThat(database.describe("t").family("f").attributes())
          .isEqualTo(KEEPS_DELETED.attributes());
    }
  }

  private void alterCopy(String keepsDeleted) {
    String statement = "alter t, {NAME => f, KEEP_DELETED_CELLS => " + keepsDeleted + "}";
    String[] words = {"shell", copy().toString(), "-e", statement};
    assertThat(Main.run(new PrintWriter(out), new PrintWriter(err), words)).isZero();
  }

  @Test
  void timesToLiveBelowOneAreKept() throws IOException {
    try (Database database = Database.open(original())) {
      Table table = create(database, VERSIONS);
      long future = NOW + HOUR;
      table.put(put("a", 1, "older"));
      table.put(put("a", future, "expires in an hour", CellTags.withTtl(CellTags.NONE, 0)));
      table.put(put("b", future, "sooner", CellTags.withTtl(CellTags.NONE, -HOUR / 2)));
    }
    copyTable();
    assertThat(Files.readAllLines(file())).hasSize(5);
    for (long now : List.of(NOW, NOW + HOUR * 3 / 4, NOW + 2 * HOUR)) {
      assertThat(cells(copy(), now)).isEqualTo(cells(original(), now));
    }
    assertThat(cells(copy(), NOW + 2 * HOUR)).isEmpty();
  }

  private void exportRows(int rows) throws IOException {
    try (Database database = Database.open(original())) {
      Table table = create(database, VERSIONS);
      for (int i = 0; i < rows; i++) {
        table.put(put("row" + i, 1, "value"));
      }
    }
    exportTable();
  }

  /** The rest is lost if a disk is full, or a connection breaks, while the file is copied. */
  @Test
  void refusesAFileThatIsCutOffAnywhere() throws IOException {
    exportRows(3);
    String whole = Files.readString(file());
    int head = whole.indexOf('\n');
    for (int length = head; length < whole.length() - 1; length++) {
      if (length % 10 == 0 || whole.charAt(length) == '\n' || whole.charAt(length - 1) == '\n') {
        Files.writeString(file(), whole.substring(0, length));
        assertThat(importTable()).as("%d bytes", length).isEqualTo(3);
      }
    }
    assertThat(err.toString())
        .contains(file() + " is cut off", "the 3 cells before line 5 are sound and imported");
    assertThat(cells(copy(), NOW)).isEqualTo(cells(original(), NOW));
    Files.writeString(file(), whole.substring(0, whole.length() - 1));
    assertThat(importTable()).as(err.toString()).isZero();
  }

  /** A byte of a value in Base64 is one of another value, too. Each import takes a while. */
  @Test
  void refusesAFileOfWhichAByteWasChanged() throws IOException {
    exportRows(1);
    List<Cell> expected = cells(original(), NOW);
    byte[] sound = Files.readAllBytes(file());
    for (int at = 0; at < sound.length; at += BYTES_STEP) {
      byte[] changed = sound.clone();
      changed[at] ^= 1;
      Files.write(file(), changed);
      TestFiles.deleteFolder(copy());
      int code = importTable();
      if (code == 0) {
        assertThat(cells(copy(), NOW)).as("byte %d", at).isEqualTo(expected);
      } else {
        assertThat(code).as("byte %d", at).isIn(1, 3);
      }
    }
    assertThat(err.toString())
        .contains(file() + " is damaged: its lines have the checksum ", "remove crc32c");
  }

  /** What {@code docs/FORMATS.md} says, by hand. */
  @Test
  void readsAnExportThatWasKept() throws IOException {
    String kept =
        """
        {"table":"t","families":{"f":{"max-versions":"3"}},"endsWithCount":true}
        {"row":"cg==","family":"f","qualifier":"cQ==","timestamp":2,"value":"dHdv","tags":"AAJBBw=="}
        {"row":"cg==","family":"f","qualifier":"cQ==","timestamp":1,"value":"b25l"}
        {"cells":2,"crc32c":"250ed20c"}
        """;
    Files.writeString(file(), kept);
    assertThat(importTable()).as(err.toString()).isZero();
    assertThat(cells(copy(), NOW))
        .extracting(cell -> cell.timestamp() + new String(cell.value(), US_ASCII))
        .containsExactly("2two", "1one");
  }

  @Test
  void refusesAFileThatLacksLines() throws IOException {
    exportRows(3);
    List<String> lines = new ArrayList<>(Files.readAllLines(file()));
    lines.remove(2);
    Files.write(file(), lines);
    assertThat(importTable()).isEqualTo(3);
    assertThat(err.toString())
        .contains(file() + " has 2 cells, but had 3 when it was written", "import a complete file");
    assertThat(cells(copy(), NOW)).hasSize(2);
  }

  @Test
  void readsOlderExportsWhichHaveNoLastLine() throws IOException {
    exportRows(3);
    List<String> lines = new ArrayList<>(Files.readAllLines(file()));
    lines.set(0, lines.get(0).replace(",\"endsWithCount\":true", ""));
    lines.remove(4);
    Files.write(file(), lines);
    assertThat(lines.get(0)).doesNotContain("endsWithCount");
    assertThat(importTable()).as(err.toString()).isZero();
    assertThat(cells(copy(), NOW)).isEqualTo(cells(original(), NOW));
  }

  /** The call was right: the file is not what it should be, like one with a malformed line. */
  @Test
  void anEmptyFileIsNoWrongUsage() throws IOException {
    Files.createFile(file());
    assertThat(importTable()).isEqualTo(1);
    assertThat(err.toString()).contains(file() + " is empty; export writes at least ");
    assertThat(copy()).doesNotExist();
  }

  @Test
  void namesAFileThatIsNoText() throws IOException {
    Files.write(file(), new byte[] {0x1F, (byte) 0x8B, 8, 0, '\n'});
    assertThat(importTable()).isEqualTo(1);
    assertThat(err.toString()).contains(file() + ", behind line 0: there are bytes that are not");
    assertThat(copy()).doesNotExist();
  }

  @Test
  void refusesWhatIsNoCell() throws IOException {
    String start = "{\"row\":\"cg==\",\"family\":\"f\",\"qualifier\":\"\",\"value\":\"c2VjcmV0\"";
    Map<String, String> wrong =
        Map.of(
            start + ",\"timestamp\":-1}",
            "a field is missing, empty or negative",
            start + "}",
            "a field is missing, empty or negative",
            start + ",\"timestamp\":1,\"tags\":\"AAlB\"}",
            "tag length",
            start + ",\"timestamp\":1,\"tags\":\"secret\"}",
            "the field tags is of another kind",
            start + ",\"timestamp\":1,\"tags\":[{\"secret\":1}]}",
            "the field tags is of another kind",
            start + ",\"timestamp\":\"secret\"}",
            "the field timestamp is of another kind",
            start + ",\"secret",
            "it is no such JSON object, from column",
            "secret",
            "it is no such JSON object, from column");
    for (Map.Entry<String, String> line : wrong.entrySet()) {
      Files.write(file(), List.of(CellLines.head(table(VERSIONS)), line.getKey(), "{\"cells\":1}"));
      assertThat(importTable()).isEqualTo(1);
      assertThat(err.toString())
          .contains(file() + ", line 2: expected a cell: " + line.getValue())
          .doesNotContain("secret", "c2VjcmV0");
      err.getBuffer().setLength(0);
    }
  }
}
