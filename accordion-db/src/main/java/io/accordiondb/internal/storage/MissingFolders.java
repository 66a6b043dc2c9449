// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.storage;

import io.accordiondb.NotADatabaseException;
import io.accordiondb.internal.function.IoConsumer;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Creates the folder of a database, those above it that are missing, and those below it. */
final class MissingFolders {
  private static final Logger LOG = LoggerFactory.getLogger(MissingFolders.class);

  private final Path path;
  private final IoConsumer<Path> force;
  private final Supplier<FileAttribute<?>[]> attributes;

  /**
   * Creates an object that creates one folder.
   *
   * @param force forces the names in a folder to the device
   * @param attributes of all folders that are created
   */
  MissingFolders(Path path, IoConsumer<Path> force, Supplier<FileAttribute<?>[]> attributes) {
    this.path = path;
    this.force = force;
    this.attributes = attributes;
  }

  /**
   * Creates the folder durably. The last one that exists may have been created before, without its
   * name having been forced. Then it is empty.
   *
   * @throws NotADatabaseException if the path leads over a file, or over a link to nothing
   */
  void create() throws IOException {
    create(path.toAbsolutePath());
  }

  private void create(Path directory) throws IOException {
    Path parent = directory.getParent();
    if (parent == null) {
      return;
    }
    if (Files.isDirectory(directory)) {
      if (isEmpty(directory)) {
        forceOldName(directory);
      }
      return;
    }
    create(parent);
    try {
      Files.createDirectories(directory, attributes.get());
    } catch (FileAlreadyExistsException e) {
      throw new NotADatabaseException(path.toString(), obstacleAt(directory));
    }
    force.accept(parent);
  }

  /**
   * Creates folders below one that exists. If that one is gone, it stays so: its owner may have
   * removed it for good.
   *
   * @throws NoSuchFileException if that folder is gone
   */
  static void createBelow(Path root, String relative, FileAttribute<?>... attributes)
      throws IOException {
    Path at = root;
    for (Path name : Path.of(relative)) {
      at = at.resolve(name);
      if (!Files.isDirectory(at)) {
        try {
          Files.createDirectory(at, attributes);
        } catch (FileAlreadyExistsException e) {
          if (!Files.isDirectory(at)) {
            throw e;
          }
        }
      }
    }
  }

  private static boolean isEmpty(Path directory) {
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
      return !entries.iterator().hasNext();
    } catch (IOException | DirectoryIteratorException e) {
      // Nothing was created in a folder that cannot be listed.
      return false;
    }
  }

  /** Does not fail, because the folder above may belong to others or be read-only. */
  private void forceOldName(Path directory) {
    try {
      Path parent = directory.toRealPath().getParent();
      if (parent != null) {
        force.accept(parent);
      }
    } catch (IOException e) {
      LOG.warn("the name of {} could not be forced to the device", directory, e);
    }
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
