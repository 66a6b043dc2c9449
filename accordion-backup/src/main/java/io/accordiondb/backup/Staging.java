// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.backup;

import io.accordiondb.Checkpoint;
import io.accordiondb.Database;
import io.accordiondb.LogExtent;
import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
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
  private final FileChannel lock;
  private final Checkpoint checkpoint;

  private Staging(Path folder, FileChannel lock, Checkpoint checkpoint) {
    this.folder = folder;
    this.lock = lock;
    this.checkpoint = checkpoint;
  }

  /** Makes a checkpoint; whatever a backup that was killed has left there goes first. */
  static Staging of(Database database, BackupOptions options) throws IOException {
    Path chosen = options.staging();
    if (chosen != null && Folders.isOccupied(chosen)) {
      throw new DirectoryNotEmptyException(
          chosen + " is to hold links while the backup is made, but it is not empty");
    }
    Path folder = chosen == null ? folderFor(database) : chosen;
    FileChannel lock = lockOf(folder);
    Staging made = null;
    try {
      Folders.delete(folder);
      made = new Staging(folder, lock, database.checkpoint(folder, LogExtent.KEPT));
      return made;
    } finally {
      if (made == null) {
        try (lock) {
          Folders.delete(folder);
        }
      }
    }
  }

  /**
   * Locks a folder for links, which is that of all backups of a database, whatever their targets.
   *
   * @throws IOException if another backup, of any process, has it
   */
  private static FileChannel lockOf(Path folder) throws IOException {
    Path file = folder.resolveSibling(folder.getFileName() + ".lock");
    FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    boolean locked = false;
    try {
      locked = channel.tryLock() != null;
    } catch (OverlappingFileLockException e) {
      // Held by this process.
    } finally {
      if (!locked) {
        channel.close();
      }
    }
    if (!locked) {
      throw new IOException(
          "another backup of this database is running; it holds links in " + folder);
    }
    return channel;
  }

  /** Returns which moment the files hold. */
  Checkpoint checkpoint() {
    return checkpoint;
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
    try (lock) {
      Folders.delete(folder);
    }
  }
}
