// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli;

import static io.accordiondb.fixtures.TestData.bytes;
import static io.accordiondb.fixtures.TestFiles.flip;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.accordiondb.Compression;
import io.accordiondb.Database;
import io.accordiondb.Delete;
import io.accordiondb.FamilyDescriptor;
import io.accordiondb.Put;
import io.accordiondb.Table;
import io.accordiondb.TableDescriptor;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("slow")
class InspectCommandTest {
  private static final int ROWS = 3000;

  @TempDir Path folder;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  /** A table of which half is overwritten in a second file, and a tenth deleted in a third. */
  @BeforeEach
  void fill() throws IOException {
    try (Database database = Database.open(db())) {
      database.createTable(
          TableDescriptor.builder("t")
              .family(FamilyDescriptor.builder("f").compression(Compression.LZ4).build())
              .family(FamilyDescriptor.of("g"))
              .build(),
          bytes("row2000"));
      Table table = database.table("t");
      put(table, ROWS, "first");
      database.flush();
      put(table, ROWS / 2, "second");
      database.flush();
      for (int i = 0; i < ROWS / 10; i++) {
        table.delete(new Delete(row(i)));
      }
      database.flush();
      table.put(new Put(bytes("logged")).addColumn(bytes("g"), bytes("q"), bytes("in the log")));
    }
  }

  private static void put(Table table, int rows, String value) throws IOException {
    List<Put> puts = new ArrayList<>();
    for (int i = 0; i < rows; i++) {
      puts.add(new Put(row(i)).addColumn(bytes("f"), bytes("q"), bytes(value + " value " + i)));
    }
    table.put(puts);
  }

  private static byte[] row(int number) {
    return bytes(String.format(Locale.ROOT, "row%04d", number));
  }

  private Path db() {
    return folder.resolve("db");
  }

  private int inspect(Object... arguments) {
    return inspectDatabase(db(), arguments);
  }

  private int inspectDatabase(Path database, Object... arguments) {
    out.getBuffer().setLength(0);
    err.getBuffer().setLength(0);
    List<String> words = new ArrayList<>(List.of("inspect", database.toString()));
    Stream.of(arguments).map(Object::toString).forEach(words::add);
    return Main.run(new PrintWriter(out), new PrintWriter(err), words.toArray(new String[0]));
  }

  private List<JsonNode> json(String... arguments) throws IOException {
    List<Object> words = new ArrayList<>(List.of(arguments));
    words.add("--json");
    assertThat(inspect(words.toArray())).as(err.toString()).isZero();
    return parsed();
  }

  private List<JsonNode> parsed() throws IOException {
    List<JsonNode> objects = new ArrayList<>();
    for (String line : out.toString().split("\n")) {
      objects.add(new ObjectMapper().readTree(line));
    }
    return objects;
  }

  private static List<JsonNode> of(List<JsonNode> all, String type) {
    return all.stream().filter(each -> each.get("type").asText().equals(type)).toList();
  }

  private List<String> tables() throws IOException {
    return json("files").stream().map(file -> file.get("file").asText()).toList();
  }

  /** Returns the name of the largest sorted table. */
  private String largest() throws IOException {
    return json("files").stream()
        .max((a, b) -> Long.compare(a.get("bytes").asLong(), b.get("bytes").asLong()))
        .orElseThrow()
        .get("file")
        .asText();
  }

  @Test
  void showsTablesRegionsAndFiles() throws IOException {
    assertThat(inspect("tables")).isZero();
    assertThat(out.toString()).contains("t (", "regions 2", "family f (", "compression=LZ4");
    JsonNode table = json("tables").get(0);
    assertThat(table.get("table").asText()).isEqualTo("t");
    assertThat(table.get("families")).hasSize(2);
    assertThat(inspect("regions", "--keys", "hex")).isZero();
    assertThat(out.toString()).contains("hex:726f7732303030");
    List<JsonNode> regions = json("regions");
    assertThat(regions).hasSize(2);
    assertThat(regions.get(1).get("start").asText()).isEqualTo("row2000");
    assertThat(json("files"))
        .allSatisfy(file -> assertThat(file.get("there").asBoolean()).isTrue());
    assertThat(inspect("files")).isZero();
    assertThat(out.toString()).contains("minSequence", ".sst");
  }

  @Test
  void showsASortedTable() throws IOException {
    String file = largest();
    List<JsonNode> objects = json("table", file, "--blocks", "--cells", "--values", "base64");
    JsonNode properties = of(objects, "properties").get(0);
    long cells = properties.get("cells").asLong();
    assertThat(of(objects, "cell")).hasSize((int) cells);
    List<JsonNode> blocks = of(objects, "block");
    long entries = 0;
    long stored = 0;
    for (JsonNode block : blocks) {
      stored += block.get("storedBytes").asLong();
      entries += block.get("kind").asText().equals("data") ? block.get("entries").asLong() : 0;
    }
    assertThat(entries).isEqualTo(cells);
    assertThat(stored).as("all but the footer").isEqualTo(properties.get("bytes").asLong() - 68);
    assertThat(of(objects, "compression").toString()).contains("data, lz4");
    assertThat(of(objects, "histogram")).isNotEmpty();
    assertThat(of(objects, "position")).hasSize(10);
    assertThat(of(objects, "cell").get(0).get("value").asText()).startsWith("base64:");
    String number = properties.get("number").asText();
    for (String name : List.of(number, file, db().resolve(file).toString())) {
      assertThat(inspect("table", name, "--blocks", "--cells")).as(name).isZero();
      assertThat(out.toString()).contains("block at 0: data", "firstRow", "sequence=");
    }
  }

  @Test
  void namesTheRowAtEachTenthOfFewCells() throws Exception {
    Path small = folder.resolve("small");
    try (Database database = Database.open(small)) {
      database.createTable(TableDescriptor.of("t", "f"));
      put(database.table("t"), 3, "small");
    }
    assertThat(inspectDatabase(small, "files", "--json")).isZero();
    String file = parsed().get(0).get("file").asText();
    assertThat(inspectDatabase(small, "table", file, "--json")).isZero();
    List<String> rows =
        of(parsed(), "position").stream()
            .map(each -> each.get("percent").asInt() + " " + each.get("row").asText())
            .toList();
    assertThat(rows).hasSize(10).contains("0 row0000", "30 row0000", "40 row0001", "90 row0002");
  }

  /** Copies what a process that is killed now leaves. */
  private Path killed() throws IOException {
    Path copy = folder.resolve("killed");
    try (Stream<Path> files = Files.walk(db())) {
      for (Path file : files.toList()) {
        Files.copy(file, copy.resolve(db().relativize(file).toString()));
      }
    }
    return copy;
  }

  private static Path newestManifest(Path database) throws IOException {
    try (Stream<Path> files = Files.list(database)) {
      return files
          .filter(file -> file.getFileName().toString().startsWith("MANIFEST"))
          .max(Path::compareTo)
          .orElseThrow();
    }
  }

  private static Path newestLog(Path database) throws IOException {
    try (Stream<Path> logs = Files.list(database.resolve("wal"))) {
      return logs.max(Path::compareTo).orElseThrow();
    }
  }

  @Test
  void showsTimesToLiveAndTagsOfCells() throws IOException {
    byte[] tag = {0, 2, 65, 7};
    String shown = "hex:00024107";
    List<String> expected =
        List.of(
            "value=v tags=" + shown + "\n",
            "value=v ttlMillis=" + (1L << 50) + " tags=" + shown + "\n",
            "value=plain\n");
    Path killed;
    try (Database database = Database.open(db())) {
      Table table = database.table("t");
      table.put(new Put(bytes("z1")).addColumn(bytes("g"), bytes("q"), 1, bytes("v"), tag));
      table.put(
          new Put(bytes("z2"))
              .addColumn(bytes("g"), bytes("q"), 1, bytes("v"), tag)
              .setTtlMillis(1L << 50));
      table.put(new Put(bytes("z3")).addColumn(bytes("g"), bytes("q"), 1, bytes("plain")));
      killed = killed();
    }
    assertThat(inspectDatabase(killed, "log", "--cells")).isZero();
    assertThat(out.toString()).contains(expected);
    String newest = tables().stream().max(String::compareTo).orElseThrow();
    assertThat(inspect("table", newest, "--cells")).isZero();
    assertThat(out.toString()).contains(expected);

    List<JsonNode> cells = of(json("table", newest, "--cells"), "cell");
    assertThat(cells)
        .extracting(cell -> cell.path("tags").asText())
        .containsExactly(shown, shown, "");
    assertThat(cells)
        .extracting(cell -> cell.path("ttlMillis").asLong())
        .containsExactly(0L, 1L << 50, 0L);
  }

  @Test
  void showsTheLogAndItsTornTail() throws IOException {
    Path killed;
    try (Database database = Database.open(db())) {
      database.table("t").put(new Put(bytes("x")).addColumn(bytes("f"), bytes("q"), bytes("v")));
      killed = killed();
      assertThat(inspect("log", "--cells")).as("while it is open").isZero();
    }
    assertThat(out.toString()).contains("batch of", "t x f:q", "value=v", "part of the log");
    Path log = newestLog(killed);
    int end = lastByte(log);
    try (var channel = FileChannel.open(log, StandardOpenOption.WRITE)) {
      channel.truncate(end - 1);
    }
    assertThat(inspectDatabase(killed, "log", "--json")).isZero();
    List<JsonNode> objects = parsed();
    assertThat(of(objects, "tornTail")).hasSize(1);
    assertThat(of(objects, "record")).isNotEmpty();
  }

  private static int lastByte(Path file) throws IOException {
    byte[] content = Files.readAllBytes(file);
    int end = content.length;
    while (content[end - 1] == 0) {
      end--;
    }
    return end;
  }

  @Test
  void showsTheManifest() throws IOException {
    assertThat(inspect("manifest")).isZero();
    assertThat(out.toString())
        .contains("MANIFEST-", "snapshot", "table 5 is t, families f (3), g (4)", "add file");
    List<JsonNode> records = of(json("manifest"), "record");
    assertThat(records.get(0).get("kind").asText()).isEqualTo("snapshot");
    assertThat(records.get(0).get("offset").asLong()).isEqualTo(24);
  }

  @Test
  void measuresLiveAndDeadData() throws IOException {
    List<JsonNode> space = json("space");
    JsonNode total = of(space, "total").get(0);
    double givenBack = total.get("percentGivenBack").asDouble();
    // 1500 overwritten, 300 of these deleted: 2700 of 4500 cells and 300 markers stay.
    assertThat(givenBack).isBetween(35.0, 65.0);
    JsonNode estimated = of(json("sizes"), "total").get(0);
    assertThat(estimated.get("percentDead").asDouble()).isBetween(givenBack - 15, givenBack + 15);
    long before = total.get("bytes").asLong();
    try (Database database = Database.open(db())) {
      database.majorCompact("t");
    }
    long after = of(json("space"), "total").get(0).get("bytes").asLong();
    assertThat((double) (before - after) / before * 100).isBetween(givenBack - 20, givenBack + 20);
    assertThat(of(json("space"), "total").get(0).get("percentGivenBack").asDouble()).isZero();
    assertThat(inspect("sizes")).isZero();
    assertThat(out.toString()).contains("liveBytes", "level", "t:f", "all");
  }

  @Test
  void fieldsStandInOneOrder() throws IOException {
    assertThat(inspect("regions", "--json")).isZero();
    assertThat(out.toString())
        .startsWith("{\"type\":\"region\",\"table\":\"t\",\"region\":")
        .containsPattern("\"start\":.*\"end\":.*\"files\":.*\"bytes\":");
  }

  @Test
  void goesOnBehindADamagedBlock() throws IOException {
    String file = largest();
    List<JsonNode> sound = json("table", file, "--cells");
    flip(db().resolve(file), 20);
    assertThat(inspect("table", file, "--cells", "--json")).isEqualTo(3);
    assertThat(err.toString()).contains("damaged: ", file, "offset 0");
    List<JsonNode> objects = parsed();
    assertThat(of(objects, "damage").get(0).get("offset").asLong()).isZero();
    assertThat(of(objects, "cell")).isNotEmpty().hasSizeLessThan(of(sound, "cell").size());
    assertThat(inspect("space")).isEqualTo(3);
  }

  @Test
  void findsBlocksWithoutTheIndex() throws IOException {
    String file = largest();
    Path path = db().resolve(file);
    flip(path, Files.size(path) - 30);
    assertThat(inspect("table", file, "--blocks")).isEqualTo(3);
    assertThat(out.toString()).contains("block at 0: unknown");
    assertThat(err.toString()).contains("checksum");
  }

  @Test
  void goesOnBehindADamagedRecordOfTheLog() throws IOException {
    Path killed;
    try (Database database = Database.open(db())) {
      for (int i = 0; i < 5; i++) {
        database.table("t").put(new Put(row(i)).addColumn(bytes("f"), bytes("q"), bytes("v")));
      }
      killed = killed();
    }
    Path log = newestLog(killed);
    flip(log, lastByte(log) - 250);
    assertThat(inspectDatabase(killed, "log", "--json")).isEqualTo(3);
    List<JsonNode> objects = parsed();
    JsonNode damage = of(objects, "damage").get(0);
    assertThat(damage.get("offset").asLong()).isPositive();
    List<JsonNode> records = of(objects, "record");
    assertThat(records.get(records.size() - 1).get("offset").asLong())
        .isGreaterThan(damage.get("offset").asLong());
  }

  @Test
  void showsWhatADamagedManifestStillHas() throws IOException {
    flip(newestManifest(db()), 30);
    assertThat(inspect("manifest")).isEqualTo(3);
    assertThat(err.toString()).contains("offset 24");
    assertThat(inspect("tables")).isEqualTo(3);
  }

  /** The log of a process that was killed tells of commits that its manifest then lacks. */
  @Test
  void findsThatAManifestHasLostItsEnd() throws IOException {
    Path killed;
    try (Database database = Database.open(db())) {
      Table table = database.table("t");
      put(table, 10, "flushed");
      database.flush();
      put(table, 10, "logged");
      killed = killed();
    }
    assertThat(inspectDatabase(killed, "sizes")).as(err.toString()).isZero();
    truncateToSnapshot(newestManifest(killed));
    for (String what : List.of("tables", "files", "sizes")) {
      assertThat(inspectDatabase(killed, what)).as(what).isEqualTo(3);
      assertThat(err.toString()).contains("damaged: ", "the manifest has lost its end");
    }
    String[] info = {"store", "info", killed.toString()};
    assertThat(Main.run(new PrintWriter(out), new PrintWriter(err), info)).isEqualTo(3);
    assertThat(out.toString()).contains("tables: [{table=t");
  }

  /** Leaves only the record with which a manifest begins. */
  private void truncateToSnapshot(Path manifest) throws IOException {
    assertThat(inspectDatabase(manifest.getParent(), "manifest", manifest, "--json")).isZero();
    JsonNode first = of(parsed(), "record").get(0);
    try (var channel = FileChannel.open(manifest, StandardOpenOption.WRITE)) {
      channel.truncate(first.get("offset").asLong() + first.get("bytes").asLong());
    }
  }

  @Test
  void takesNoFileForAnotherOfItsName() throws IOException {
    String file = tables().get(0);
    String name = file.substring(file.lastIndexOf('/') + 1);
    Path other = Files.createDirectories(folder.resolve("other/sst")).resolve(name);
    Files.copy(db().resolve(file), other);
    assertThat(inspect("table", db().resolve(file).toString())).as(err.toString()).isZero();
    assertThat(inspect("table", name)).as(err.toString()).isZero();
    assertThat(inspect("table", other.toString())).isNotZero();
    assertThat(inspect("table", name + ".old")).isNotZero();
  }

  @Test
  void namesAMissingFile() throws IOException {
    Files.delete(db().resolve(tables().get(0)));
    assertThat(inspect("files")).isEqualTo(3);
    assertThat(err.toString()).contains("is missing, though the manifest names it");
    assertThat(inspect("sizes")).isEqualTo(3);
  }

  @Test
  void changesNothing() throws IOException {
    Map<Path, Long> before = state();
    for (String what : List.of("tables", "files", "log", "manifest", "sizes", "space")) {
      assertThat(inspect(what)).isZero();
    }
    assertThat(inspect("table", tables().get(0))).isZero();
    assertThat(state()).isEqualTo(before);
  }

  private Map<Path, Long> state() throws IOException {
    Map<Path, Long> files = new TreeMap<>();
    try (Stream<Path> all = Files.walk(db())) {
      for (Path file : all.toList()) {
        files.put(file, Files.getLastModifiedTime(file).toMillis() ^ Files.size(file));
      }
    }
    return files;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "table",
        "log 99",
        "table nothing",
        "manifest 99",
        "sizes 3",
        "nonsense",
        "files --cells",
        "log --blocks"
      })
  void saysWhatIsWrong(String arguments) {
    assertThat(inspect((Object[]) arguments.split(" "))).isBetween(1, 2);
    assertThat(err.toString())
        .containsAnyOf(
            "name the sorted table",
            "the database has no such file as",
            "takes no FILE",
            "--cells is an option of table and log",
            "--blocks is an option of table",
            "nonsense")
        .doesNotContain("Exception");
  }

  @Test
  void saysThatThereIsNoDatabase() throws IOException {
    Path empty = Files.createDirectory(folder.resolve("empty"));
    for (Path path : List.of(empty, folder.resolve("missing"))) {
      assertThat(inspectDatabase(path, "tables")).isEqualTo(1);
      assertThat(err.toString()).contains(path.toString());
    }
    assertThat(empty).isEmptyDirectory();
  }

  @Test
  void endsQuietlyWhenNobodyReadsAnyMore() throws IOException {
    int exitCode =
        Main.run(
            new PrintWriter(new BrokenPipe()),
            new PrintWriter(err),
            "inspect",
            db().toString(),
            "table",
            largest(),
            "--cells");
    assertThat(exitCode).isZero();
    assertThat(err.toString()).isEmpty();
  }
}
