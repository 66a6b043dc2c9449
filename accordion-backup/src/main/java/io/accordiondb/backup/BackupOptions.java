// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.backup;

import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How a backup is made. Immutable.
 *
 * @param bytesPerSecondMax how fast files are copied; 0 for as fast as possible
 * @param staging an empty or missing folder on the database's file system, where its files are
 *     linked while they are copied, so that compactions can continue; null for a sibling of the
 *     database's folder, or, if it cannot be there, of the backups' folder; a target that is no
 *     folder has none. It is deleted at the end, or by the next backup if this one is killed,
 *     unless others have put files there. It must not be in the folder of the backups, nor they in
 *     it
 * @param readsAll whether each file is read and compared by its SHA-256, even if name, length,
 *     beginning and end are those of the previous generation
 * @param progress receives the progress of the backup, on the calling thread
 */
public record BackupOptions(
    long bytesPerSecondMax, @Nullable Path staging, boolean readsAll, BackupProgress progress) {
  /**
   * The defaults: no limit of speed, a sibling folder for staging, only new files are read, no
   * progress.
   */
  public static final BackupOptions DEFAULTS =
      new BackupOptions(0, null, false, (files, filesAll, bytes, bytesAll) -> {});

  /**
   * Checks the values.
   *
   * @param bytesPerSecondMax the highest rate in bytes a second; 0 for no limit
   * @param staging the folder for links
   * @param readsAll whether all files are read and compared
   * @param progress the progress
   */
  public BackupOptions {
    if (bytesPerSecondMax < 0) {
      throw new IllegalArgumentException(
          "bytesPerSecondMax is " + bytesPerSecondMax + ", expected at least 0");
    }
    Objects.requireNonNull(progress, "progress");
  }

  /**
   * {@return these options with a limit of speed; 0 for none}
   *
   * @param bytes the highest rate in bytes a second; 0 for no limit
   */
  public BackupOptions withBytesPerSecondMax(long bytes) {
    return new BackupOptions(bytes, staging, readsAll, progress);
  }

  /**
   * {@return these options with a folder for links}
   *
   * @param folder an empty or missing folder on the database's file system
   */
  public BackupOptions withStaging(Path folder) {
    return new BackupOptions(
        bytesPerSecondMax, Objects.requireNonNull(folder, "folder"), readsAll, progress);
  }

  /**
   * {@return these options with all files read, or only those that seem new}
   *
   * @param all whether all files are read
   */
  public BackupOptions withReadsAll(boolean all) {
    return new BackupOptions(bytesPerSecondMax, staging, all, progress);
  }

  /**
   * {@return these options with a listener for the progress}
   *
   * @param listener receives the progress
   */
  public BackupOptions withProgress(BackupProgress listener) {
    return new BackupOptions(bytesPerSecondMax, staging, readsAll, listener);
  }
}
