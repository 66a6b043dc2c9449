// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.backup;

import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Fills, moves and deletes folders as a whole. */
final class Folders {
  /**
   * What makes a folder a database; restored last, and moved there when it is whole, so that what a
   * crash leaves is none.
   */
  static final String LAST = "CURRENT";

  /** Says that a restore has not ended; has what it deletes at its end. */
  static final String UNFINISHED = "restoring";

  private Folders() {}

  /** Returns whether a folder exists and is not empty. */
  static boolean isOccupied(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return false;
    }
    try (Stream<Path> files = Files.list(folder)) {
      return files.findAny().isPresent();
    }
  }

  /**
   * Returns whether a path is a folder or leads into it. Links are followed; neither need exist.
   */
  static boolean isWithin(Path path, Path folder) throws IOException {
    return realPath(path).startsWith(realPath(folder));
  }

  /** Returns a path, which need not exist, with the links of the part that exists followed. */
  private static Path realPath(Path path) throws IOException {
    Path place = path.toAbsolutePath().normalize();
    Path existing = place;
    while (!Files.exists(existing)) {
      existing = Objects.requireNonNull(existing.getParent(), "parent");
    }
    return existing.toRealPath().resolve(existing.relativize(place));
  }

  /** Checks that a backup can be restored into a folder. */
  static void checkEmpty(Path folder) throws DirectoryNotEmptyException, IOException {
    if (Files.exists(folder.resolve(UNFINISHED)) && !Files.exists(folder.resolve(LAST))) {
      throw new DirectoryNotEmptyException(
          folder
              + " holds what an interrupted restore has left; if no restore into it is running,"
              + " delete its contents, then restore again");
    }
    if (isOccupied(folder)) {
      throw new DirectoryNotEmptyException(
          folder + " is not empty; a backup is restored into an empty or a new folder");
    }
  }

  /**
   * Moves the contents of a folder into another one on the same file system, durably.
   *
   * @param last the name of the entry that is moved last
   */
  static void moveContents(Path folder, Path target, String last) throws IOException {
    List<Path> entries = new ArrayList<>();
    try (Stream<Path> files = Files.list(folder)) {
      files.sorted(Comparator.comparing(file -> file.endsWith(last))).forEach(entries::add);
    }
    for (Path entry : entries) {
      if (entry.endsWith(last)) {
        DurableFiles.syncFolder(target);
      }
      Files.move(entry, target.resolve(folder.relativize(entry)));
    }
    DurableFiles.syncFolder(target);
  }

  /** Deletes the contents of a folder, if it exists. */
  static void clear(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return;
    }
    List<Path> entries;
    try (Stream<Path> all = Files.list(folder)) {
      entries = all.toList();
    }
    for (Path entry : entries) {
      delete(entry);
    }
  }

  /**
   * Deletes a folder with its contents, if it exists. Others may delete from it at the same time.
   */
  static void delete(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return;
    }
    Files.walkFileTree(
        folder,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.deleteIfExists(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
            if (e instanceof NoSuchFileException) {
              return FileVisitResult.CONTINUE;
            }
            throw e;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path visited, @Nullable IOException e)
              throws IOException {
            if (e != null && !(e instanceof NoSuchFileException)) {
              throw e;
            }
            Files.deleteIfExists(visited);
            return FileVisitResult.CONTINUE;
          }
        });
  }
}
