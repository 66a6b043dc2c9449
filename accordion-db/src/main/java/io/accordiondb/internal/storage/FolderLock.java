// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.storage;

import io.accordiondb.DatabaseLockedException;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A held lock on a folder, against other processes by a lock on a file in it.
 *
 * <p>Such a lock belongs to the process, and is lost when the process closes the file even once,
 * through whatever channel. So within the process a set of paths keeps a second attempt from
 * opening the file at all. The file also holds the number of the process, for messages alone.
 */
final class FolderLock implements Closeable {
  /** Locked files of this process: of it there is one, hence the static state. */
  private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

  /** Behind the process's number, because on Windows nobody could read what is locked. */
  private static final long LOCKED_POSITION = 1L << 40;

  private static final int PID_BYTES_MAX = 20;

  private final Path path;
  private final PositionalFile file;
  private final AtomicBoolean closed = new AtomicBoolean();

  private FolderLock(Path path, PositionalFile file) {
    this.path = path;
    this.file = file;
  }

  static FolderLock acquire(Path folder, Path path, FileAttribute<?>... attributes)
      throws IOException {
    if (!HELD.add(path)) {
      throw new DatabaseLockedException(folder.toString(), "in this process");
    }
    boolean held = false;
    try {
      PositionalFile file =
          PositionalFile.open(
              path,
              Set.of(
                  StandardOpenOption.READ,
                  StandardOpenOption.WRITE,
                  StandardOpenOption.CREATE,
                  LinkOption.NOFOLLOW_LINKS),
              attributes);
      try {
        lock(folder, file);
        held = true;
        return new FolderLock(path, file);
      } finally {
        if (!held) {
          file.close();
        }
      }
    } finally {
      if (!held) {
        HELD.remove(path);
      }
    }
  }

  private static void lock(Path folder, PositionalFile file) throws IOException {
    try {
      if (file.tryLock(LOCKED_POSITION) == null) {
        throw new DatabaseLockedException(folder.toString(), "in process " + holderOf(file));
      }
    } catch (OverlappingFileLockException e) {
      // Another class loader has its own set of paths.
      throw new DatabaseLockedException(folder.toString(), "in this process");
    }
    file.truncate(0);
    String pid = Long.toString(ProcessHandle.current().pid());
    file.write(ByteBuffer.wrap(pid.getBytes(StandardCharsets.US_ASCII)), 0);
  }

  private static String holderOf(PositionalFile file) throws IOException {
    ByteBuffer pid = ByteBuffer.allocate(PID_BYTES_MAX);
    file.read(pid, 0);
    return new String(pid.array(), 0, pid.position(), StandardCharsets.US_ASCII);
  }

  @Override
  public void close() throws IOException {
    if (closed.compareAndSet(false, true)) {
      try {
        file.close();
      } finally {
        HELD.remove(path);
      }
    }
  }
}
