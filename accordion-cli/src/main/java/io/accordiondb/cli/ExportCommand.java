// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli;

import io.accordiondb.Cell;
import io.accordiondb.Database;
import io.accordiondb.Result;
import io.accordiondb.ResultScanner;
import io.accordiondb.Scan;
import io.accordiondb.cli.hfile.HFileExport;
import io.accordiondb.cli.hfile.HFileForm;
import io.accordiondb.cli.hfile.HFileTransfer;
import io.accordiondb.cli.text.Fields;
import io.accordiondb.cli.text.TextChecksum;
import io.accordiondb.cli.text.WorkProgress;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code accordion store export}. */
@Command(
    name = "export",
    mixinStandardHelpOptions = true,
    description =
        "Writes a table, with all versions, as lines of JSON, or, with its delete markers, as HFiles"
            + " for HBase's bulk load; the database may be in use.")
final class ExportCommand implements Callable<Integer> {
  private static final String STANDARD_OUTPUT = "-";

  /** Cells after which standard output is asked whether it still takes them. */
  private static final int CELLS_AT_ONCE = 1000;

  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private StoreFlags store = new StoreFlags();

  @Option(names = "--table", required = true, description = "the table")
  private String table = "";

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      defaultValue = "JSON",
      description = "${COMPLETION-CANDIDATES} (default ${DEFAULT-VALUE})")
  private Format format = Format.JSON;

  @Option(names = "--force", description = "JSON: replace the file if it exists")
  private boolean force;

  @Mixin private HFileFlags hfiles = new HFileFlags();

  @Parameters(
      index = "1",
      paramLabel = "FILE",
      description =
          "a new file, which has its name once it is complete; - for standard output, "
              + "with what is said about it on standard error; for HFiles a new folder, or the one"
              + " of an export that was interrupted, which continues")
  private String file = "";

  /** The forms in which a table can be written. */
  enum Format {
    JSON,
    HFILE
  }

  @Override
  public Integer call() throws IOException {
    if (file.isEmpty()) {
      throw new ParameterException(
          spec.commandLine(), "FILE is empty; give the path of a new file");
    }
    if (format == Format.HFILE) {
      return exportHFiles();
    }
    if (hfiles.isGiven()) {
      throw new ParameterException(spec.commandLine(), "options of HFiles need --format hfile");
    }
    if (file.equals(STANDARD_OUTPUT)) {
      PrintWriter out = spec.commandLine().getOut();
      long cells = export(out, () -> checkTaken(out));
      store.print(spec.commandLine().getErr(), result(cells));
      return 0;
    }
    Path target = Path.of(file);
    NewFile.check(target, force);
    long cells;
    try (Database database = store.openReadOnly();
        NewFile created = NewFile.create(target, force)) {
      cells = export(database, created.writer(), () -> {});
      created.complete();
    }
    store.print(spec.commandLine().getOut(), result(cells));
    return 0;
  }

  private int exportHFiles() throws IOException {
    if (force || file.equals(STANDARD_OUTPUT)) {
      throw new ParameterException(
          spec.commandLine(), "--format hfile writes a new folder; it takes neither --force nor -");
    }
    HFileTransfer transfer = HFileTransfer.find();
    Path target = Path.of(file);
    OutputPlace.checkOutsideDatabases(target);
    transfer.checkTarget(target);
    HFileForm form = hfiles.form();
    List<byte[]> splits = hfiles.splits();
    Fields written;
    try (Database database = store.openReadOnly()) {
      written =
          transfer.exportTable(
              new HFileExport(database, table, target, splits, form, spec.commandLine().getErr()));
    }
    store.print(spec.commandLine().getOut(), written);
    return 0;
  }

  private Fields result(long cells) {
    return new Fields().with("table", table).with("cells", cells);
  }

  private static void checkTaken(PrintWriter out) throws IOException {
    if (out.checkError()) {
      throw new IOException("standard output did not take the whole table");
    }
  }

  private long export(Writer out, BatchListener listener) throws IOException {
    try (Database database = store.openReadOnly()) {
      return export(database, out, listener);
    }
  }

  private long export(Database database, Writer out, BatchListener listener) throws IOException {
    long cells = 0;
    TextChecksum checksum = new TextChecksum();
    Scan all = new Scan().setAllVersions().setAllTags(true).setCacheBlocks(false);
    try (ResultScanner scanner = database.table(table).scan(all);
        WorkProgress progress =
            new WorkProgress(
                spec.commandLine().getErr(), "export", "cells", storedCells(database))) {
      write(out, CellLines.head(database.describe(table)), checksum);
      for (Result result : scanner) {
        for (Cell cell : result.cells()) {
          write(out, CellLines.line(cell), checksum);
          cells++;
          progress.add(1);
          if (cells % CELLS_AT_ONCE == 0) {
            listener.onBatch();
          }
        }
      }
      out.write(CellLines.end(cells, checksum) + "\n");
    }
    listener.onBatch();
    return cells;
  }

  private static void write(Writer out, String line, TextChecksum checksum) throws IOException {
    String text = line + "\n";
    out.write(text);
    checksum.add(text);
  }

  /** Returns how many cells the table has, counting those that the scan passes over. */
  private long storedCells(Database database) throws IOException {
    return database.statistics().tables().stream()
        .filter(each -> each.name().equals(table))
        .flatMap(each -> each.stores().stream())
        .mapToLong(each -> each.memory().cells() + each.files().cells())
        .sum();
  }
}
