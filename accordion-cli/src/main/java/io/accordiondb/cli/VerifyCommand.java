// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli;

import io.accordiondb.Database;
import io.accordiondb.VerificationReport;
import io.accordiondb.cli.text.Json;
import io.accordiondb.cli.text.PlainText;
import io.accordiondb.cli.text.WorkProgress;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code accordion store verify}. */
@Command(
    name = "verify",
    mixinStandardHelpOptions = true,
    description =
        "Reads every byte of a database that is not in use: manifest, sorted tables, "
            + "log. Exit code 3 if anything is damaged.")
final class VerifyCommand implements Callable<Integer> {
  /** The exit code for a database that is damaged. */
  static final int DAMAGED = 3;

  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private StoreFlags store = new StoreFlags();

  @Override
  public Integer call() throws IOException {
    VerificationReport report = verify();
    PrintWriter out = spec.commandLine().getOut();
    if (store.json()) {
      out.println(Json.write(report));
    } else {
      report
          .problems()
          .forEach(p -> out.println(PlainText.of("damaged: " + p.file() + ": " + p.message())));
      report.notes().forEach(note -> out.println("note: " + PlainText.of(note)));
      out.printf(
          Locale.ROOT,
          "%s: %d sorted tables, %d cells, %d batches in the log, %d bytes read%n",
          report.isSound() ? "sound" : report.problems().size() + " problems",
          report.sortedTables(),
          report.cells(),
          report.logRecords(),
          report.bytes());
    }
    return report.isSound() ? 0 : DAMAGED;
  }

  private VerificationReport verify() throws IOException {
    Path tables = store.folder().resolve("sst");
    try (WorkProgress progress =
        new WorkProgress(spec.commandLine().getErr(), "verify", "bytes", bytesIn(tables))) {
      return Database.verify(store.folder(), store.keys(), progress::add);
    }
  }

  /** Returns the bytes of all files of a folder; 0 if they cannot be read, which does no harm. */
  private static long bytesIn(Path folder) {
    long bytes = 0;
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
      for (Path file : files) {
        bytes += Files.size(file);
      }
    } catch (IOException e) {
      return 0;
    }
    return bytes;
  }
}
