// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.backup;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The lock of a folder for links. All backups of a database share the folder beside it, whatever
 * their targets. The file of the lock stays, and is never written to, because it may belong to
 * other software.
 *
 * <p>A process that closes a file loses all its locks of that file, whichever channel took them. So
 * a second attempt of this process does not open the file.
 */
final class StagingLock implements Closeable {
  private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

  private final Path file;
  private final FileChannel channel;

  private StagingLock(Path file, FileChannel channel) {
    this.file = file;
    this.channel = channel;
  }

  /**
   * Locks a folder, which need not exist.
   *
   * @throws IOException if another backup, of any process, has it
   */
  static StagingLock of(Path folder) throws IOException {
    Path parent = Objects.requireNonNull(folder.toAbsolutePath().getParent(), "parent");
    Path file = parent.toRealPath().resolve(folder.getFileName() + ".lock");
    if (!HELD.add(file)) {
      throw isRunning(folder);
    }
    StagingLock taken = null;
    try {
      FileChannel channel =
          FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      if (!isLocked(channel)) {
        channel.close();
        throw isRunning(folder);
      }
      taken = new StagingLock(file, channel);
      return taken;
    } finally {
      if (taken == null) {
        HELD.remove(file);
      }
    }
  }

  private static boolean isLocked(FileChannel channel) throws IOException {
    boolean failed = true;
    try {
      boolean locked = channel.tryLock() != null;
      failed = false;
      return locked;
    } catch (OverlappingFileLockException e) {
      // Another class loader has this class, too.
      failed = false;
      return false;
    } finally {
      if (failed) {
        channel.close();
      }
    }
  }

  private static IOException isRunning(Path folder) {
    return new IOException(
        "another backup of this database is running; it holds links in " + folder);
  }

  @Override
  public void close() throws IOException {
    try {
      channel.close();
    } finally {
      HELD.remove(file);
    }
  }
}
