// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli;

import io.accordiondb.KeyProvider;
import io.accordiondb.cli.inspect.InspectOutput;
import io.accordiondb.cli.inspect.Inspection;
import io.accordiondb.cli.text.Encoding;
import io.accordiondb.inspect.Inspector;
import java.io.IOException;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code accordion inspect}. */
@Command(
    name = "inspect",
    mixinStandardHelpOptions = true,
    description = {
      "Shows what the files of a database hold. It may be in use: nothing is locked or changed.",
      "",
      "tables    tables and families, regions and bytes",
      "regions   regions with their rows and files",
      "files     sorted tables by store and level",
      "table     a sorted table: properties, blocks, compression, histograms (FILE)",
      "log       records of a log file (FILE), or of all",
      "manifest  changes of the set of files: of a manifest (FILE), or of all",
      "memory    memory stores of the process that has the database open",
      "sizes     bytes by table, region, family and level; live and dead data, estimated",
      "space     what a compaction would give back; reads all sorted tables"
    },
    footer = {
      "",
      "With --json, one object a line. Exit code 3 if anything is damaged: it is named with its",
      "offset, and what is sound behind it is shown."
    })
final class InspectCommand implements Callable<Integer> {
  /** The names of what can be inspected, for help and completion. */
  static final class Subjects implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return Stream.of(Inspection.values())
          .map(each -> each.name().toLowerCase(Locale.ROOT))
          .iterator();
    }
  }

  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private StoreFlags store = new StoreFlags();

  @Parameters(
      index = "1",
      paramLabel = "WHAT",
      completionCandidates = Subjects.class,
      description = "${COMPLETION-CANDIDATES}")
  private Inspection what = Inspection.TABLES;

  @Parameters(
      index = "2",
      arity = "0..1",
      paramLabel = "FILE",
      description = "path, name or number of a file of the database")
  private @Nullable String file;

  @Option(names = "--blocks", description = "list the blocks of a sorted table")
  private boolean blocks;

  @Option(names = "--cells", description = "list the cells of a sorted table or a log")
  private boolean cells;

  @Option(
      names = "--keys",
      paramLabel = "ENCODING",
      defaultValue = "TEXT",
      description =
          "how rows and qualifiers are shown: ${COMPLETION-CANDIDATES} (default ${DEFAULT-VALUE})")
  private Encoding keys = Encoding.TEXT;

  @Option(
      names = "--values",
      paramLabel = "ENCODING",
      defaultValue = "TEXT",
      description = "how values are shown: ${COMPLETION-CANDIDATES} (default ${DEFAULT-VALUE})")
  private Encoding values = Encoding.TEXT;

  @Override
  public Integer call() throws IOException {
    if (what == Inspection.TABLE && file == null) {
      throw new ParameterException(
          spec.commandLine(),
          "name the sorted table; \"accordion inspect " + store.folder() + " files\" lists them");
    }
    List<Inspection> withFile = List.of(Inspection.TABLE, Inspection.LOG, Inspection.MANIFEST);
    if (file != null && !withFile.contains(what)) {
      throw new ParameterException(
          spec.commandLine(), what.name().toLowerCase(Locale.ROOT) + " takes no FILE");
    }
    if (blocks && what != Inspection.TABLE) {
      throw new ParameterException(spec.commandLine(), "--blocks is an option of table");
    }
    if (cells && what != Inspection.TABLE && what != Inspection.LOG) {
      throw new ParameterException(spec.commandLine(), "--cells is an option of table and log");
    }
    KeyProvider provider = store.keys();
    Inspector inspector =
        provider == null
            ? Inspector.open(store.folder())
            : Inspector.open(store.folder(), provider);
    InspectOutput out =
        new InspectOutput(
            spec.commandLine().getOut(),
            spec.commandLine().getErr(),
            store.json(),
            new InspectOutput.Wishes(store.folder(), file, blocks, cells, keys, values));
    inspector.damage().forEach(out::damage);
    what.print(inspector, out);
    out.finish();
    return out.isDamaged() ? VerifyCommand.DAMAGED : 0;
  }
}
