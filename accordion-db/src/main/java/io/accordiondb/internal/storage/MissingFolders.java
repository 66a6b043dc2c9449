// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.storage;

import io.accordiondb.NotADatabaseException;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;

/** Creates the folder of a database, and those above it that are missing. */
final class MissingFolders {
  private final Path path;
  private final FileAttribute<?>[] attributes;

  /**
   * Creates an object that creates one folder.
   *
   * @param attributes of all folders that are created
   */
  MissingFolders(Path path, FileAttribute<?>... attributes) {
    this.path = path;
    this.attributes = attributes;
  }

  /**
   * Creates the folder durably.
   *
   * @throws NotADatabaseException if the path leads over a file, or over a link to nothing
   */
  void create() throws IOException {
    create(path.toAbsolutePath());
  }

  private void create(Path directory) throws IOException {
    Path parent = directory.getParent();
    if (parent == null || Files.isDirectory(directory)) {
      return;
    }
    create(parent);
    try {
      Files.createDirectories(directory, attributes);
    } catch (FileAlreadyExistsException e) {
      throw new NotADatabaseException(path.toString(), obstacleAt(directory));
    }
    FileStorage.sync(parent);
  }

  private static String obstacleAt(Path directory) throws IOException {
    return Files.isSymbolicLink(directory)
        ? directory
            + " is a link to "
            + Files.readSymbolicLink(directory)
            + ", which is not there; create that folder or remove the link"
        : directory + " is a file; give a path that leads over folders alone";
  }
}
