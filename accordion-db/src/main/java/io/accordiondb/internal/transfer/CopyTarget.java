// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.transfer;

import io.accordiondb.internal.folder.DatabaseFolder;
import io.accordiondb.internal.function.IoRunnable;
import io.accordiondb.internal.region.StoreFiles;
import io.accordiondb.internal.storage.Storage;
import io.accordiondb.internal.wal.KeptLogs;
import io.accordiondb.internal.wal.WriteAheadLog;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The folder that receives a copy of a database. It is empty before, and again if the copy fails,
 * so that the copy can be tried again.
 */
final class CopyTarget {
  private static final Logger LOG = LoggerFactory.getLogger(CopyTarget.class);

  /** What makes a folder a database. */
  private static final String CURRENT = "CURRENT";

  private static final List<String> DIRECTORIES =
      List.of(StoreFiles.DIRECTORY, WriteAheadLog.DIRECTORY, KeptLogs.DIRECTORY);

  private CopyTarget() {}

  /**
   * Runs a copy into a folder.
   *
   * @throws DirectoryNotEmptyException if the folder holds anything but what a storage that deletes
   *     neither directories nor locked files keeps of a copy that has failed
   */
  static void fill(Storage target, IoRunnable copy) throws IOException {
    checkEmpty(target);
    try (Closeable lock = target.lock(DatabaseFolder.LOCK)) {
      // Another copy may have come first, and its files must stay.
      checkEmpty(target);
      try {
        copy.run();
      } catch (Throwable e) {
        clearAfter(e, target);
        throw e;
      }
    }
  }

  private static void checkEmpty(Storage target) throws IOException {
    for (String name : target.list("")) {
      boolean isEmpty =
          name.equals(DatabaseFolder.LOCK)
              || (DIRECTORIES.contains(name)
                  && target.isDirectory(name)
                  && target.list(name).isEmpty());
      if (!isEmpty) {
        throw new DirectoryNotEmptyException(target.path(""));
      }
    }
  }

  private static void clearAfter(Throwable failure, Storage target) {
    try {
      if (target.exists(CURRENT)) {
        // First, so that a crash leaves no database without its files.
        target.delete(CURRENT);
        target.syncDirectory("");
      }
      clearDirectories(target);
      for (String name : target.list("")) {
        if (!name.equals(DatabaseFolder.LOCK) && !DIRECTORIES.contains(name)) {
          target.delete(name);
        }
      }
      DIRECTORIES.forEach(directory -> deleteIfPossible(target, directory));
      // Last: the storage then finds that the folder is no longer the locked one.
      deleteIfPossible(target, DatabaseFolder.LOCK);
    } catch (IOException | RuntimeException e) {
      failure.addSuppressed(e);
    }
  }

  private static void deleteIfPossible(Storage target, String name) {
    try {
      target.delete(name);
    } catch (IOException e) {
      LOG.debug("{} stays", target.path(name), e);
    }
  }

  /** Deletes the files of the copy in its directories. */
  static void clearDirectories(Storage target) throws IOException {
    for (String directory : DIRECTORIES) {
      if (target.exists(directory)) {
        for (String name : target.list(directory)) {
          target.delete(directory + "/" + name);
        }
      }
    }
  }
}
