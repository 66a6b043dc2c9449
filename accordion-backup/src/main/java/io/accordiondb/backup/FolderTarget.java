// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.backup;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps backups in a folder. A write returns once its bytes are on the device, and the deletion of
 * a generation once it is durable.
 */
final class FolderTarget implements BackupTarget {
  private static final Logger LOG = LoggerFactory.getLogger(FolderTarget.class);

  /** Files that are not complete yet; a crash may leave some, which are never listed. */
  private static final String PARTIAL = ".partial";

  private static final Pattern PARTIAL_NAME = Pattern.compile("[0-9a-f-]{36}\\.partial");

  /** The age at which no process is still writing a lock, which has less than a block. */
  private static final Duration LOCK_PARTIAL_AGE = Duration.ofHours(1);

  /** Room for a lock on a full disk: only a deletion makes room, and needs the lock. Not listed. */
  private static final String RESERVE = BackupLock.OBJECTS + "reserve" + PARTIAL;

  private static final int RESERVE_BYTES = 16 << 10;

  /** In older versions, {@code lock} was a file. */
  private static final Set<String> OWN_NAMES =
      Set.of(
          folderOf(FileEntry.OBJECTS),
          folderOf(GenerationRecord.OBJECTS),
          folderOf(BackupLock.OBJECTS),
          "lock");

  /** The contents of locks that this process could not release, by folder. */
  private static final Map<Path, Set<String>> UNRELEASED = new ConcurrentHashMap<>();

  private final Path folder;
  private final NewName.Linker linker;

  FolderTarget(Path folder) {
    this(folder, Files::createLink);
  }

  FolderTarget(Path folder, NewName.Linker linker) {
    this.folder = Objects.requireNonNull(folder, "folder");
    this.linker = linker;
  }

  Path folder() {
    return folder;
  }

  /** Returns the contents of locks that this process could not release. Thread-safe. */
  Set<String> unreleased() {
    return UNRELEASED.computeIfAbsent(
        folder.toAbsolutePath().normalize(), any -> ConcurrentHashMap.newKeySet());
  }

  /** Returns the path of a hidden sibling; null if the folder is a root. */
  @Nullable Path sibling(String ending) {
    Path own = folder.toAbsolutePath().normalize();
    Path name = own.getFileName();
    return name == null ? null : own.resolveSibling("." + name + ending);
  }

  /**
   * Checks that the folder holds backups, or nothing yet, and that nothing else will be in it. What
   * a file manager puts beside backups does not matter.
   *
   * @param database the folder of the database that is backed up; empty if it has none
   * @param staging the folder that is chosen for links, or null
   */
  void checkPlace(Optional<Path> database, @Nullable Path staging) throws IOException {
    if (database.filter(Files::exists).isPresent() && Folders.isWithin(folder, database.get())) {
      throw new IOException(
          folder + " is in the folder of the database; give a folder of its own to the backups");
    }
    if (staging != null && Folders.isWithin(staging, folder)) {
      throw new IOException(
          staging + " is to hold links, but is in the folder of the backups; give another folder");
    }
    if (!Files.exists(folder) || Files.exists(folder.resolve(folderOf(GenerationRecord.OBJECTS)))) {
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
    Path partial = writePartial(name, content, bytes);
    try {
      Files.move(partial, file, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(partial);
    }
    DurableFiles.syncFolder(parentOf(file));
    if (name.startsWith(BackupLock.OBJECTS)) {
      // The lock is released, so there is room if there will be any.
      reserve();
    }
  }

  @Override
  public boolean writeNew(String name, byte[] content) throws IOException {
    Path file = fileOf(name);
    Path partial = writePartial(name, new ByteArrayInputStream(content), content.length);
    try {
      NewName.give(file, partial, linker);
    } catch (FileAlreadyExistsException e) {
      return false;
    } finally {
      deleteLeftover(partial);
    }
    boolean durable = false;
    try {
      DurableFiles.syncFolder(parentOf(file));
      durable = true;
    } finally {
      if (!durable) {
        takeBack(name, file, content);
      }
    }
    return true;
  }

  /** Does not fail, because the object has its name, or a failure to give it says more. */
  private static void deleteLeftover(Path partial) {
    try {
      Files.deleteIfExists(partial);
    } catch (IOException e) {
      LOG.warn("could not delete {}; the next backup deletes it", partial, e);
    }
  }

  /**
   * Deletes an object whose name is not durable, because the caller must not take it for its own. A
   * lock that stays would lock this process out, as it names it.
   */
  private void takeBack(String name, Path file, byte[] content) throws IOException {
    boolean deleted = false;
    try {
      Files.deleteIfExists(file);
      deleted = true;
    } finally {
      if (!deleted && name.startsWith(BackupLock.OBJECTS)) {
        unreleased().add(new String(content, UTF_8));
      }
    }
  }

  private void reserve() {
    Path reserve = fileOf(RESERVE);
    if (!Files.exists(reserve)) {
      try {
        byte[] zeros = new byte[RESERVE_BYTES];
        Files.move(
            writePartial(reserve, new ByteArrayInputStream(zeros), zeros.length),
            reserve,
            StandardCopyOption.ATOMIC_MOVE);
      } catch (IOException e) {
        LOG.debug("no room is reserved for a lock in {}", folder, e);
      }
    }
  }

  private Path writePartial(String name, InputStream content, long bytes) throws IOException {
    if (!name.startsWith(BackupLock.OBJECTS)) {
      return writePartial(fileOf(name), content, bytes);
    }
    byte[] lock = content.readAllBytes();
    try {
      return writePartial(fileOf(name), new ByteArrayInputStream(lock), bytes);
    } catch (IOException e) {
      if (!Files.deleteIfExists(fileOf(RESERVE))) {
        throw e;
      }
      return writePartial(fileOf(name), new ByteArrayInputStream(lock), bytes);
    }
  }

  private static Path writePartial(Path file, InputStream content, long bytes) throws IOException {
    DurableFiles.createFolders(parentOf(file));
    Path partial = file.resolveSibling(UUID.randomUUID() + PARTIAL);
    boolean written = false;
    try (FileChannel channel =
        FileChannel.open(partial, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      OutputStream out = NamedOutput.of(channel, file);
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
    // Links are followed, as they are when an object is read: what is not listed counts as unused.
    Files.walkFileTree(
        root,
        EnumSet.of(FileVisitOption.FOLLOW_LINKS),
        Integer.MAX_VALUE,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            String name = folder.relativize(file).toString().replace('\\', '/');
            if (name.startsWith(prefix) && !name.endsWith(PARTIAL) && attributes.isRegularFile()) {
              found.put(name, attributes.size());
            }
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
            if (e instanceof NoSuchFileException) {
              // Deleted or completed just now, so it need not be listed.
              return FileVisitResult.CONTINUE;
            }
            throw e;
          }
        });
    return found;
  }

  @Override
  public void delete(String name) throws IOException {
    Path file = fileOf(name);
    if (Files.deleteIfExists(file) && name.startsWith(GenerationRecord.OBJECTS)) {
      DurableFiles.syncFolder(parentOf(file));
    }
  }

  @Override
  public void deleteUnfinished() throws IOException {
    forceNames();
    deletePartials(FileEntry.OBJECTS, FileTime.from(Instant.MAX));
    deletePartials(GenerationRecord.OBJECTS, FileTime.from(Instant.MAX));
    // Others may be trying to take the lock now.
    deletePartials(BackupLock.OBJECTS, FileTime.from(Instant.now().minus(LOCK_PARTIAL_AGE)));
  }

  /**
   * Forces the names of all objects, and the deletion of others, to the device: an interrupted call
   * may have changed names that it has not forced, and what comes next relies on them.
   */
  private void forceNames() throws IOException {
    for (String prefix : List.of(FileEntry.OBJECTS, GenerationRecord.OBJECTS)) {
      Path objects = folder.resolve(folderOf(prefix));
      if (Files.isDirectory(objects)) {
        DurableFiles.syncFolder(objects);
      }
    }
    DurableFiles.syncFolder(folder);
  }

  private void deletePartials(String prefix, FileTime changedBefore) throws IOException {
    for (Path file : partials(prefix)) {
      if (isOlder(file, changedBefore)) {
        Files.deleteIfExists(file);
      }
    }
  }

  /** Returns the texts of all objects that are not complete yet, as far as they are written. */
  List<String> unfinished(String prefix) throws IOException {
    List<String> texts = new ArrayList<>();
    for (Path file : partials(prefix)) {
      try {
        texts.add(new String(Files.readAllBytes(file), UTF_8).strip());
      } catch (NoSuchFileException e) {
        // Completed or deleted just now.
      }
    }
    return texts;
  }

  private List<Path> partials(String prefix) throws IOException {
    Path root = folder.resolve(folderOf(prefix));
    List<Path> found = new ArrayList<>();
    if (!Files.isDirectory(root)) {
      return found;
    }
    try (DirectoryStream<Path> files = Files.newDirectoryStream(root, "*" + PARTIAL)) {
      for (Path file : files) {
        if (PARTIAL_NAME.matcher(String.valueOf(file.getFileName())).matches()) {
          found.add(file);
        }
      }
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    return found;
  }

  private static boolean isOlder(Path file, FileTime time) throws IOException {
    try {
      return Files.getLastModifiedTime(file).compareTo(time) < 0;
    } catch (NoSuchFileException e) {
      return false;
    }
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
