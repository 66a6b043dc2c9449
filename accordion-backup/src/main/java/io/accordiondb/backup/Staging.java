// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.backup;

import io.accordiondb.Checkpoint;
import io.accordiondb.Database;
import io.accordiondb.LogExtent;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A checkpoint of a database, which keeps its files while they are copied. Links to them cost no
 * space until the database itself deletes them.
 */
final class Staging implements Closeable {
  /** The folder for links in another one. Its name alone says that a backup has filled it. */
  private static final String LINKS = "accordion-backup-links";

  private final Place place;
  private final Path folder;
  private final StagingLock lock;
  private final Checkpoint checkpoint;

  private Staging(Place place, StagingLock lock, Checkpoint checkpoint) {
    this.place = place;
    this.folder = place.folder;
    this.lock = lock;
    this.checkpoint = checkpoint;
  }

  /** Makes a checkpoint, after it has deleted what a killed backup has left there. */
  static Staging of(Database database, BackupTarget target, BackupOptions options)
      throws IOException {
    Path around = around(database, target, options);
    Place place = around == null ? temporaryPlace() : placeIn(around);
    StagingLock lock = StagingLock.of(around == null ? place.folder : around);
    Staging made = null;
    try {
      Folders.delete(place.folder);
      made = new Staging(place, lock, database.checkpoint(place.folder, LogExtent.KEPT));
      return made;
    } finally {
      if (made == null) {
        place.clear(lock);
      }
    }
  }

  /**
   * Checks that backups are not in the folder around a checkpoint: they would be in its way, or be
   * deleted with it.
   */
  static void checkApart(Database database, FolderTarget backups, BackupOptions options)
      throws IOException {
    Path around = around(database, backups, options);
    if (around != null && Folders.isWithin(backups.folder(), around)) {
      throw new IOException(
          backups.folder()
              + " is in "
              + around
              + ", which is to hold links; give another folder to the backups");
    }
  }

  private static Place temporaryPlace() throws IOException {
    Path temporary = Files.createTempDirectory("accordion-backup");
    return new Place(temporary.resolve(LINKS), null, temporary);
  }

  /** Returns a place in a folder that holds nothing, or what a killed backup has left. */
  private static Place placeIn(Path around) throws IOException {
    if (Files.isSymbolicLink(around)) {
      throw new IOException(
          around
              + " is to hold links, but is a symbolic link itself, and would be deleted at the end;"
              + " give a folder");
    }
    if (Files.exists(around)) {
      try (Stream<Path> entries = Files.list(around)) {
        if (!entries.allMatch(entry -> entry.endsWith(LINKS))) {
          throw new DirectoryNotEmptyException(
              around
                  + " is to hold links while the backup is made, but it is not empty;"
                  + " move what it holds to another folder, or delete the folder if an earlier"
                  + " version has left a checkpoint there in a backup that was killed");
        }
      } catch (NoSuchFileException e) {
        // Another backup of the database has just ended. Its lock is asked for next.
      }
    }
    return new Place(around.resolve(LINKS), around, null);
  }

  /**
   * Where the files are.
   *
   * @param folder the folder of the files, which is deleted with all it holds
   * @param around the folder around it, which is deleted unless others have put files there; null
   *     for none
   * @param temporary a folder that holds that of the files and its lock, and is deleted with them;
   *     null for none
   */
  private record Place(Path folder, @Nullable Path around, @Nullable Path temporary) {
    void clear(StagingLock lock) throws IOException {
      try (lock) {
        Folders.delete(folder);
        if (around != null) {
          deleteIfEmpty(around);
        }
      }
      if (temporary != null) {
        Folders.delete(temporary);
      }
    }

    private static void deleteIfEmpty(Path folder) throws IOException {
      try {
        Files.deleteIfExists(folder);
      } catch (DirectoryNotEmptyException e) {
        // What others have put there stays.
      }
    }
  }

  /** Returns the moment that the files hold. */
  Checkpoint checkpoint() {
    return checkpoint;
  }

  /** Returns the folder around that of the files; null for a temporary one. */
  private static @Nullable Path around(
      Database database, BackupTarget target, BackupOptions options) {
    Optional<Path> folder = database.folder();
    if (options.staging() != null || folder.isEmpty()) {
      return options.staging();
    }
    Path own = folder.get().toAbsolutePath().normalize();
    Path name = Objects.requireNonNull(own.getFileName(), "a root folder holds no database");
    Path beside = own.resolveSibling("." + name + ".backup");
    if (target instanceof FolderTarget backups && !mayHoldLinks(own)) {
      Path links = backups.sibling(".links");
      return links == null ? beside : links;
    }
    return beside;
  }

  /**
   * Returns whether a folder for links can be beside a database. It cannot if nothing can be
   * written there, or if the database is a file system of its own: then files are copied, which
   * takes space, and the place for that is where the backups are.
   */
  private static boolean mayHoldLinks(Path database) {
    Path parent = Objects.requireNonNull(database.getParent(), "parent");
    try {
      return Files.isWritable(parent)
          && Files.getFileStore(parent).equals(Files.getFileStore(database));
    } catch (IOException e) {
      // Not every container tells of its file systems.
      return true;
    }
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
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  Path file(String name) {
    return folder.resolve(name);
  }

  @Override
  public void close() throws IOException {
    place.clear(lock);
  }
}
