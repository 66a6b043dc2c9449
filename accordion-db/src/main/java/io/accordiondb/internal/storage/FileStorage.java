// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.storage;

import io.accordiondb.DatabaseLockedException;
import io.accordiondb.NotADatabaseException;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The files of a real file system. Thread-safe.
 *
 * <p>If the file system supports owners, only the owner can access new files and directories. A
 * symbolic link in the place of a file or of a folder below is not followed, but the folder itself
 * may be one. What is no file, such as a pipe, is not opened.
 *
 * <p>A name could lead to an unrelated file if the folder were moved, deleted or replaced while
 * this object has it locked. So every operation that uses a name first checks that the folder is
 * still the locked one, and every sync of a file checks it afterwards, because a sync must not
 * report success for bytes that no name leads to.
 *
 * <p>The threads that fill files ahead end at the latest when the lock is released.
 */
public final class FileStorage implements Storage {
  static final boolean IS_WINDOWS =
      System.getProperty("os.name", "").toLowerCase(Locale.ROOT).contains("windows");

  private static final boolean HAS_PERMISSIONS =
      FileSystems.getDefault().supportedFileAttributeViews().contains("posix");

  private static final Logger LOG = LoggerFactory.getLogger(FileStorage.class);
  private static final Executor CALLER_RUNS = Runnable::run;

  private final Path root;

  /** Whether files may be mapped; null if that has not been determined yet. */
  private volatile @Nullable Boolean mappingGiven;

  /** The lock that this object holds, if any. */
  private volatile @Nullable FolderLock held;

  /**
   * Fills files ahead, and unmaps what is full: threads while the folder is locked, else the thread
   * that appends.
   */
  private volatile Executor ahead = CALLER_RUNS;

  /**
   * Creates access to a folder, which is created if it is missing.
   *
   * @throws NotADatabaseException if the path is a file, or leads over one or over a link to
   *     nothing
   * @throws IllegalArgumentException if the path is not one of the default file system
   */
  public FileStorage(Path path) throws IOException {
    FileSystem files = path.getFileSystem();
    if (files != FileSystems.getDefault()) {
      // Others have no locks, no direct reads and no syncs of folders.
      throw new IllegalArgumentException(
          path
              + " is in a file system of the provider \""
              + files.provider().getScheme()
              + "\", expected the default one; Database.inMemory() needs no files");
    }
    if (Files.exists(path) && !Files.isDirectory(path)) {
      throw new NotADatabaseException(path.toString(), "it is a file");
    }
    new MissingFolders(path, FileStorage::sync, () -> permissions("rwx------")).create();
    this.root = path.toRealPath();
  }

  @Override
  public StorageWriter create(String name) throws IOException {
    return new FileWriter(createFile(name));
  }

  private PositionalFile createFile(String name) throws IOException {
    checkFolder();
    return PositionalFile.open(
        resolve(name),
        Set.of(StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW),
        permissions("rw-------"));
  }

  @Override
  public StorageWriter createFilled(String name, long bytes) throws IOException {
    Boolean given = mappingGiven;
    if (given == null) {
      given = MappingSupport.isGiven(root);
      mappingGiven = given;
    }
    if (!given) {
      return create(name);
    }
    return new MappedFile(resolve(name), createFile(name), bytes, this::checkFolder, ahead);
  }

  @Override
  public StorageReader open(String name) throws IOException {
    checkFolder();
    checkIsFile(name, attributes(name));
    return reader(resolve(name));
  }

  @Override
  public StorageReader openMapped(String name) throws IOException {
    checkFolder();
    BasicFileAttributes attributes = attributes(name);
    checkIsFile(name, attributes);
    Path path = resolve(name);
    return IS_WINDOWS || attributes.size() < MappedReader.FILE_BYTES_MIN
        ? reader(path)
        : MappedReader.open(path, MappedReader.PIECE_BYTES);
  }

  private static StorageReader reader(Path path) throws IOException {
    return new FileReader(
        path,
        PositionalFile.open(path, Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)));
  }

  /** Checks that the name leads to no pipe, whose opening would wait for one that writes. */
  private void checkIsFile(String name, BasicFileAttributes attributes) throws IOException {
    if (!attributes.isRegularFile()) {
      throw new FileSystemException(path(name), null, "it is not a regular file");
    }
  }

  @Override
  public boolean exists(String name) throws IOException {
    try {
      attributes(name);
      return true;
    } catch (NoSuchFileException e) {
      return false;
    }
  }

  @Override
  public boolean isDirectory(String name) throws IOException {
    try {
      return attributes(name).isDirectory();
    } catch (NoSuchFileException e) {
      return false;
    }
  }

  @Override
  public long size(String name) throws IOException {
    return attributes(name).size();
  }

  @Override
  public List<String> list(String directory) throws IOException {
    checkIsNoLink(directory);
    return FolderEntries.names(resolve(directory));
  }

  @Override
  public void delete(String name) throws IOException {
    checkFolder();
    Files.delete(resolve(name));
  }

  @Override
  public void rename(String from, String to) throws IOException {
    checkFolder();
    Files.move(resolve(from), resolve(to), StandardCopyOption.ATOMIC_MOVE);
  }

  @Override
  public void linkTo(String name, Storage target, String targetName) throws IOException {
    checkFolder();
    if (target instanceof FileStorage files) {
      files.checkFolder();
      try {
        Files.createLink(files.resolve(targetName), resolve(name));
        return;
      } catch (FileAlreadyExistsException | NoSuchFileException e) {
        throw e;
      } catch (IOException | UnsupportedOperationException e) {
        // The target is on another device, or the file system has no links.
        LOG.debug("{} is copied, as it cannot be linked", path(name), e);
      }
    }
    copyTo(name, target, targetName);
  }

  @Override
  public void createDirectories(String directory) throws IOException {
    checkFolder();
    checkIsNoLink(directory);
    MissingFolders.createBelow(root, directory, permissions("rwx------"));
  }

  /**
   * Checks that a folder below is none of another place, whose files are not those of the database.
   */
  private void checkIsNoLink(String directory) throws IOException {
    Path at = root;
    for (Path part : root.relativize(resolve(directory))) {
      at = at.resolve(part);
      if (!at.equals(root) && Files.isSymbolicLink(at)) {
        throw new FileSystemException(
            at.toString(), null, "it is a symbolic link, expected a folder of the database");
      }
    }
  }

  @Override
  public void sync(String name) throws IOException {
    try (PositionalFile file = openToForce(resolve(name))) {
      file.forceData();
    }
    checkFolder();
  }

  /** Opens a file for writing, or for reading if it is a linked one that nobody may write to. */
  private static PositionalFile openToForce(Path path) throws IOException {
    try {
      return PositionalFile.open(path, Set.of(StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS));
    } catch (AccessDeniedException e) {
      return PositionalFile.open(path, Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS));
    }
  }

  @Override
  public void syncDirectory(String directory) throws IOException {
    sync(resolve(directory));
    checkFolder();
  }

  @Override
  public Closeable lock(String name) throws IOException {
    return new Lock(resolve(name));
  }

  @Override
  public Closeable lockToRead(String name) throws IOException {
    Path path = resolve(name);
    boolean exists = exists(name);
    if (Files.isWritable(exists ? path : root)) {
      try {
        return lock(name);
      } catch (DatabaseLockedException e) {
        throw e;
      } catch (IOException e) {
        LOG.debug("{} takes no name of its owner, as if the device were full", path, e);
        exists = exists(name);
      }
    }
    if (!exists) {
      // Nobody can have a lock whose file is missing.
      return () -> {};
    }
    checkIsFile(name, attributes(name));
    return FolderLock.acquireToRead(root, path);
  }

  @Override
  public void checkFolder() throws IOException {
    FolderLock lock = held;
    if (lock != null) {
      lock.check();
    }
  }

  @Override
  public long availableBytes() throws IOException {
    return Files.getFileStore(root).getUsableSpace();
  }

  @Override
  public Object identity() {
    return root;
  }

  @Override
  public Object fileKey(String name) throws IOException {
    Object key = attributes(name).fileKey();
    return key == null ? path(name) : key;
  }

  @Override
  public String path(String name) {
    return resolve(name).toString();
  }

  private BasicFileAttributes attributes(String name) throws IOException {
    return Files.readAttributes(
        resolve(name), BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
  }

  private Path resolve(String name) {
    Path path = root.resolve(name).normalize();
    if (!path.startsWith(root)) {
      throw new IllegalArgumentException(name + " leads out of " + root);
    }
    return path;
  }

  private static FileAttribute<?>[] permissions(String permissions) {
    return HAS_PERMISSIONS
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
        }
        : new FileAttribute<?>[0];
  }

  /** Windows stores names durably by itself, and offers no way to force them. */
  static void sync(Path directory) throws IOException {
    if (!IS_WINDOWS) {
      try (PositionalFile file = PositionalFile.open(directory, Set.of(StandardOpenOption.READ))) {
        file.forceAll();
      }
    }
  }

  /** Allocates nothing while the folder is locked, because an error would leave it locked. */
  private final class Lock implements Closeable {
    private final ThreadsAhead threads = new ThreadsAhead();
    private final FolderLock lock;

    Lock(Path path) throws IOException {
      lock = FolderLock.acquire(root, path, permissions("rw-------"));
      held = lock;
      ahead = threads;
    }

    @Override
    public void close() throws IOException {
      try {
        threads.close();
      } finally {
        // If it is closed a second time, it must not change what the next lock has set.
        if (held == lock) {
          ahead = CALLER_RUNS;
          held = null;
        }
        lock.close();
      }
    }
  }

  private final class FileWriter implements StorageWriter {
    private final PositionalFile file;
    private long position;

    FileWriter(PositionalFile file) {
      this.file = file;
    }

    @Override
    public void append(ByteBuffer... buffers) throws IOException {
      for (ByteBuffer buffer : buffers) {
        while (buffer.hasRemaining()) {
          position += file.write(buffer, position);
        }
      }
    }

    @Override
    public long position() {
      return position;
    }

    @Override
    public void sync() throws IOException {
      file.forceData();
      checkFolder();
    }

    @Override
    public void close() throws IOException {
      file.close();
    }
  }
}
