// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli;

import static io.accordiondb.fixtures.TestFiles.flip;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.accordiondb.Database;
import io.accordiondb.Put;
import io.accordiondb.TableDescriptor;
import io.accordiondb.fixtures.Mount;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("slow")
class ExportCommandTest {
  private static final int CELLS = 100;

  /** A first line, the cells, and a line with their number. */
  private static final int LINES = 1 + CELLS + 1;

  @TempDir Path folder;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @BeforeEach
  void fill() throws IOException {
    try (Database database = Database.open(db())) {
      database.createTable(TableDescriptor.of("t", "f"));
      for (int i = 0; i < CELLS; i++) {
        byte[] text = Integer.toString(i).getBytes(US_ASCII);
        database.table("t").put(new Put(text).addColumn(new byte[] {'f'}, text, text));
      }
    }
  }

  private Path db() {
    return folder.resolve("db");
  }

  private int export(Object... arguments) {
    List<String> words = new ArrayList<>(List.of("store", "export", db().toString(), "--table=t"));
    Stream.of(arguments).map(Object::toString).forEach(words::add);
    return Main.run(new PrintWriter(out), new PrintWriter(err), words.toArray(new String[0]));
  }

  private List<String> names() throws IOException {
    try (Stream<Path> paths = Files.list(folder)) {
      return paths.map(path -> path.getFileName().toString()).sorted().toList();
    }
  }

  @Test
  void replacesAFileOnlyIfToldTo() throws IOException {
    Path file = Files.writeString(folder.resolve("cells"), "precious");
    assertThat(export(file)).isEqualTo(1);
    assertThat(err.toString()).contains(file + " exists already", "--force");
    assertThat(file).hasContent("precious");
    assertThat(export(file, "--force")).isZero();
    assertThat(Files.readAllLines(file)).hasSize(LINES);
    assertThat(names()).containsExactly("cells", "db");
  }

  @Test
  void keepsALinkAndReplacesWhatItLeadsTo() throws IOException {
    Path file = Files.writeString(folder.resolve("cells"), "old");
    Path link = Files.createSymbolicLink(folder.resolve("link"), file);
    assertThat(export(link)).isEqualTo(1);
    assertThat(export(link, "--force")).as(err.toString()).isZero();
    assertThat(link).isSymbolicLink();
    assertThat(Files.readAllLines(file)).hasSize(LINES);
  }

  @Test
  @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  @DisabledOnOs(value = OS.WINDOWS, disabledReason = "has no named pipes")
  void writesIntoANamedPipe() throws Exception {
    Path pipe = folder.resolve("pipe");
    assumeThat(Mount.succeeds(List.of("mkfifo", pipe.toString()))).isTrue();
    Process reader =
        new ProcessBuilder("cat", pipe.toString())
            .redirectOutput(folder.resolve("read").toFile())
            .start();
    try {
      assertThat(export(pipe)).as(err.toString()).isZero();
      assertThat(reader.waitFor()).isZero();
    } finally {
      reader.destroyForcibly();
    }
    assertThat(Files.readAllLines(folder.resolve("read"))).hasSize(LINES);
    assertThat(names()).containsExactly("db", "pipe", "read");
  }

  @Test
  void saysWhyStandardOutputIsNotComplete() {
    OutputStream full =
        new OutputStream() {
          @Override
          public void write(int b) throws IOException {
            throw new IOException("No space left on device");
          }
        };
    String[] words = {"store", "export", db().toString(), "--table=t", "-"};
    assertThat(Main.run(full, new PrintWriter(err), words)).isEqualTo(1);
    assertThat(err.toString())
        .contains("standard output did not take the whole table", "No space left on device")
        .doesNotContain("closed");
  }

  @Test
  void namesTheFileForWhichThereIsNoRoom() {
    Path full = Path.of("/dev/full");
    assumeThat(full).exists();
    assertThat(export(full)).isEqualTo(1);
    assertThat(err.toString()).contains("/dev/full: No space left on device; free some space");
  }

  /** Otherwise a loss of power after the command could lose the file, or bring the old one back. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void forcesTheNameOfTheFileToTheDevice(boolean replaces) throws IOException {
    Path file = folder.resolve("cells");
    Path dump = folder.resolve("events.jfr");
    if (replaces) {
      Files.writeString(file, "old");
    }
    try (Recording recording = new Recording()) {
      recording.enable("jdk.FileForce").withoutThreshold();
      recording.start();
      assertThat(export(replaces ? new Object[] {file, "--force"} : new Object[] {file})).isZero();
      recording.dump(dump);
    }
    assertThat(RecordingFile.readAllEvents(dump))
        .filteredOn(event -> event.getEventType().getName().equals("jdk.FileForce"))
        .extracting(event -> event.getString("path"))
        .contains(folder.toString());
  }

  @ParameterizedTest
  @ValueSource(strings = {"db/CURRENT", "db/new", "db/wal/new", "link/CURRENT", "link/sst/new"})
  void neverWritesIntoTheFolderOfADatabase(String name) throws IOException {
    String current = Files.readString(db().resolve("CURRENT"));
    Files.createSymbolicLink(folder.resolve("link"), db());
    Path file = folder.resolve(name);
    boolean existed = Files.exists(file);
    assertThat(export(file, "--force")).isEqualTo(1);
    assertThat(err.toString()).contains("is the folder of a database");
    assertThat(Files.readString(db().resolve("CURRENT"))).isEqualTo(current);
    assertThat(Files.exists(file)).isEqualTo(existed);
  }

  @ParameterizedTest
  @ValueSource(strings = {"CURRENT", "LOCK", "MANIFEST-000000000007"})
  void knowsADatabaseByAnyOfItsFiles(String name) throws IOException {
    Path other = Files.createDirectory(folder.resolve("other"));
    Files.createFile(other.resolve(name));
    assertThat(export(other.resolve("cells"))).isEqualTo(1);
    assertThat(err.toString()).contains("is the folder of a database");
    assertThat(other.resolve("cells")).doesNotExist();
  }

  @Test
  void writesToStandardOutputAndTellsOnStandardError() {
    assertThat(export("-", "--json")).as(err.toString()).isZero();
    assertThat(out.toString().lines()).hasSize(LINES).allMatch(line -> line.startsWith("{"));
    assertThat(err.toString()).contains("\"cells\":" + CELLS);
  }

  @Test
  void leavesNothingOfAFileThatItCannotComplete() throws IOException {
    try (Stream<Path> tables = Files.list(db().resolve("sst"))) {
      flip(tables.findFirst().orElseThrow(), 30);
    }
    assertThat(export(folder.resolve("cells"))).isEqualTo(3);
    assertThat(err.toString()).contains("is damaged", "store verify", "store repair");
    assertThat(names()).containsExactly("db");
  }

  @Test
  void saysWhereItCannotWrite() throws IOException {
    assertThat(export(folder.resolve("missing").resolve("cells"))).isEqualTo(1);
    assertThat(err.toString()).contains(folder.resolve("missing") + " does not exist");
    assertThat(export(folder, "--force")).isEqualTo(1);
    assertThat(err.toString()).contains(folder + ": Is a directory; give the path of a file");
    assertThat(names()).containsExactly("db");
  }

  @Test
  void needsHBaseForHFiles() throws IOException {
    assertThat(export(folder.resolve("hfiles"), "--format=hfile")).isEqualTo(69);
    assertThat(err.toString()).contains("need HBase's libraries");
    assertThat(names()).containsExactly("db");
  }

  @Test
  void refusesOptionsOfTheOtherFormat() throws IOException {
    assertThat(export(folder.resolve("cells"), "--compression=GZ")).isEqualTo(2);
    assertThat(err.toString()).contains("options of HFiles need --format hfile");
    assertThat(export("-", "--format=hfile")).isEqualTo(2);
    assertThat(err.toString()).contains("it takes neither --force nor -");
    assertThat(names()).containsExactly("db");
  }
}
