// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli;

import io.accordiondb.backup.BackupOptions;
import io.accordiondb.backup.BackupTarget;
import io.accordiondb.backup.Backups;
import io.accordiondb.backup.Generation;
import io.accordiondb.backup.GenerationNotFoundException;
import io.accordiondb.cli.text.Fields;
import io.accordiondb.cli.text.Json;
import io.accordiondb.cli.text.PlainText;
import io.accordiondb.cli.text.WorkProgress;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code accordion store backups}. */
@Command(
    name = "backups",
    mixinStandardHelpOptions = true,
    description =
        "Lists the generations in a folder of backups, from the oldest to the newest. "
            + "Exit code 3 if any has a damaged record, or --verify finds damage in its files.")
final class BackupsCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(index = "0", paramLabel = "BACKUPS", description = "folder of the backups")
  private Path target = Path.of("");

  @Option(names = "--verify", description = "read all files and compare them with their SHA-256")
  private boolean verify;

  @Option(names = "--delete", paramLabel = "GENERATION", description = "delete a generation")
  private List<Long> deleted = new ArrayList<>();

  @Option(names = "--json", description = "print one JSON object")
  private boolean json;

  @Override
  public Integer call() throws IOException {
    Backups backups = Backups.at(BackupTarget.folder(target));
    for (long generation : deleted) {
      backups.delete(generation);
    }
    List<String> damaged =
        backups.problems().stream().map(problem -> problem + "; --delete removes it").toList();
    boolean sound = damaged.isEmpty();
    List<Generation> generations = backups.generations();
    if (generations.isEmpty() && sound && deleted.isEmpty()) {
      throw RestoreCommand.noBackup(target);
    }
    PrintWriter out = spec.commandLine().getOut();
    List<Map<String, Object>> lines = new ArrayList<>();
    for (Generation generation : generations) {
      Fields fields = GenerationLines.fields(generation);
      if (verify) {
        try {
          List<String> problems = problems(backups, generation);
          sound &= problems.isEmpty();
          fields.with("problems", problems);
        } catch (GenerationNotFoundException e) {
          // Deleted since it was listed.
          continue;
        }
      }
      lines.add(fields.map());
      if (!json) {
        // At once: verifying the next ones may take hours, or fail.
        out.println(PlainText.of(fields.map()));
        out.flush();
      }
    }
    if (json) {
      out.println(
          Json.write(new Fields().with("generations", lines).with("problems", damaged).map()));
    } else {
      damaged.forEach(problem -> out.println("damaged: " + PlainText.of(problem)));
    }
    return sound ? 0 : VerifyCommand.DAMAGED;
  }

  private List<String> problems(Backups backups, Generation generation) throws IOException {
    try (WorkProgress progress =
        new WorkProgress(spec.commandLine().getErr(), "verify", "bytes", 0)) {
      return backups.verify(
          generation.number(),
          BackupOptions.DEFAULTS.withProgress(BackupCommand.progressOf(progress)));
    }
  }
}
