// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.backup;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The lock of a folder for links. All backups of a database share the folder beside it, whatever
 * their targets.
 *
 * <p>Its file is empty, except while the folder may hold links: so what a killed backup has left
 * there is told from the files of others.
 *
 * <p>A process that closes a file loses all its locks of that file, whichever channel took them. So
 * a second attempt of this process does not open the file.
 */
final class StagingLock implements Closeable {
  private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

  private static final byte[] LINKS = "links\n".getBytes(US_ASCII);

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

  /** Returns whether the folder may hold links that a backup has left. */
  boolean mayHoldLinks() throws IOException {
    return channel.size() > 0;
  }

  /** Says durably whether the folder may hold links. */
  void setMayHoldLinks(boolean may) throws IOException {
    channel.truncate(0);
    if (may) {
      channel.write(ByteBuffer.wrap(LINKS), 0);
    }
    channel.force(true);
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
