// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli;

import io.accordiondb.RestorePoint;
import io.accordiondb.backup.BackupOptions;
import io.accordiondb.backup.BackupTarget;
import io.accordiondb.backup.Backups;
import io.accordiondb.backup.Generation;
import io.accordiondb.cli.text.Fields;
import io.accordiondb.cli.text.WorkProgress;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
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
    description =
        "Writes a database into an empty or a new folder, as a backup has it, or as it was at a "
            + "moment between two backups, if it was open with logRetention.")
final class RestoreCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private StoreFlags store = new StoreFlags();

  @Parameters(index = "1", paramLabel = "BACKUPS", description = "folder of the backups")
  private Path target = Path.of("");

  @Option(names = "--generation", description = "which generation (default: the newest)")
  private @Nullable Long generation;

  @Option(
      names = "--to-sequence",
      paramLabel = "NUMBER",
      description = "all up to this sequence number, and nothing later")
  private @Nullable Long toSequence;

  @Option(
      names = "--to-time",
      paramLabel = "TIME",
      description = "the last state before this time, for example 2026-01-31T12:00:00Z")
  private @Nullable Instant toTime;

  @Override
  public Integer call() throws IOException {
    RestorePoint point = point();
    OutputPlace.checkRestoreTarget(store.folder());
    Backups backups = Backups.at(BackupTarget.folder(target));
    if (point != null) {
      newest(backups); // Says so if no generation can be read.
      long sequence;
      try (WorkProgress progress =
          new WorkProgress(spec.commandLine().getErr(), "restore", "bytes", 0)) {
        sequence =
            backups.restore(
                point,
                store.folder(),
                store.options().build(),
                BackupOptions.DEFAULTS.withProgress(BackupCommand.progressOf(progress)));
      }
      store.print(spec.commandLine().getOut(), new Fields().with("sequence", sequence));
      return 0;
    }
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

  private @Nullable RestorePoint point() {
    Long sequence = toSequence;
    Instant time = toTime;
    if ((generation == null ? 0 : 1) + (sequence == null ? 0 : 1) + (time == null ? 0 : 1) > 1) {
      throw new IllegalArgumentException(
          "give one of --generation, --to-sequence and --to-time, not several");
    }
    if (sequence != null) {
      return RestorePoint.sequence(sequence);
    }
    return time == null ? null : RestorePoint.time(time);
  }

  static IOException noBackup(Path target) {
    return new IOException("there is no backup in " + target + "; check the path");
  }

  private long newest(Backups backups) throws IOException {
    List<Generation> generations = backups.generations();
    if (generations.isEmpty()) {
      throw backups.problems().isEmpty()
          ? noBackup(target)
          : new DamagedInputException(
              "no backup in "
                  + target
                  + " can be read; \"accordion store backups\" names what is damaged");
    }
    return generations.get(generations.size() - 1).number();
  }
}
