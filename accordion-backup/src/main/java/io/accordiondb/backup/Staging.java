// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.backup;

import io.accordiondb.Database;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A checkpoint of a database, which keeps its files while they are copied. Links to them cost no
 * space until the database itself deletes them.
 */
final class Staging implements Closeable {
  private final Path folder;

  private Staging(Path folder) {
    this.folder = folder;
  }

  /** Makes a checkpoint; whatever a backup that was killed has left there goes first. */
  static Staging of(Database database, BackupOptions options) throws IOException {
    Path chosen = options.staging();
    if (chosen != null && isOccupied(chosen)) {
      throw new DirectoryNotEmptyException(
          chosen + " is to hold links while the backup is made, but it is not empty");
    }
    Staging staging = new Staging(chosen == null ? folderFor(database) : chosen);
    staging.close();
    boolean made = false;
    try {
      database.checkpoint(staging.folder);
      made = true;
    } finally {
      if (!made) {
        staging.close();
      }
    }
    return staging;
  }

  private static boolean isOccupied(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return false;
    }
    try (Stream<Path> files = Files.list(folder)) {
      return files.findAny().isPresent();
    }
  }

  private static Path folderFor(Database database) throws IOException {
    Optional<Path> folder = database.folder();
    if (folder.isEmpty()) {
      return Files.createTempDirectory("accordion-backup");
    }
    Path own = folder.get().toAbsolutePath().normalize();
    Path name = Objects.requireNonNull(own.getFileName(), "a root folder holds no database");
    return own.resolveSibling("." + name + ".backup");
  }

  /** Returns the names of all files, with slashes, in order. */
  List<String> names() throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files
          .filter(Files::isRegularFile)
          .map(file -> folder.relativize(file).toString().replace('\\', '/'))
          .filter(name -> !name.equals("LOCK"))
          .sorted()
          .toList();
    }
  }

  Path file(String name) {
    return folder.resolve(name);
  }

  @Override
  public void close() throws IOException {
    if (!Files.exists(folder)) {
      return;
    }
    List<Path> files = new ArrayList<>();
    try (Stream<Path> all = Files.walk(folder)) {
      all.sorted(Comparator.reverseOrder()).forEach(files::add);
    }
    for (Path file : files) {
      Files.delete(file);
    }
  }
}
