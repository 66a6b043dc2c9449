// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli;

import io.accordiondb.backup.BackupOptions;
import io.accordiondb.backup.BackupTarget;
import io.accordiondb.backup.Backups;
import io.accordiondb.backup.Generation;
import io.accordiondb.cli.text.WorkProgress;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code accordion store restore}. */
@Command(
    name = "restore",
    mixinStandardHelpOptions = true,
    description = "Writes a database as a backup has it into an empty or a new folder.")
final class RestoreCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private StoreFlags store = new StoreFlags();

  @Parameters(index = "1", paramLabel = "BACKUPS", description = "folder of the backups")
  private Path target = Path.of("");

  @Option(names = "--generation", description = "which generation (default: the newest)")
  private @Nullable Long generation;

  @Override
  public Integer call() throws IOException {
    OutputPlace.checkEmptyFolder(store.folder());
    Backups backups = Backups.at(BackupTarget.folder(target));
    long chosen = generation == null ? newest(backups) : generation;
    try (WorkProgress progress =
        new WorkProgress(spec.commandLine().getErr(), "restore", "bytes", 0)) {
      backups.restore(
          chosen,
          store.folder(),
          BackupOptions.DEFAULTS.withProgress(BackupCommand.progressOf(progress)));
    }
    for (Generation each : backups.generations()) {
      if (each.number() == chosen) {
        store.print(spec.commandLine().getOut(), GenerationLines.fields(each));
      }
    }
    return 0;
  }

  private long newest(Backups backups) throws IOException {
    List<Generation> generations = backups.generations();
    if (generations.isEmpty()) {
      throw new IOException("there is no backup in " + target + "; check the path");
    }
    return generations.get(generations.size() - 1).number();
  }
}
