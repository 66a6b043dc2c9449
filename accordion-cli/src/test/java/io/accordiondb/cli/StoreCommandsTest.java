// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli;

import static io.accordiondb.fixtures.TestData.bytes;
import static io.accordiondb.fixtures.TestFiles.filesBelow;
import static io.accordiondb.fixtures.TestFiles.flip;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.accordiondb.ChangeFeed;
import io.accordiondb.Database;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.FamilyDescriptor;
import io.accordiondb.Get;
import io.accordiondb.Put;
import io.accordiondb.Result;
import io.accordiondb.SortedFileWriter;
import io.accordiondb.TableDescriptor;
import io.accordiondb.backup.BackupTarget;
import io.accordiondb.backup.Backups;
import io.accordiondb.fixtures.Mount;
import io.accordiondb.fixtures.TestThread;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("slow")
class StoreCommandsTest {
  @TempDir Path folder;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @BeforeEach
  void fill() throws IOException {
    try (Database database = Database.open(db())) {
      database.createTable(
          TableDescriptor.builder("t")
              .family(FamilyDescriptor.builder("f").maxVersions(3).build())
              .build());
      for (int i = 0; i < 100; i++) {
        database.table("t").put(put(i, 1, "old"));
        database.table("t").put(put(i, 2, "new"));
      }
    }
  }

  private static Put put(int row, long timestamp, String value) {
    return new Put(bytes(String.format("row%02d", row)))
        .addColumn(bytes("f"), bytes("q"), timestamp, bytes(value));
  }

  private Path db() {
    return folder.resolve("db");
  }

  private int run(Object... arguments) {
    out.getBuffer().setLength(0);
    List<String> words = new ArrayList<>(List.of("store"));
    Stream.of(arguments).map(Object::toString).forEach(words::add);
    return Main.run(new PrintWriter(out), new PrintWriter(err), words.toArray(new String[0]));
  }

  private JsonNode result() throws IOException {
    return new ObjectMapper().readTree(out.toString());
  }

  @Test
  void verifiesAndRepairs() throws IOException {
    assertThat(run("verify", db(), "--json")).as(err.toString()).isZero();
    assertThat(result().get("cells").asLong()).isEqualTo(200);
    try (Stream<Path> tables = Files.list(db().resolve("sst"))) {
      flip(tables.findFirst().orElseThrow(), 30);
    }
    assertThat(run("verify", db())).isEqualTo(3);
    assertThat(out.toString()).contains("damaged: ").contains(".sst");
    assertThat(run("repair", db())).isEqualTo(3);
    assertThat(out.toString()).contains("lost: ");
    assertThat(run("verify", db())).isZero();
    assertThat(run("verify", folder.resolve("nothing"))).isEqualTo(1);
  }

  @Test
  void aHostileFileDoesNotWriteToTheTerminal() throws IOException {
    Files.writeString(db().resolve("CURRENT"), "\u001b]0;title\u0007\n");
    assertThat(run("verify", db())).isEqualTo(3);
    assertThat(out.toString()).contains("\\x1B]0;title\\x07").doesNotContain("\u001b");
    assertThat(run("checkpoint", db(), folder.resolve("copy"))).isEqualTo(3);
    assertThat(err.toString()).contains("\\x1B]0;title\\x07").doesNotContain("\u001b");
  }

  @Test
  void countsSharedFilesOnce() throws IOException {
    // So slow that the copy does not get files of its own.
    DatabaseOptions slow = DatabaseOptions.builder().compactionBytesPerSecond(1).build();
    try (Database database = Database.open(db(), slow)) {
      TableDescriptor copy =
          TableDescriptor.builder("copy")
              .family(FamilyDescriptor.builder("f").maxVersions(3).build())
              .build();
      database.copyTable("t", copy);
    }
    assertThat(run("info", db(), "--json")).as(err.toString()).isZero();
    List<Path> files = filesBelow(db().resolve("sst"));
    assertThat(result().get("sortedTables").asInt()).isEqualTo(files.size());
    assertThat(result().get("sortedTableBytes").asLong()).isEqualTo(bytesOf(files));
  }

  @Test
  void countsTheKeptLogApart() throws IOException {
    DatabaseOptions keeping = DatabaseOptions.builder().logRetention(Duration.ofDays(1)).build();
    try (Database database = Database.open(db(), keeping)) {
      database.flush();
    }
    Database.open(db(), keeping).close();
    assertThat(run("info", db(), "--json")).as(err.toString()).isZero();
    List<Path> log = filesBelow(db().resolve("wal"));
    List<Path> kept = new ArrayList<>(filesBelow(db().resolve("kept")));
    kept.removeIf(file -> !file.toString().endsWith(".log"));
    assertThat(kept).isNotEmpty();
    assertThat(result().get("logFiles").asInt()).isEqualTo(log.size());
    assertThat(result().get("keptLogFiles").asInt()).isEqualTo(kept.size());
    assertThat(result().get("logBytes").asLong()).isEqualTo(bytesOf(log));
    assertThat(result().get("keptLogBytes").asLong()).isEqualTo(bytesOf(kept));
  }

  private static long bytesOf(List<Path> files) throws IOException {
    long bytes = 0;
    for (Path file : files) {
      bytes += Files.size(file);
    }
    return bytes;
  }

  @Test
  void aCompactionTellsTheSortedTablesOfItsTable() throws IOException {
    try (Database database = Database.open(db())) {
      database.keyValueStore("other").put(new byte[] {1}, new byte[] {1});
    }
    assertThat(run("compact", db(), "--table", "t", "--json")).as(err.toString()).isZero();
    assertThat(result().get("sortedTables").asInt()).isEqualTo(1);
  }

  @Test
  void encryptsAndAsksForKeys() throws IOException {
    Path keys = folder.resolve("keys");
    Files.writeString(keys, "2026 " + Base64.getEncoder().encodeToString(new byte[32]));
    assertThat(run("compact", db(), "--table", "t", "--key-file", keys))
        .as(err.toString())
        .isZero();
    assertThat(run("info", db())).isEqualTo(1);
    assertThat(err.toString()).contains("holds encrypted files; give --key-file or --key-env");
    assertThat(run("info", db(), "--json", "--key-file", keys)).as(err.toString()).isZero();
    assertThat(result().get("files").get("key 2026").asInt()).isPositive();
    assertThat(run("verify", db())).isEqualTo(1);
    assertThat(run("verify", db(), "--key-file", keys)).isZero();
    assertThat(run("repair", db())).isEqualTo(1);
    assertThat(run("repair", db(), "--key-env", "ACCORDION_NO_SUCH_KEYS")).isEqualTo(1);
    assertThat(err.toString()).contains("ACCORDION_NO_SUCH_KEYS is not set");
    Path backups = folder.resolve("backups");
    assertThat(run("backup", db(), backups, "--key-file", keys)).as(err.toString()).isZero();
    Path restored = folder.resolve("restored");
    assertThat(run("restore", restored, backups)).as(err.toString()).isZero();
    assertThat(run("verify", restored)).isEqualTo(1);
    assertThat(run("verify", restored, "--json", "--key-file", keys)).isZero();
    assertThat(result().get("cells").asLong()).isEqualTo(200);
  }

  @Test
  void namesAFileThatHasNoKeys() throws IOException {
    Path keys = Files.write(folder.resolve("keys"), new byte[] {(byte) 0xC3, 0x28, (byte) 0xFF});
    assertThat(run("verify", db(), "--key-file", keys)).isEqualTo(2);
    assertThat(err.toString()).contains(keys + " is not text in UTF-8; expected lines");
    assertThat(run("verify", db(), "--key-file", folder)).isEqualTo(1);
    assertThat(err.toString()).contains(folder + ": Is a directory");
  }

  @Test
  void refusesTwoSourcesOfKeys() throws IOException {
    Path keys = folder.resolve("keys");
    Files.writeString(keys, "2026 " + Base64.getEncoder().encodeToString(new byte[32]));
    for (String command : List.of("info", "verify")) {
      assertThat(run(command, db(), "--key-file", keys, "--key-env", "KEYS")).isEqualTo(2);
      assertThat(err.toString())
          .contains(command + ": --key-file=FILE, --key-env=NAME are mutually exclusive")
          .contains("[--key-file=FILE | --key-env=NAME]");
    }
  }

  @Test
  void backsUpAndRestores() throws IOException {
    Path backups = folder.resolve("backups");
    assertThat(run("restore", folder.resolve("early"), backups)).isEqualTo(1);
    assertThat(err.toString()).contains("there is no backup in " + backups);
    assertThat(run("backup", db(), backups, "--json")).as(err.toString()).isZero();
    long bytes = result().get("bytesAdded").asLong();
    assertThat(bytes).isPositive();
    assertThat(run("backup", db(), backups, "--read-all", "--json")).isZero();
    assertThat(result().get("generation").asLong()).isEqualTo(2);
    assertThat(result().get("bytesAdded").asLong()).isLessThan(bytes);

    assertThat(run("backups", backups, "--verify", "--json")).isZero();
    assertThat(result().get("generations")).hasSize(2);
    Path restored = folder.resolve("restored");
    assertThat(run("restore", restored, backups, "--generation", 1)).as(err.toString()).isZero();
    assertThat(run("verify", restored)).isZero();
    assertThat(run("restore", restored, backups)).isEqualTo(1);
    assertThat(err.toString()).contains(restored + " is not empty; give an empty or a new one");
    Path interrupted = folder.resolve("interrupted");
    Files.createDirectories(interrupted.resolve("restoring/log"));
    assertThat(run("restore", interrupted, backups)).isEqualTo(1);
    assertThat(err.toString())
        .contains(interrupted + ": it holds what an interrupted restore has left")
        .contains("delete its contents, then restore again");
    assertThat(run("restore", folder.resolve("third"), backups, "--generation", 9)).isEqualTo(1);
    assertThat(err.toString()).contains("no generation 9; there are [1, 2]");

    assertThat(run("backups", backups, "--delete", 1, "--json")).isZero();
    assertThat(result().get("generations")).hasSize(1);
    assertThat(run("backup", db(), backups, "--keep", 1, "--json")).isZero();
    assertThat(result().get("generation").asLong()).isEqualTo(3);
    for (Path file : filesBelow(backups.resolve("files"))) {
      Files.write(file, new byte[10]);
    }
    assertThat(run("backups", backups, "--verify")).isEqualTo(3);
    assertThat(run("restore", folder.resolve("fourth"), backups)).isEqualTo(3);
    assertThat(run("backup", db(), backups, "--keep", -1)).isEqualTo(2);
    assertThat(run("backup", db(), backups, "--keep", 0)).isEqualTo(2);
    assertThat(err.toString()).contains("--keep is 0, expected 1 to ");
  }

  @Test
  void namesADamagedRecordOfAGeneration() throws IOException {
    Path backups = folder.resolve("backups");
    assertThat(run("backup", db(), backups)).as(err.toString()).isZero();
    assertThat(run("backup", db(), backups)).as(err.toString()).isZero();
    Path record = backups.resolve("generations/0000000001");
    flip(record, 40);
    assertThat(run("backups", backups, "--verify")).isEqualTo(3);
    assertThat(out.toString())
        .contains("generation=2", "damaged: ", "generations/0000000001", "--delete removes it");
    assertThat(run("backups", backups, "--json")).isEqualTo(3);
    assertThat(result().get("generations")).hasSize(1);
    assertThat(result().get("problems").get(0).asText()).contains("generations/0000000001");
    assertThat(err.toString()).doesNotContain("\tat ");
    assertThat(run("backups", backups, "--delete", 1)).as(err.toString()).isZero();
    assertThat(run("backups", backups, "--verify")).as(err.toString()).isZero();
    flip(backups.resolve("generations/0000000002"), 40);
    assertThat(run("restore", folder.resolve("restored"), backups)).isEqualTo(3);
    assertThat(err.toString()).contains("no backup in " + backups + " can be read; ");
    assertThat(run("restore", folder.resolve("restored"), backups, "--to-sequence", 1))
        .isEqualTo(3);
  }

  /** Another process may delete old generations while they are verified. */
  @Test
  @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void verifiesTheOtherGenerationsIfOneIsDeleted() throws Exception {
    Path backups = folder.resolve("backups");
    for (int generation = 1; generation <= 3; generation++) {
      assertThat(run("backup", db(), backups)).as(err.toString()).isZero();
    }
    String last = Files.readString(backups.resolve("generations/0000000003"));
    Path read = null;
    for (String line : Files.readAllLines(backups.resolve("generations/0000000001"))) {
      String[] words = line.split(" ");
      if (words[0].equals("file") && !last.contains(words[1])) {
        read = backups.resolve("files").resolve(words[1]);
      }
    }
    byte[] content = Files.readAllBytes(read);
    Files.delete(read);
    Path pipe = read;
    assumeThat(Mount.succeeds(List.of("mkfifo", pipe.toString()))).isTrue();
    TestThread deleting =
        TestThread.start(
            "deleting",
            () -> {
              try (OutputStream reader = Files.newOutputStream(pipe)) {
                Backups.at(BackupTarget.folder(backups)).delete(2);
                reader.write(content);
              }
            });
    assertThat(run("backups", backups, "--verify")).as(err.toString()).isZero();
    deleting.join();
    assertThat(out.toString())
        .contains("generation=1", "generation=3")
        .doesNotContain("generation=2");
  }

  /** Nothing can be written to the database, nor beside it. */
  @Test
  void backsUpADatabaseThatCannotBeWrittenTo() throws Exception {
    Path disk = Files.createDirectory(folder.resolve("disk"));
    Files.move(db(), disk.resolve("db"));
    Path mounted = Files.createDirectory(folder.resolve("mounted"));
    Path backups = folder.resolve("backups");
    try (Mount mount = Mount.of("--bind", "-o", "ro", disk.toString(), mounted.toString())) {
      assertThat(mount).isNotNull();
      Path unwritable = mounted.resolve("db");
      assertThat(run("backup", unwritable, backups)).as(err.toString()).isZero();
      String[] shell = {"shell", unwritable.toString(), "-e", "count t"};
      assertThat(Main.run(new PrintWriter(out), new PrintWriter(err), shell)).isZero();
      assertThat(out.toString()).contains("rows  100");
      assertThat(err.toString()).contains(unwritable + " cannot be written to: reading it");
      assertThat(run("compact", unwritable, "--table", "t")).isEqualTo(1);
    }
    try (Stream<Path> left = Files.list(folder)) {
      assertThat(left.map(path -> path.getFileName().toString()))
          .containsExactlyInAnyOrder("disk", "mounted", "backups", ".backups.links.lock");
    }
    Path restored = folder.resolve("restored");
    assertThat(run("restore", restored, backups)).as(err.toString()).isZero();
    assertThat(run("verify", restored, "--json")).isZero();
    assertThat(result().get("cells").asLong()).isEqualTo(200);
  }

  @Test
  void restoresMomentsBetweenBackups() throws IOException {
    Path kept = folder.resolve("keptdb");
    Path backups = folder.resolve("backups");
    DatabaseOptions options = DatabaseOptions.builder().logRetention(Duration.ofDays(1)).build();
    try (Database database = Database.open(kept, options)) {
      database.keyValueStore("s").put(new byte[] {1}, new byte[] {1});
    }
    assertThat(run("backup", kept, backups, "--json")).as(err.toString()).isZero();
    long first = result().get("sequence").asLong();
    try (Database database = Database.open(kept, options)) {
      database.keyValueStore("s").put(new byte[] {1}, new byte[] {2});
      database.keyValueStore("s").put(new byte[] {1}, new byte[] {3});
    }
    // A command that writes leaves the log that is kept.
    assertThat(run("compact", kept, "--table", "s")).as(err.toString()).isZero();
    assertThat(run("backup", kept, backups, "--json")).as(err.toString()).isZero();
    long second = result().get("sequence").asLong();
    String time = result().get("time").asText();

    List<Integer> values = new ArrayList<>();
    for (long sequence = first; sequence <= second; sequence++) {
      Path restored = folder.resolve("restored" + sequence);
      assertThat(run("restore", restored, backups, "--to-sequence", sequence, "--json"))
          .as(err.toString())
          .isZero();
      assertThat(result().get("sequence").asLong()).isBetween(first, sequence);
      try (Database database = Database.open(restored)) {
        values.add((int) database.keyValueStore("s").get(new byte[] {1})[0]);
      }
    }
    assertThat(values.stream().distinct()).containsExactly(1, 2, 3);
    Path byTime = folder.resolve("byTime");
    assertThat(run("restore", byTime, backups, "--to-time", time)).as(err.toString()).isZero();
    Path not = folder.resolve("not");
    assertThat(run("restore", not, backups, "--to-sequence", second + 1)).isEqualTo(1);
    assertThat(err.toString()).contains("generation 2 has sequence number " + second);
    assertThat(run("restore", not, backups, "--to-sequence", 1, "--generation", 1)).isEqualTo(2);
    assertThat(run("restore", not, backups, "--to-time", "yesterday")).isEqualTo(2);
    assertThat(not).doesNotExist();
  }

  /** The application keeps its log for feeds and backups; a command does not know for how long. */
  @Test
  void anImportLeavesTheLogThatIsKept() throws IOException {
    Path kept = folder.resolve("keptdb");
    DatabaseOptions options = DatabaseOptions.builder().logRetention(Duration.ofDays(1)).build();
    try (Database database = Database.open(kept, options)) {
      database.keyValueStore("s").put(new byte[] {1}, new byte[] {1});
    }
    Path file = folder.resolve("cells.json");
    assertThat(run("export", db(), "--table", "t", file)).as(err.toString()).isZero();
    assertThat(run("import", kept, "--table", "t", file)).as(err.toString()).isZero();
    assertThat(run("compact", kept, "--table", "t")).as(err.toString()).isZero();
    try (Database database = Database.open(kept, options);
        ChangeFeed feed = database.changes(0, "s")) {
      assertThat(feed.next(Duration.ZERO)).isNotNull();
    }
  }

  @Test
  void exportsAndImportsAllVersions() throws IOException {
    try (Database database = Database.open(db())) {
      database.table("t").put(put(200, 1, "expires").setTtlMillis(1L << 50));
    }
    Path file = folder.resolve("cells.json");
    assertThat(run("export", db(), "--table", "t", file, "--json")).as(err.toString()).isZero();
    assertThat(result().get("cells").asLong()).isEqualTo(201);
    Path other = folder.resolve("other");
    assertThat(run("import", other, "--table", "copy", file)).as(err.toString()).isZero();
    try (Database database = Database.open(other)) {
      assertThat(database.describe("copy").family("f").versionRules().maxVersions()).isEqualTo(3);
      assertThat(
              database
                  .table("copy")
                  .get(new Get(bytes("row07")).setAllVersions())
                  .columnCells(bytes("f"), bytes("q")))
          .hasSize(2);
      Result expiring = database.table("copy").get(new Get(bytes("row200")));
      assertThat(expiring.cells().get(0).ttlMillis()).isEqualTo(1L << 50);
    }
  }

  @Test
  void infoPointsToRepairWhereTheManifestCannotBeFound() throws IOException {
    Files.delete(db().resolve("CURRENT"));
    assertThat(run("info", db())).isEqualTo(3);
    assertThat(err.toString()).contains("CURRENT", "accordion store repair");
    assertThat(run("repair", db())).isEqualTo(3);
    assertThat(run("info", db())).isZero();
  }

  @Test
  void createsNothingForAFileThatIsMissing() {
    Path missing = folder.resolve("missing").resolve("file");
    assertThat(run("import", folder.resolve("new"), "--table", "t", missing)).isEqualTo(1);
    assertThat(err.toString()).contains(missing + " does not exist");
    assertThat(folder.resolve("new")).doesNotExist();
    assertThat(run("ingest", db(), "--table", "t", "--family", "f", missing)).isEqualTo(1);
    assertThat(missing.getParent()).doesNotExist();
  }

  @Test
  void needsHBaseForItsFormatsAndRefusesOptionsOfOthers() {
    for (String format : List.of("hfile", "snapshot")) {
      assertThat(run("import", folder.resolve("new"), "--table=t", "--format=" + format, folder))
          .isEqualTo(69);
      assertThat(err.toString()).contains("need HBase's libraries");
    }
    for (String option : List.of("--create", "--drop-tags", "--snapshot=s")) {
      assertThat(run("import", folder.resolve("new"), "--table=t", option, folder)).isEqualTo(2);
      assertThat(err.toString()).contains(option.replaceAll("=.*", "") + " needs --format");
    }
    assertThat(folder.resolve("new")).doesNotExist();
  }

  @Test
  void refusesAFileThatItCannotRead() throws IOException {
    Path file = Files.writeString(folder.resolve("text"), "no JSON and no sorted file ".repeat(9));
    assertThat(run("import", folder.resolve("new"), "--table", "t", file)).isEqualTo(1);
    assertThat(err.toString())
        .contains(file + ", line 1: expected a table")
        .doesNotContain("\n at");
    assertThat(folder.resolve("new")).doesNotExist();
    assertThat(run("ingest", db(), "--table", "t", "--family", "f", file)).isEqualTo(1);
    assertThat(err.toString()).contains("no file was taken");
  }

  @Test
  void writesCheckpointsOutsideOfDatabasesOnly() {
    assertThat(run("checkpoint", db(), db().resolve("copy"))).isEqualTo(1);
    assertThat(err.toString()).contains("is the folder of a database");
    assertThat(run("checkpoint", db(), folder)).isEqualTo(1);
    assertThat(err.toString()).contains(folder + " is not empty");
    assertThat(db().resolve("copy")).doesNotExist();
  }

  @Test
  void replacesACheckpointThatWasKilled() throws IOException {
    Path copy = Files.createDirectories(folder.resolve("copy"));
    for (String name : List.of("COPY.unfinished", "LOCK")) {
      Files.createFile(copy.resolve(name));
    }
    Files.createFile(Files.createDirectory(copy.resolve("sst")).resolve("000000000007.sst"));
    assertThat(run("compact", copy, "--table", "t")).isEqualTo(1);
    assertThat(err.toString()).contains("a copy that was not completed; make it again");
    assertThat(run("checkpoint", db(), copy)).as(err.toString()).isZero();
    assertThat(run("verify", copy, "--json")).isZero();
    assertThat(result().get("cells").asLong()).isEqualTo(200);
    assertThat(run("checkpoint", db(), copy)).isEqualTo(1);
    assertThat(err.toString()).contains(copy + " is not empty");
  }

  @Test
  void takesAnEmptyPathForAMistake() {
    List<List<Object>> commands =
        List.of(
            List.of("info", ""),
            List.of("repair", ""),
            List.of("restore", "", folder.resolve("backups")),
            List.of("backup", db(), ""),
            List.of("checkpoint", db(), ""),
            List.of("import", "", "--table", "t", folder.resolve("cells")),
            List.of("info", db(), "--key-file", ""),
            List.of("export", db(), "--table", "t", ""));
    for (List<Object> command : commands) {
      err.getBuffer().setLength(0);
      assertThat(run(command.toArray())).as(command.toString()).isEqualTo(2);
      assertThat(err.toString()).as(command.toString()).contains(" is empty; ");
    }
  }

  @Test
  void takesAnEmptyRowForAMistake() {
    assertThat(run("delete-range", db(), "--table", "t", "--from", "", "--to", "")).isEqualTo(2);
    assertThat(err.toString()).contains("--from is empty");
  }

  @Test
  void failsIfThereAreNoBackups() throws IOException {
    for (Path place : List.of(folder.resolve("nothing"), db())) {
      assertThat(run("backups", place, "--verify")).isEqualTo(1);
      assertThat(err.toString()).contains("there is no backup in " + place + "; check the path");
    }
    Path backups = folder.resolve("backups");
    assertThat(run("backup", db(), backups)).isZero();
    assertThat(run("backups", backups, "--delete", 1, "--json")).isZero();
    assertThat(result().get("generations")).isEmpty();
  }

  @Test
  void refusesATimeOrACommandThatItDoesNotKnow() {
    assertThat(run("restore", folder.resolve("r"), folder, "--to-time", "noon")).isEqualTo(2);
    assertThat(err.toString())
        .contains("'noon' is not a time; expected one like 2026-01-31T12:00:00Z")
        .doesNotContain("java.time");
    assertThat(run("frob")).isEqualTo(2);
    assertThat(err.toString()).contains("there is no command \"frob\"");
  }

  @Test
  void aRowMayBeginWithTheSignOfAFileWithArguments() throws IOException {
    Path other = folder.resolve("other");
    try (Database database = Database.open(other)) {
      database.createTable(TableDescriptor.of("t", "f"));
      for (String row : List.of("@a", "@@a")) {
        database.table("t").put(new Put(bytes(row)).addColumn(bytes("f"), bytes("q"), bytes("v")));
      }
    }
    assertThat(run("delete-range", other, "--table", "t", "--from", "@@a", "--to", "@@b"))
        .as(err.toString())
        .isZero();
    try (Database database = Database.open(other)) {
      assertThat(database.table("t").get(new Get(bytes("@@a"))).isEmpty()).isTrue();
      assertThat(database.table("t").get(new Get(bytes("@a"))).isEmpty()).isFalse();
    }
  }

  @Test
  void refusesAnEmptyRange() {
    for (String from : List.of("row05", "row06")) {
      assertThat(run("delete-range", db(), "--table", "t", "--from", from, "--to", "row05"))
          .isEqualTo(2);
    }
    assertThat(err.toString())
        .contains("accordion store delete-range: --from must be below --to")
        .doesNotContain("Usage");
    assertThat(run("delete-range", db(), "--table", "t")).isEqualTo(2);
    assertThat(err.toString()).contains("accordion store delete-range: give --from, --to or both");
  }

  @Test
  void namesAFolderInThePlaceOfAFile() {
    assertThat(run("import", db(), "--table", "t", folder)).isEqualTo(1);
    assertThat(err.toString()).contains(folder + ": Is a directory; give the path of a file");
  }

  @Test
  void failsIfThereIsNoRoomForItsOutput() {
    for (String reason : List.of("No space left on device", "Broken pipe")) {
      OutputStream full =
          new OutputStream() {
            @Override
            public void write(int b) throws IOException {
              throw new IOException(reason);
            }
          };
      String[] info = {"store", "info", db().toString()};
      boolean fails = reason.startsWith("No space");
      assertThat(Main.run(full, new PrintWriter(err), info)).as(reason).isEqualTo(fails ? 1 : 0);
    }
    assertThat(err.toString())
        .containsOnlyOnce("standard output is not complete: No space left on device; free");
  }

  /** The message of the system may be any, and in any language. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void failsIfItsOutputCannotBeWrittenUnlessItIsAPipe(boolean isPipe) {
    OutputStream broken =
        new OutputStream() {
          @Override
          public void write(int b) throws IOException {
            throw new IOException("Input/output error");
          }
        };
    System.setProperty(Main.PIPE_PROPERTY, String.valueOf(isPipe));
    try {
      assertThat(Main.run(broken, new PrintWriter(err), "store", "info", db().toString()))
          .isEqualTo(isPipe ? 0 : 1);
    } finally {
      System.clearProperty(Main.PIPE_PROPERTY);
    }
    if (isPipe) {
      assertThat(err.toString()).isEmpty();
    } else {
      assertThat(err.toString()).contains("standard output is not complete: Input/output error");
    }
  }

  @Test
  void checkpointsIngestsDeletesAndTells() throws IOException {
    Path copy = folder.resolve("copy");
    assertThat(run("checkpoint", db(), copy)).as(err.toString()).isZero();
    Path sorted = folder.resolve("sorted");
    try (SortedFileWriter writer = SortedFileWriter.create(sorted, FamilyDescriptor.of("f"))) {
      writer.add(bytes("zzz"), bytes("q"), 1, bytes("loaded"));
      writer.finish();
    }
    assertThat(run("ingest", copy, "--table", "t", "--family", "f", sorted))
        .as(err.toString())
        .isZero();
    assertThat(run("delete-range", copy, "--table", "t", "--from", "row50", "--json"))
        .as(err.toString())
        .isZero();
    assertThat(result().get("deleted").asBoolean()).isTrue();
    assertThat(run("delete-range", copy, "--table", "t")).isEqualTo(2);
    assertThat(run("compact", copy, "--table", "t")).isZero();
    assertThat(run("info", copy, "--json")).as(err.toString()).isZero();
    assertThat(result().get("tables").get(0).get("regions").asInt()).isEqualTo(1);
    assertThat(run("verify", copy)).isZero();
    assertThat(run("verify", db(), "--json")).isZero();
    assertThat(result().get("cells").asLong()).isEqualTo(200);
  }
}
