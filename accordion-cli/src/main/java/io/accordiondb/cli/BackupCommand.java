// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli;

import io.accordiondb.Database;
import io.accordiondb.backup.BackupOptions;
import io.accordiondb.backup.BackupProgress;
import io.accordiondb.backup.BackupTarget;
import io.accordiondb.backup.Backups;
import io.accordiondb.backup.Generation;
import io.accordiondb.cli.text.Fields;
import io.accordiondb.cli.text.WorkProgress;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code accordion store backup}. */
@Command(
    name = "backup",
    mixinStandardHelpOptions = true,
    description =
        "Adds a generation to the backups in a folder; only files that are new are "
            + "copied. Of a database that is in use, or whose folder cannot be written to, the newest "
            + "state on disk is backed up, and moments between that backup and others cannot "
            + "always be restored.")
final class BackupCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private StoreFlags store = new StoreFlags();

  @Parameters(index = "1", paramLabel = "BACKUPS", description = "folder of the backups")
  private Path target = Path.of("");

  @Option(names = "--bytes-per-second", description = "how fast files are copied; 0 for no limit")
  private long bytesPerSecond;

  @Option(
      names = "--keep",
      description = "keep this many of the newest generations, delete others (default: all)")
  private @Nullable Integer keep;

  @Option(names = "--read-all", description = "compare all files by their SHA-256")
  private boolean readAll;

  @Option(names = "--break-lock", description = "remove the lock that a killed backup has left")
  private boolean breakLock;

  @Override
  public Integer call() throws IOException {
    Limits.check("--bytes-per-second", bytesPerSecond, 0, Long.MAX_VALUE);
    if (keep != null) {
      Limits.check("--keep", keep, 1, Integer.MAX_VALUE);
    }
    Backups backups = Backups.at(BackupTarget.folder(target));
    if (breakLock) {
      backups.breakLock();
    }
    BackupOptions options =
        BackupOptions.DEFAULTS.withBytesPerSecondMax(bytesPerSecond).withReadsAll(readAll);
    // For writing if possible, so that the log says at which moment the backup was made.
    try (Database database = store.openAsFarAsPossible(false).database();
        WorkProgress progress =
            new WorkProgress(spec.commandLine().getErr(), "backup", "bytes", 0)) {
      Generation made = backups.create(database, options.withProgress(progressOf(progress)));
      Fields result = GenerationLines.fields(made);
      if (keep != null) {
        result.with("bytesDeleted", backups.keepNewest(keep));
      }
      store.print(spec.commandLine().getOut(), result);
    }
    return 0;
  }

  /** Returns a listener that reports only the bytes, which are more informative than the files. */
  static BackupProgress progressOf(WorkProgress progress) {
    return (filesDone, filesAll, bytesDone, bytesAll) -> progress.set(bytesDone, bytesAll);
  }
}
