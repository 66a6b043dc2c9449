// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

/**
 * How the records of the log reach the operating system. Either way they survive the end of the
 * process once a write of {@link Durability#SYNC} has returned, and a loss of power once a write of
 * {@link Durability#FSYNC} has returned. The latter depends on the sync of the operating system:
 * the JDK calls {@code fdatasync} on Linux, {@code F_FULLFSYNC} on macOS ({@code fsync} if the file
 * system does not support that), and {@code FlushFileBuffers} on Windows.
 */
public enum LogWriting {
  /**
   * Writes records with a system call for each write, or for several writes that wait at the same
   * time.
   *
   * <p>A loss of power is expected to take what was not synced from the end of a file. If it takes
   * earlier bytes and leaves later ones, as some file systems may let it, the database takes that
   * for damage and does not open; {@link RecoveryMode#POINT_IN_TIME} then loses nothing that was
   * synced. {@link #MAPPED} accepts such a file.
   */
  PLAIN,

  /**
   * Stores records into a mapping of a file that was filled with zeros before, which needs no
   * system call.
   *
   * <p>Files are mapped on Linux, on ext2, ext3, ext4, XFS, JFS and tmpfs, which overwrite blocks
   * in place. So the zeros reserve the room: a full disk makes the filling of the next piece fail,
   * and a sync of the file covers what was stored. Everywhere else records are written as by {@link
   * #PLAIN}, and opening a database logs a message that says so: on macOS and Windows, on file
   * systems that write changed blocks to new places (Btrfs, ZFS, bcachefs, APFS), on network file
   * systems, on FUSE, and on overlays, such as a container's own layer, where the file system below
   * is unknown.
   *
   * <p>If the device still refuses a stored page, because it is defective or because a volume below
   * the file system has no room, the write that stored it fails, and the database takes no more
   * writes.
   */
  MAPPED
}
