// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Checks where commands may write: never into the folder of a database. */
final class OutputPlace {
  /**
   * Files that a database's folder has, also one that is damaged. RocksDB and LevelDB share them.
   */
  private static final List<String> DATABASE_FILES = List.of("CURRENT", "LOCK");

  /** The file by which a checkpoint marks a copy until it is complete. */
  private static final String UNFINISHED_COPY = "COPY.unfinished";

  /** The folder in which a restore keeps its work until the database is whole. */
  private static final String UNFINISHED_RESTORE = "restoring";

  private static final String MANIFESTS = "MANIFEST-*";

  private OutputPlace() {}

  /**
   * Checks a path at which a command is about to create a file or folder.
   *
   * @throws FileSystemException if it lies in the folder of a database, links resolved
   */
  static void checkOutsideDatabases(Path path) throws IOException {
    Path existing = path.toAbsolutePath().normalize();
    while (!Files.exists(existing) && existing.getParent() != null) {
      existing = existing.getParent();
    }
    Path database = databaseAbove(existing.toRealPath());
    if (database != null) {
      throw new FileSystemException(
          path.toString(),
          null,
          database + " is the folder of a database; give a path outside of it");
    }
  }

  /** Returns the folder of a database in which a path lies, or the path itself; null if none. */
  private static @Nullable Path databaseAbove(Path path) {
    Path folder = path;
    while (folder != null && !isDatabase(folder)) {
      folder = folder.getParent();
    }
    return folder;
  }

  private static boolean isDatabase(Path folder) {
    if (!Files.isDirectory(folder)) {
      // Listing a pipe as a folder would wait for a process that writes to it.
      return false;
    }
    if (DATABASE_FILES.stream().anyMatch(name -> Files.isRegularFile(folder.resolve(name)))) {
      return true;
    }
    try (DirectoryStream<Path> manifests = Files.newDirectoryStream(folder, MANIFESTS)) {
      return manifests.iterator().hasNext();
    } catch (IOException e) {
      // It may not be listed.
      return false;
    }
  }

  /**
   * Checks a folder that a command is about to fill: it must be empty or missing.
   *
   * @throws DirectoryNotEmptyException if it holds anything
   * @throws FileSystemException if it is a file, or lies in the folder of a database
   */
  static void checkEmptyFolder(Path folder) throws IOException {
    if (Files.exists(folder)) {
      if (!Files.isDirectory(folder)) {
        throw new NotDirectoryException(folder.toString());
      }
      try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
        if (entries.iterator().hasNext()) {
          throw new DirectoryNotEmptyException(folder.toString());
        }
      }
    }
    checkOutsideDatabases(folder);
  }

  /**
   * Checks a folder into which a database is about to be copied: it must be empty or missing, or
   * hold a copy that was not completed, which the next one replaces.
   *
   * @throws FileSystemException as {@link #checkEmptyFolder}
   */
  static void checkCopyTarget(Path folder) throws IOException {
    Path parent = folder.toAbsolutePath().normalize().getParent();
    if (parent != null && Files.isRegularFile(folder.resolve(UNFINISHED_COPY))) {
      checkOutsideDatabases(parent);
    } else {
      checkEmptyFolder(folder);
    }
  }

  /**
   * Checks a folder into which a backup is about to be restored: it must be empty or missing.
   *
   * @throws FileSystemException as {@link #checkEmptyFolder}, or if it holds what a restore that
   *     was killed has left
   */
  static void checkRestoreTarget(Path folder) throws IOException {
    if (Files.exists(folder.resolve(UNFINISHED_RESTORE))
        && !Files.exists(folder.resolve("CURRENT"))) {
      throw new FileSystemException(
          folder.toString(),
          null,
          "it holds what an interrupted restore has left; if no restore into it is running, delete"
              + " its contents, then restore again");
    }
    checkEmptyFolder(folder);
  }

  /**
   * Checks a folder in which a command is about to create others.
   *
   * @throws NoSuchFileException if it does not exist
   * @throws FileSystemException if it is a file, or lies in the folder of a database
   */
  static void checkExistingFolder(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      throw new NoSuchFileException(folder.toString());
    }
    if (!Files.isDirectory(folder)) {
      throw new NotDirectoryException(folder.toString());
    }
    checkOutsideDatabases(folder);
  }

  /**
   * Checks by creating a file that a folder can be written to.
   *
   * @throws FileSystemException if it cannot
   */
  static void checkWritable(Path folder) throws IOException {
    try {
      Files.delete(Files.createTempFile(folder, ".accordion-", ".tmp"));
    } catch (AccessDeniedException e) {
      throw new AccessDeniedException(folder.toString());
    }
  }
}
