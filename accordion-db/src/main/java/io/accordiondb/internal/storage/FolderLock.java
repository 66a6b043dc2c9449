// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.storage;

import io.accordiondb.DatabaseLockedException;
import io.accordiondb.internal.pause.Pause;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A held lock on a folder. It has three guards, because each of them alone can be bypassed:
 *
 * <ul>
 *   <li>A lock of the operating system on a file in the folder keeps other processes out. It
 *       belongs to the process, and is lost when the process closes the file even once, through any
 *       channel.
 *   <li>So a second attempt in the same process must not even open the file. {@link ClaimedNames}
 *       holds the identities (device and inode, where there are such) of the folder and of the
 *       file: they are the same for every path that leads there and for every class loader.
 *   <li>The file names its owner ({@link LockOwner}). If other code has opened and closed the file,
 *       or if the folder is reached through another file system, the thread that acquires the lock
 *       finds that its owner is still alive.
 * </ul>
 *
 * <p>A process that dies leaves the file behind. That is harmless: the lock of the operating system
 * ends with the process, and the owner in the file is dead.
 */
final class FolderLock implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(FolderLock.class);

  /** The locked byte is behind the owner, because locked bytes cannot be read on Windows. */
  private static final long LOCKED_POSITION = 1L << 40;

  /** With what no number of a process begins. */
  private static final byte NO_NUMBER = 'x';

  /** A process that ends releases its locks shortly before the system reports its end. */
  private static final long ENDING_NANOS_MAX = TimeUnit.SECONDS.toNanos(1);

  private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

  private final Path path;
  private final @Nullable Object fileKey;
  private final PositionalFile file;

  /** Whether the file names this owner. */
  private final boolean isNamed;

  /** The properties of the names that are claimed. */
  private final Deque<String> claims;

  private final AtomicBoolean closed = new AtomicBoolean();

  private FolderLock(Path path, PositionalFile file, boolean isNamed, Deque<String> claims)
      throws IOException {
    this.path = path;
    this.fileKey = attributesOf(path).fileKey();
    this.file = file;
    this.isNamed = isNamed;
    this.claims = claims;
  }

  /**
   * Locks a folder.
   *
   * @param path of the file that carries the lock; created if it is missing
   * @throws DatabaseLockedException if the folder is locked
   */
  static FolderLock acquire(Path folder, Path path, FileAttribute<?>... attributes)
      throws IOException {
    try {
      return acquire(folder, path, true, attributes);
    } catch (NoSuchFileException e) {
      if (Files.isDirectory(folder)) {
        // The last owner has deleted the file just now.
        DatabaseLockedException locked =
            new DatabaseLockedException(folder.toString(), "in another process");
        locked.initCause(e);
        throw locked;
      }
      throw e;
    }
  }

  /**
   * Locks a folder in which nothing can be written. The file does not name this owner, so the lock
   * keeps out only those that the operating system's lock keeps out.
   *
   * @param path of the file that carries the lock, which exists
   * @throws DatabaseLockedException if the folder is locked
   */
  static FolderLock acquireToRead(Path folder, Path path) throws IOException {
    return acquire(folder, path, false);
  }

  private static FolderLock acquire(
      Path folder, Path path, boolean mayWrite, FileAttribute<?>... attributes) throws IOException {
    Deque<String> claims = new ArrayDeque<>();
    boolean held = false;
    try {
      // Claim the folder first. From then on, no other thread of this process creates the file.
      claim(folder, identityOf(folder), claims);
      if (mayWrite) {
        create(path, attributes);
      }
      String identity = identityOf(path);
      claim(folder, identity, claims);
      String token = UUID.randomUUID().toString();
      claim(folder, token, claims);
      PositionalFile file = lockedFile(folder, path, identity, mayWrite ? token : null);
      try {
        FolderLock lock = new FolderLock(path, file, mayWrite, claims);
        if (!identityOf(path).equals(identity)) {
          // The last owner has deleted the file that is open here, and another has created one.
          throw new DatabaseLockedException(folder.toString(), "in another process");
        }
        held = true;
        return lock;
      } finally {
        if (!held) {
          // Else the operating system would keep out all later attempts of this process.
          try (file) {
            if (mayWrite) {
              removeOwnerQuietly(file);
            }
          }
        }
      }
    } finally {
      if (!held) {
        release(claims);
      }
    }
  }

  private static String identityOf(Path path) throws IOException {
    Object key = attributesOf(path).fileKey();
    return key == null ? path.toString() : key.toString();
  }

  private static void claim(Path folder, String name, Deque<String> claims) throws IOException {
    String property = ClaimedNames.propertyOf(name);
    if (!ClaimedNames.claim(name)) {
      throw ClaimedNames.isClaimedElsewhere(property)
          ? new DatabaseLockedException(
              folder.toString(),
              "in this process, by another class loader, as the system property "
                  + property
                  + " says")
          : inThisProcess(folder);
    }
    claims.push(property);
  }

  /** Allocates nothing, because a claim that an error leaves lasts until the process ends. */
  private static void release(Deque<String> claims) {
    while (!claims.isEmpty()) {
      ClaimedNames.release(claims.pop());
    }
  }

  private static void create(Path path, FileAttribute<?>... attributes) throws IOException {
    try {
      Files.createFile(path, attributes);
    } catch (FileAlreadyExistsException e) {
      LOG.debug("{} exists already", path);
    }
  }

  /** Opens and locks the file; without a token it is only read. */
  private static PositionalFile lockedFile(
      Path folder, Path path, String identity, @Nullable String token) throws IOException {
    Set<OpenOption> options =
        new HashSet<>(Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS));
    if (token != null) {
      options.add(StandardOpenOption.WRITE);
    }
    String keptName = options.size() + " " + identity;
    PositionalFile kept = ClaimedNames.takeKept(keptName);
    PositionalFile file = kept == null ? PositionalFile.open(path, options) : kept;
    boolean held = false;
    boolean mayClose = true;
    try {
      lock(folder, file, token);
      held = true;
      return file;
    } catch (OverlappingFileLockException e) {
      // Code has cleared the system properties, and with them the claims of the holder. Closing the
      // file would end the holder's lock. The next attempt takes it, so there is only one.
      mayClose = false;
      ClaimedNames.keepOpen(keptName, file);
      throw inThisProcess(folder);
    } finally {
      if (!held && mayClose) {
        file.close();
      }
    }
  }

  private static void lock(Path folder, PositionalFile file, @Nullable String token)
      throws IOException {
    // The operating system gives only a shared lock to one that cannot write.
    boolean locked = file.tryLock(LOCKED_POSITION, token == null) != null;
    String text = read(file);
    LockOwner owner = LockOwner.parse(text);
    if (!locked || (owner != null && staysAlive(owner))) {
      String pid = text.lines().findFirst().orElse("");
      throw new DatabaseLockedException(
          folder.toString(), pid.isEmpty() ? "in another process" : "in process " + pid);
    }
    if (token == null) {
      return;
    }
    boolean named = false;
    try {
      name(file, token);
      named = true;
    } finally {
      if (!named) {
        removeOwnerQuietly(file);
      }
    }
  }

  private static void name(PositionalFile file, String token) throws IOException {
    file.truncate(0);
    String record = LockOwner.thisProcess(token).encode();
    ByteBuffer bytes = ByteBuffer.wrap(record.getBytes(StandardCharsets.UTF_8));
    for (long at = 0; bytes.hasRemaining(); ) {
      at += file.write(bytes, at);
    }
  }

  /** Removes this owner after a failure, which says more than another one would. */
  private static void removeOwnerQuietly(PositionalFile file) {
    try {
      removeOwner(file);
    } catch (IOException e) {
      LOG.warn("a lock file names this process, which does not hold the lock", e);
    }
  }

  /** Removes the owner: while it runs, its name keeps other processes out. */
  private static void removeOwner(PositionalFile file) throws IOException {
    try {
      file.truncate(0);
    } catch (IOException e) {
      LOG.debug("a lock file cannot be emptied", e);
      makeUnreadable(file);
    }
  }

  /** Overwrites the beginning of the owner, so that the file names none. */
  static void makeUnreadable(PositionalFile file) throws IOException {
    file.write(ByteBuffer.wrap(new byte[] {NO_NUMBER}), 0);
  }

  private static String read(PositionalFile file) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(LockOwner.BYTES_MAX);
    file.read(bytes, 0);
    return new String(bytes.array(), 0, bytes.position(), StandardCharsets.UTF_8);
  }

  private static boolean staysAlive(LockOwner owner) {
    long begin = System.nanoTime();
    while (owner.isAlive()) {
      if (System.nanoTime() - begin > ENDING_NANOS_MAX) {
        return true;
      }
      Pause.uninterruptibly(POLL_NANOS);
    }
    return false;
  }

  private static DatabaseLockedException inThisProcess(Path folder) {
    return new DatabaseLockedException(folder.toString(), "in this process");
  }

  private static BasicFileAttributes attributesOf(Path path) throws IOException {
    return Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
  }

  /**
   * Checks that the path still leads to the locked file: if not, the folder was moved, deleted or
   * replaced, and its other names may lead to unrelated files.
   */
  void check() throws IOException {
    Object found;
    try {
      found = attributesOf(path).fileKey();
    } catch (IOException e) {
      throw new IOException(
          path + " cannot be found any more: the folder was moved or deleted while it was open", e);
    }
    if (fileKey != null && !fileKey.equals(found)) {
      throw new IOException(path + " is another file: the folder was replaced while it was open");
    }
  }

  @Override
  public void close() throws IOException {
    if (closed.compareAndSet(false, true)) {
      try (file) {
        if (isNamed) {
          removeOwner(file);
        }
      } finally {
        release(claims);
      }
    }
  }
}
