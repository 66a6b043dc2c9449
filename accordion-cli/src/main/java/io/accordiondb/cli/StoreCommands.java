// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli;

import io.accordiondb.CorruptionException;
import io.accordiondb.Database;
import io.accordiondb.KeyProvider;
import io.accordiondb.cli.text.BytesText;
import io.accordiondb.cli.text.Fields;
import io.accordiondb.cli.text.PlainText;
import io.accordiondb.cli.text.WorkProgress;
import io.accordiondb.inspect.Damage;
import io.accordiondb.inspect.Inspector;
import io.accordiondb.inspect.LogFileOutline;
import io.accordiondb.inspect.TableOutline;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code accordion store}: the commands that work on the folder of a database. */
@Command(
    name = "store",
    mixinStandardHelpOptions = true,
    description = "Looks at a database, copies it, and moves data in and out.",
    subcommands = {
      ExportCommand.class,
      ImportCommand.class,
      VerifyCommand.class,
      RepairCommand.class,
      BackupCommand.class,
      BackupsCommand.class,
      RestoreCommand.class,
      HelpFor.class
    })
final class StoreCommands implements Runnable {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Command(
      mixinStandardHelpOptions = true,
      description =
          "Prints tables and bytes of a database, which may be in use. Exit code 3 if its manifest"
              + " is damaged or has lost its end; then what is left of it is printed.")
  int info(@Mixin StoreFlags store) throws IOException {
    KeyProvider keys = store.keys();
    Inspector inspector =
        keys == null ? Inspector.open(store.folder()) : Inspector.open(store.folder(), keys);
    List<Map<String, Object>> tables = new ArrayList<>();
    for (TableOutline table : inspector.tables()) {
      tables.add(
          new Fields()
              .with("table", table.name())
              .with("families", table.families().stream().map(TableOutline.Family::name).toList())
              .with("regions", table.regions())
              .with("sortedTables", table.files())
              .with("bytes", table.bytes())
              .map());
    }
    Map<String, Integer> files = new TreeMap<>();
    Database.filesByKey(store.folder())
        .forEach((key, count) -> files.put(key.isEmpty() ? "plain" : "key " + key, count));
    List<LogFileOutline> kept = new ArrayList<>(inspector.logFiles());
    List<LogFileOutline> logs = kept.stream().filter(log -> !isKept(log)).toList();
    kept.removeAll(logs);
    Set<String> sortedTables = new HashSet<>();
    inspector.files().forEach(file -> sortedTables.add(file.file()));
    print(
        store,
        new Fields()
            .with("folder", store.folder().toString())
            .with("tables", tables)
            .with("sortedTables", sortedTables.size())
            .with("sortedTableBytes", lengthOf(store.folder(), sortedTables))
            .with("logFiles", logs.size())
            .with("logBytes", bytesOf(logs))
            .with("keptLogFiles", kept.size())
            .with("keptLogBytes", bytesOf(kept))
            .with("files", files));
    for (Damage damage : inspector.damage()) {
      spec.commandLine()
          .getErr()
          .println("damaged: " + PlainText.of(damage.message()) + Failure.DAMAGED_REMEDY);
    }
    return inspector.damage().isEmpty() ? 0 : VerifyCommand.DAMAGED;
  }

  /** Returns whether a log file is no longer needed, and kept for change feeds and restores. */
  private static boolean isKept(LogFileOutline log) {
    return log.file().startsWith("kept/");
  }

  private static long bytesOf(List<LogFileOutline> logs) {
    return logs.stream().mapToLong(LogFileOutline::bytes).sum();
  }

  /** Returns the length of files that are there. Regions and copies of tables may share them. */
  private static long lengthOf(Path folder, Set<String> files) throws IOException {
    long bytes = 0;
    for (String file : files) {
      try {
        bytes += Files.size(folder.resolve(file));
      } catch (NoSuchFileException e) {
        // It is lost, or the process that has the database open has merged it.
      }
    }
    return bytes;
  }

  @Command(
      mixinStandardHelpOptions = true,
      description =
          "Copies a database into an empty folder, by hard links where these can be had; it may be"
              + " in use: then as it is on disk.")
  int checkpoint(
      @Mixin StoreFlags store,
      @Parameters(index = "1", paramLabel = "TARGET", description = "an empty folder") Path target)
      throws IOException {
    OutputPlace.checkCopyTarget(target);
    // A reader leaves the database to the process that has it open.
    try (Database database = store.openReadOnly();
        WorkProgress progress = WorkProgress.ofTime(spec.commandLine().getErr(), "checkpoint")) {
      database.checkpoint(target);
    }
    print(store, new Fields().with("checkpoint", target.toString()));
    return 0;
  }

  @Command(
      mixinStandardHelpOptions = true,
      description = "Adds sorted files, which SortedFileWriter has written, to a family.")
  int ingest(
      @Mixin StoreFlags store,
      @Option(names = "--table", paramLabel = "TABLE", required = true, description = "the table")
          String name,
      @Option(
              names = "--family",
              paramLabel = "FAMILY",
              required = true,
              description = "the family")
          String family,
      @Parameters(index = "1..*", paramLabel = "FILE", arity = "1..*", description = "the files")
          List<Path> files)
      throws IOException {
    for (Path file : files) {
      if (!Files.exists(file)) {
        throw new NoSuchFileException(file.toString());
      }
    }
    try (Database database = store.open();
        WorkProgress progress = WorkProgress.ofTime(spec.commandLine().getErr(), "ingest")) {
      ingest(database, name, family, files);
    }
    print(store, new Fields().with("table", name).with("files", files.size()));
    return 0;
  }

  private static void ingest(Database database, String table, String family, List<Path> files)
      throws IOException {
    try {
      database.ingest(table, family, files);
    } catch (CorruptionException e) {
      throw new IOException(
          e.getMessage() + "; no file was taken; write this one again with SortedFileWriter", e);
    }
  }

  @Command(
      name = "delete-range",
      mixinStandardHelpOptions = true,
      description =
          "Deletes all rows from one, inclusive, to another, exclusive. A row is "
              + BytesText.FORMS
              + ".")
  int deleteRange(
      @Mixin StoreFlags store,
      @Option(names = "--table", paramLabel = "TABLE", required = true, description = "the table")
          String name,
      @Option(names = "--from", paramLabel = "ROW", description = "first row (default: the first)")
          @Nullable String from,
      @Option(
              names = "--to",
              paramLabel = "ROW",
              description = "row behind the last (default: no bound)")
          @Nullable String to)
      throws IOException {
    if (from == null && to == null) {
      throw new IllegalArgumentException("give --from, --to or both");
    }
    checkNotEmpty("--from", from);
    checkNotEmpty("--to", to);
    if (from != null && to != null && Arrays.compareUnsigned(bytes(from), bytes(to)) >= 0) {
      throw new IllegalArgumentException("--from must be below --to; there is no row between them");
    }
    try (Database database = store.open()) {
      database.table(name).deleteRange(bytes(from), bytes(to));
      print(store, new Fields().with("table", name).with("deleted", true));
    }
    return 0;
  }

  @Command(mixinStandardHelpOptions = true, description = "Merges all sorted tables of a table.")
  int compact(
      @Mixin StoreFlags store,
      @Option(names = "--table", paramLabel = "TABLE", required = true, description = "the table")
          String name)
      throws IOException {
    try (Database database = store.open();
        WorkProgress progress = WorkProgress.ofTime(spec.commandLine().getErr(), "compact")) {
      database.majorCompact(name);
      long sortedTables =
          database.statistics().tables().stream()
              .filter(table -> table.name().equals(name))
              .flatMap(table -> table.stores().stream())
              .mapToLong(of -> of.files().count())
              .sum();
      print(store, new Fields().with("table", name).with("sortedTables", sortedTables));
    }
    return 0;
  }

  /** An empty text is more likely a variable that is not set than every row of the table. */
  private static void checkNotEmpty(String option, @Nullable String text) {
    if (text != null && text.isEmpty()) {
      throw new IllegalArgumentException(
          option + " is empty; leave it out for the first row, or for no bound");
    }
  }

  private static byte[] bytes(@Nullable String text) {
    return text == null ? new byte[0] : BytesText.parse(text);
  }

  private void print(StoreFlags store, Fields result) throws IOException {
    store.print(spec.commandLine().getOut(), result);
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "name what to do, for example: info");
  }
}
