// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.backup;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The lock of a folder for links. All backups of a database share the folder beside it, whatever
 * their targets. The file of the lock stays, and is never written to, because it may belong to
 * other software.
 *
 * <p>A process that closes a file loses all its locks of that file, whichever channel took them. So
 * a second attempt of this process does not open the file, and one of another class loader, which
 * has its own static fields, does not close it.
 */
final class StagingLock implements Closeable {
  private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

  /**
   * Files whose locks another class loader of this process held at the last attempt, by path and
   * identity: the file may have been deleted since, and its lock would keep nobody out.
   */
  private static final Map<String, FileChannel> KEPT_OPEN = new ConcurrentHashMap<>();

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
      FileChannel kept = KEPT_OPEN.remove(keptName(file));
      FileChannel channel =
          kept == null
              ? FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)
              : kept;
      if (!isLocked(file, channel)) {
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

  /** Locks a file, or closes it, unless that would end the lock of another class loader. */
  private static boolean isLocked(Path file, FileChannel channel) throws IOException {
    boolean keepsOpen = false;
    try {
      keepsOpen = channel.tryLock() != null;
      return keepsOpen;
    } catch (OverlappingFileLockException e) {
      keepsOpen = true;
      KEPT_OPEN.put(keptName(file), channel);
      return false;
    } finally {
      if (!keepsOpen) {
        channel.close();
      }
    }
  }

  private static String keptName(Path file) {
    Object identity;
    try {
      identity = Files.readAttributes(file, BasicFileAttributes.class).fileKey();
    } catch (IOException e) {
      // It is missing, so no name leads to what is kept open.
      identity = UUID.randomUUID();
    }
    return file + " " + identity;
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
