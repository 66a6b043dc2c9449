// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.backup;

import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An empty or new folder that one restore fills, and clears if it fails. Several restores may find
 * the same folder empty: the one that creates {@link Folders#UNFINISHED} in it owns it, and the
 * others change nothing. Belongs to one thread.
 */
final class RestoredFolder {
  private static final Logger LOG = LoggerFactory.getLogger(RestoredFolder.class);

  private final Path folder;
  private final Path unfinished;
  private final boolean existed;

  private RestoredFolder(Path folder, boolean existed) {
    this.folder = folder;
    this.unfinished = folder.resolve(Folders.UNFINISHED);
    this.existed = existed;
  }

  /**
   * Takes a folder, which may have been filled since the caller has found it empty.
   *
   * @throws DirectoryNotEmptyException if it holds anything, or another restore has it
   */
  static RestoredFolder take(Path folder) throws IOException {
    RestoredFolder taken = new RestoredFolder(folder, Files.exists(folder));
    DurableFiles.createFolders(folder);
    boolean done = false;
    try {
      taken.claim();
      done = true;
      return taken;
    } finally {
      if (!done) {
        taken.deleteIfNew();
      }
    }
  }

  private void claim() throws IOException {
    try {
      Files.createDirectory(unfinished);
    } catch (FileAlreadyExistsException e) {
      throw taken();
    }
    boolean alone = false;
    try (Stream<Path> files = Files.list(folder)) {
      alone = files.allMatch(unfinished::equals);
    } finally {
      if (!alone) {
        Files.delete(unfinished);
      }
    }
    if (!alone) {
      throw taken();
    }
  }

  private DirectoryNotEmptyException taken() {
    return new DirectoryNotEmptyException(
        folder + " is not empty; another restore has begun to fill it");
  }

  /** Returns the folder for the work of the restore, which is deleted when it ends. */
  Path unfinished() {
    return unfinished;
  }

  /** Deletes what is left of the work. The database is whole, and needs none of it. */
  void complete() {
    try {
      Folders.delete(unfinished);
      // A loss of power must not bring it back.
      DurableFiles.syncFolder(folder);
    } catch (IOException e) {
      LOG.warn("{} could not be deleted; the restored database does not need it", unfinished, e);
    }
  }

  /** Leaves the folder as it was. */
  void clear() throws IOException {
    Folders.clear(folder);
    deleteIfNew();
  }

  private void deleteIfNew() throws IOException {
    if (!existed) {
      try {
        Files.deleteIfExists(folder);
      } catch (DirectoryNotEmptyException e) {
        LOG.info("{} is used by another restore", folder);
      }
    }
  }
}
