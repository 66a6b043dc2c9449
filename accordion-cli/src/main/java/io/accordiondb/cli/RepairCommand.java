// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli;

import io.accordiondb.Database;
import io.accordiondb.KeyProvider;
import io.accordiondb.RepairReport;
import io.accordiondb.cli.text.Json;
import io.accordiondb.cli.text.PlainText;
import io.accordiondb.cli.text.WorkProgress;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code accordion store repair}. */
@Command(
    name = "repair",
    mixinStandardHelpOptions = true,
    description =
        "Makes a damaged database one that opens, and says what is lost. Try it on a "
            + "copy first. What is not sound goes into the folder \"lost\". Exit code 3 if "
            + "anything was lost.")
final class RepairCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private StoreFlags store = new StoreFlags();

  @Override
  public Integer call() throws IOException {
    RepairReport report = repair();
    PrintWriter out = spec.commandLine().getOut();
    if (store.json()) {
      out.println(Json.write(report));
    } else {
      report
          .lost()
          .forEach(p -> out.println(PlainText.of("lost: " + p.file() + ": " + p.message())));
      report.notes().forEach(note -> out.println("note: " + PlainText.of(note)));
      out.printf(
          Locale.ROOT,
          "kept: %d tables, %d sorted tables%n",
          report.tables(),
          report.sortedTablesKept());
    }
    return report.lost().isEmpty() ? 0 : VerifyCommand.DAMAGED;
  }

  private RepairReport repair() throws IOException {
    KeyProvider keys = store.keys();
    try (WorkProgress progress = WorkProgress.ofTime(spec.commandLine().getErr(), "repair")) {
      return keys == null ? Database.repair(store.folder()) : Database.repair(store.folder(), keys);
    }
  }
}
