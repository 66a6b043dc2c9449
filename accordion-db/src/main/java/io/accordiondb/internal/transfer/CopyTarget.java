// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.transfer;

import io.accordiondb.internal.crypt.EncryptedStorage;
import io.accordiondb.internal.folder.DatabaseFolder;
import io.accordiondb.internal.function.IoSupplier;
import io.accordiondb.internal.manifest.CurrentFile;
import io.accordiondb.internal.manifest.ManifestContents;
import io.accordiondb.internal.manifest.ManifestFile;
import io.accordiondb.internal.manifest.Version;
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
 *
 * <p>Until the copy is complete, the folder holds a file that says so. If the process is killed,
 * the next copy deletes that file and those beside it. The file becomes CURRENT by a rename, so a
 * database that has lost CURRENT is never taken for such a copy.
 */
final class CopyTarget {
  private static final Logger LOG = LoggerFactory.getLogger(CopyTarget.class);

  private static final List<String> DIRECTORIES =
      List.of(StoreFiles.DIRECTORY, WriteAheadLog.DIRECTORY, KeptLogs.DIRECTORY);

  /** The files that a copy may have before it is complete, beside the manifest. */
  private static final List<String> FILES =
      List.of(
          DatabaseFolder.LOCK,
          DatabaseFolder.UNFINISHED,
          EncryptedStorage.MARKER,
          CurrentFile.NEW_NAME);

  private CopyTarget() {}

  /**
   * Runs a copy into a folder; returns what it returns.
   *
   * @param copy writes the files, and calls {@link #finish} at the end; what it does after that may
   *     fail as well
   * @throws DirectoryNotEmptyException if the folder holds anything but what a copy leaves that was
   *     killed, or that failed on a storage that deletes neither directories nor locked files
   */
  static <T> T fill(Storage target, IoSupplier<T> copy) throws IOException {
    if (!isUnfinishedCopy(target)) {
      checkEmpty(target);
    }
    try (Closeable lock = target.lock(DatabaseFolder.LOCK)) {
      if (isUnfinishedCopy(target)) {
        LOG.info("{} holds a copy that was not completed, which is deleted", target.path(""));
        clear(target);
      }
      // Another copy may have come first, and its files must stay.
      checkEmpty(target);
      try {
        target.create(DatabaseFolder.UNFINISHED).close();
        target.syncDirectory("");
        return copy.get();
      } catch (Throwable e) {
        clearAfter(e, target);
        throw e;
      }
    }
  }

  /** Makes a copy a database. Comes last, so that a crash before leaves no database. */
  static void finish(Storage target, Version version) throws IOException {
    ManifestContents.write(target, version, DatabaseFolder.UNFINISHED);
  }

  /** Returns whether a folder holds nothing but files of a copy that is not complete. */
  private static boolean isUnfinishedCopy(Storage target) throws IOException {
    return target.exists(DatabaseFolder.UNFINISHED)
        && target.list("").stream()
            .allMatch(
                name ->
                    DIRECTORIES.contains(name)
                        || FILES.contains(name)
                        || name.startsWith(ManifestFile.PREFIX));
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
      if (target.exists(CurrentFile.NAME)) {
        // First, so that a crash leaves no database without its files.
        target.delete(CurrentFile.NAME);
        target.syncDirectory("");
      }
      clear(target);
      // Last: the storage then finds that the folder is no longer the locked one.
      deleteIfPossible(target, DatabaseFolder.LOCK);
    } catch (IOException | RuntimeException e) {
      failure.addSuppressed(e);
    }
  }

  /** Deletes a copy that is no database yet. The file that marks it goes last. */
  private static void clear(Storage target) throws IOException {
    clearDirectories(target);
    DIRECTORIES.forEach(directory -> deleteIfPossible(target, directory));
    for (String name : target.list("")) {
      if (!name.equals(DatabaseFolder.LOCK)
          && !name.equals(DatabaseFolder.UNFINISHED)
          && !DIRECTORIES.contains(name)) {
        target.delete(name);
      }
    }
    if (target.exists(DatabaseFolder.UNFINISHED)) {
      target.delete(DatabaseFolder.UNFINISHED);
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
