// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.backup;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Stream;

/** Keeps backups in a folder. A write returns only when its bytes are on the device. */
final class FolderTarget implements BackupTarget {
  /** Files that are not complete yet; a crash may leave some, which are never listed. */
  private static final String PARTIAL = ".partial";

  private static final Set<String> OWN_NAMES =
      Set.of(folderOf(FileEntry.OBJECTS), folderOf(GenerationRecord.OBJECTS), BackupLock.OBJECT);

  private final Path folder;

  FolderTarget(Path folder) {
    this.folder = Objects.requireNonNull(folder, "folder");
  }

  /**
   * Checks that the folder is one of backups alone, or is still to be made.
   *
   * @param database the folder of the database that is backed up; empty if it has none
   */
  void checkPlace(Optional<Path> database) throws IOException {
    Path place = folder.toAbsolutePath().normalize();
    if (database.isPresent() && place.startsWith(database.get().toAbsolutePath().normalize())) {
      throw new IOException(
          folder + " is in the folder of the database; give a folder of its own to the backups");
    }
    if (!Files.exists(folder)) {
      return;
    }
    try (Stream<Path> entries = Files.list(folder)) {
      for (Path entry : (Iterable<Path>) entries::iterator) {
        String name = String.valueOf(entry.getFileName());
        if (!OWN_NAMES.contains(name) && !name.endsWith(PARTIAL)) {
          throw new IOException(
              folder
                  + " holds other things than backups, for example "
                  + name
                  + "; give a new folder or one of backups");
        }
      }
    }
  }

  @Override
  public void write(String name, InputStream content, long bytes) throws IOException {
    Path file = fileOf(name);
    Path partial = writePartial(file, content, bytes);
    try {
      Files.move(partial, file, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(partial);
    }
    DurableFiles.syncFolder(parentOf(file));
  }

  @Override
  public boolean writeNew(String name, byte[] content) throws IOException {
    Path file = fileOf(name);
    Path partial = writePartial(file, new ByteArrayInputStream(content), content.length);
    try {
      // Unlike a move, a link never replaces anything.
      Files.createLink(file, partial);
    } catch (FileAlreadyExistsException e) {
      return false;
    } finally {
      Files.deleteIfExists(partial);
    }
    DurableFiles.syncFolder(parentOf(file));
    return true;
  }

  private static Path writePartial(Path file, InputStream content, long bytes) throws IOException {
    DurableFiles.createFolders(parentOf(file));
    Path partial = file.resolveSibling(UUID.randomUUID() + PARTIAL);
    boolean written = false;
    try (FileChannel channel =
        FileChannel.open(partial, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      OutputStream out = Channels.newOutputStream(channel);
      long copied = content.transferTo(out);
      if (copied != bytes) {
        throw new IOException(file + ": got " + copied + " bytes, expected " + bytes);
      }
      channel.force(true);
      written = true;
    } finally {
      if (!written) {
        Files.deleteIfExists(partial);
      }
    }
    return partial;
  }

  @Override
  public InputStream read(String name) throws IOException {
    return Files.newInputStream(fileOf(name));
  }

  @Override
  public Map<String, Long> list(String prefix) throws IOException {
    Map<String, Long> found = new TreeMap<>();
    Path root = folder.resolve(prefix.substring(0, prefix.lastIndexOf('/') + 1));
    if (!Files.isDirectory(root)) {
      return found;
    }
    try (Stream<Path> files = Files.walk(root)) {
      for (Path file : (Iterable<Path>) files::iterator) {
        String name = folder.relativize(file).toString().replace('\\', '/');
        if (name.startsWith(prefix) && !name.endsWith(PARTIAL) && Files.isRegularFile(file)) {
          addSize(found, name, file);
        }
      }
    }
    return found;
  }

  private static void addSize(Map<String, Long> found, String name, Path file) throws IOException {
    try {
      found.put(name, Files.size(file));
    } catch (NoSuchFileException e) {
      // Deleted just now, so it need not be listed.
    }
  }

  @Override
  public void delete(String name) throws IOException {
    Files.deleteIfExists(fileOf(name));
  }

  private Path fileOf(String name) {
    return folder.resolve(name);
  }

  private static String folderOf(String prefix) {
    return prefix.substring(0, prefix.length() - 1);
  }

  private static Path parentOf(Path file) {
    return Objects.requireNonNull(file.getParent(), "parent");
  }

  @Override
  public String toString() {
    return folder.toString();
  }
}
