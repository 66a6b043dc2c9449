// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.backup;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** Gives complete files names that no other file has. */
final class NewName {
  private NewName() {}

  /** Gives a file a second name. */
  interface Linker {
    void link(Path name, Path file) throws IOException;
  }

  /**
   * Gives a complete file its name.
   *
   * @throws FileAlreadyExistsException if there is a file with this name
   */
  static void give(Path file, Path partial, Linker linker) throws IOException {
    try {
      // Unlike a move, a link never replaces anything.
      linker.link(file, partial);
    } catch (FileAlreadyExistsException e) {
      throw e;
    } catch (FileSystemException | UnsupportedOperationException e) {
      moveToNew(file, partial, e);
    }
  }

  /**
   * Same without links, which FAT and some network file systems lack: of several callers, one
   * creates the file, and then replaces it. A crash in between leaves an empty file: a generation
   * that is damaged, or a lock without an owner, which {@link BackupLock} finds out.
   */
  private static void moveToNew(Path file, Path partial, Exception noLink) throws IOException {
    try {
      Files.createFile(file);
    } catch (FileAlreadyExistsException e) {
      throw e;
    } catch (IOException e) {
      e.addSuppressed(noLink);
      throw e;
    }
    boolean moved = false;
    try {
      Files.move(partial, file, StandardCopyOption.ATOMIC_MOVE);
      moved = true;
    } finally {
      if (!moved) {
        Files.deleteIfExists(file);
      }
    }
  }
}
