// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.backup;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.Closeable;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
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

  /** Unlike a channel, an interrupt of its thread does not close it. */
  private final RandomAccessFile content;

  private StagingLock(Path file, RandomAccessFile content) {
    this.file = file;
    this.content = content;
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
      RandomAccessFile content = new RandomAccessFile(file.toFile(), "rw");
      if (!isLocked(content)) {
        content.close();
        throw isRunning(folder);
      }
      taken = new StagingLock(file, content);
      return taken;
    } finally {
      if (taken == null) {
        HELD.remove(file);
      }
    }
  }

  private static boolean isLocked(RandomAccessFile content) throws IOException {
    boolean failed = true;
    try {
      boolean locked = content.getChannel().tryLock() != null;
      failed = false;
      return locked;
    } catch (OverlappingFileLockException e) {
      // Another class loader has this class, too.
      failed = false;
      return false;
    } finally {
      if (failed) {
        content.close();
      }
    }
  }

  private static IOException isRunning(Path folder) {
    return new IOException(
        "another backup of this database is running; it holds links in " + folder);
  }

  /** Returns whether the folder may hold links that a backup has left. */
  boolean mayHoldLinks() throws IOException {
    return content.length() > 0;
  }

  /** Says durably whether the folder may hold links. */
  void setMayHoldLinks(boolean may) throws IOException {
    content.setLength(0);
    if (may) {
      content.write(LINKS);
    }
    content.getFD().sync();
  }

  @Override
  public void close() throws IOException {
    try {
      content.close();
    } finally {
      HELD.remove(file);
    }
  }
}
