// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli;

import io.accordiondb.Database;
import io.accordiondb.TableDescriptor;
import io.accordiondb.cli.hfile.HFileImport;
import io.accordiondb.cli.hfile.HFileTransfer;
import io.accordiondb.cli.text.ByteOrderMark;
import io.accordiondb.cli.text.Fields;
import io.accordiondb.cli.text.TextChecksum;
import io.accordiondb.cli.text.WorkProgress;
import java.io.IOException;
import java.io.LineNumberReader;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code accordion store import}. */
@Command(
    name = "import",
    mixinStandardHelpOptions = true,
    description =
        "Reads into a table what export has written, HBase's HFiles, or a snapshot of HBase's.")
final class ImportCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private StoreFlags store = new StoreFlags();

  @Option(
      names = "--table",
      paramLabel = "TABLE",
      required = true,
      description =
          "the table; created if it is missing from JSON and from snapshots, with all families")
  private String table = "";

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      defaultValue = "JSON",
      description = "${COMPLETION-CANDIDATES} (default ${DEFAULT-VALUE})")
  private Format format = Format.JSON;

  @Option(
      names = "--create",
      description = "HFiles: create the table, or families of it, if they do not exist")
  private boolean create;

  @Option(
      names = "--drop-tags",
      description =
          "HFiles and snapshots: leave out tags of cells, as labels of visibility. Times to live"
              + " stay")
  private boolean dropTags;

  @Option(
      names = "--snapshot",
      paramLabel = "NAME",
      description = "snapshots: which one (default: the only one)")
  private @Nullable String snapshot;

  @Parameters(
      index = "1",
      paramLabel = "FILE",
      description =
          "the file; for HFiles a folder with a folder for each family; for a snapshot the folder"
              + " to which HBase's ExportSnapshot copied it")
  private Path file = Path.of("");

  /** The forms in which a table can be read. */
  enum Format {
    JSON,
    HFILE,
    SNAPSHOT
  }

  @Override
  public Integer call() throws IOException {
    checkOptions();
    store.print(
        spec.commandLine().getOut(),
        switch (format) {
          case JSON -> new Fields().with("table", table).with("cells", readLines());
          case HFILE -> HFileTransfer.find().importTable(request(HFileImport.Kind.HFILE));
          case SNAPSHOT -> HFileTransfer.find().importTable(request(HFileImport.Kind.SNAPSHOT));
        });
    return 0;
  }

  private void checkOptions() {
    if (create && format != Format.HFILE) {
      throw new ParameterException(spec.commandLine(), "--create needs --format hfile");
    }
    if (dropTags && format == Format.JSON) {
      throw new ParameterException(
          spec.commandLine(), "--drop-tags needs --format hfile or --format snapshot");
    }
    if (snapshot != null && format != Format.SNAPSHOT) {
      throw new ParameterException(spec.commandLine(), "--snapshot needs --format snapshot");
    }
  }

  private HFileImport request(HFileImport.Kind kind) {
    Set<HFileImport.Choice> choices = EnumSet.noneOf(HFileImport.Choice.class);
    if (create || kind == HFileImport.Kind.SNAPSHOT) {
      choices.add(HFileImport.Choice.CREATE);
    }
    if (dropTags) {
      choices.add(HFileImport.Choice.DROP_TAGS);
    }
    return new HFileImport(
        kind,
        file,
        snapshot,
        table,
        choices,
        store.folder(),
        allowed -> Database.open(store.folder(), store.options().createIfMissing(allowed).build()),
        spec.commandLine().getErr());
  }

  private long readLines() throws IOException {
    if (Files.isDirectory(file)) {
      throw new FileSystemException(file.toString(), null, "Is a directory");
    }
    // The file is looked at first: what it may lack is no reason to create a database.
    try (FileChannel channel = FileChannel.open(file);
        LineNumberReader in =
            new LineNumberReader(Channels.newReader(channel, StandardCharsets.UTF_8))) {
      String head = readLine(in);
      if (head == null) {
        throw new IOException(file + " is empty; export writes at least two lines");
      }
      String first = ByteOrderMark.cut(head);
      TableDescriptor described = at(1, () -> CellLines.table(first, table));
      boolean endsWithCount = CellLines.endsWithCount(first);
      try (Database database = Database.open(store.folder(), store.options().build())) {
        if (!database.exists(table)) {
          database.createTable(described);
        }
        try (WorkProgress progress =
            new WorkProgress(spec.commandLine().getErr(), "import", "bytes", 0)) {
          return read(
              in,
              new CellWriter(
                  database.table(table),
                  database.describe(table),
                  () -> showPosition(progress, channel)),
              first,
              endsWithCount);
        }
      }
    }
  }

  /** Parses a line. */
  private interface Parsing<T> {
    T parse() throws IOException;
  }

  /** Parses a line, and says where it stands if it cannot be parsed. */
  private <T> T at(long lineNumber, Parsing<T> line) throws IOException {
    try {
      return line.parse();
    } catch (IOException e) {
      throw new IOException(file + ", line " + lineNumber + ": " + e.getMessage(), e);
    }
  }

  /** Shows how much was read of a file; a pipe has neither a position nor a size. */
  private void showPosition(WorkProgress progress, FileChannel channel) throws IOException {
    if (Files.isRegularFile(file)) {
      progress.set(channel.position(), channel.size());
    }
  }

  /**
   * Reads the lines behind the first one.
   *
   * @param endsWithCount whether the last one tells what must be before it
   */
  private long read(LineNumberReader in, CellWriter target, String first, boolean endsWithCount)
      throws IOException {
    long cells = 0;
    TextChecksum checksum = new TextChecksum().add(first + "\n");
    String line = nextLine(in);
    long number = in.getLineNumber();
    while (line != null) {
      long place = number;
      String next = nextLine(in);
      if (endsWithCount && next == null) {
        break;
      }
      String text = line;
      checksum.add(text + "\n");
      target.add(at(place, () -> target.check(CellLines.cell(text))));
      cells++;
      line = next;
      number = in.getLineNumber();
    }
    target.finish();
    if (endsWithCount) {
      checkEnd(line, cells, checksum, line == null ? number + 1 : number);
    }
    return cells;
  }

  /** Returns the next line that is not blank, as an editor may leave one at the end. */
  private @Nullable String nextLine(LineNumberReader in) throws IOException {
    String line = readLine(in);
    while (line != null && line.isBlank()) {
      line = readLine(in);
    }
    return line;
  }

  private @Nullable String readLine(LineNumberReader in) throws IOException {
    try {
      return in.readLine();
    } catch (CharacterCodingException e) {
      throw new IOException(
          file
              + ", behind line "
              + in.getLineNumber()
              + ": there are bytes that are not UTF-8; expected the lines of JSON that export writes",
          e);
    }
  }

  /**
   * Refuses a file whose last line does not say that the cells before it are all, or that the lines
   * are those that were written.
   */
  private void checkEnd(@Nullable String last, long cells, TextChecksum checksum, long lineNumber)
      throws IOException {
    CellLines.End end = last == null ? null : CellLines.end(last);
    Long count = end == null ? null : end.cells();
    if (end == null || count == null || count != cells) {
      throw new DamagedInputException(
          file
              + (count == null
                  ? " is cut off: it lacks its last line, with the number of cells; the "
                      + cells
                      + " cells before line "
                      + lineNumber
                  : " has " + cells + " cells, but had " + count + " when it was written; they")
              + " are sound and imported; import a complete file again");
    }
    String written = end.crc32c();
    if (written != null && !written.equals(checksum.text())) {
      throw new DamagedInputException(
          file
              + " is damaged: its lines have the checksum "
              + checksum.text()
              + ", expected "
              + written
              + "; its "
              + cells
              + " cells are imported, but the table or some of them are not as they were exported;"
              + " import a sound file into another table. If you changed lines on purpose, remove"
              + " crc32c from the last one");
    }
  }
}
