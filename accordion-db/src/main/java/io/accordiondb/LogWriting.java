// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

/**
 * How the records of the log reach the operating system. Either way they survive the death of the
 * process once a write of {@link Durability#SYNC} has returned, and a loss of power once one of
 * {@link Durability#FSYNC} has. The second holds as far as a sync of the operating system does: the
 * JDK asks for it by {@code fdatasync} on Linux, by {@code F_FULLFSYNC} on macOS (by {@code fsync}
 * where a file system does not know that), and by {@code FlushFileBuffers} on Windows.
 */
public enum LogWriting {
  /** By a system call for each write, or for several that wait at the same time. */
  PLAIN,

  /**
   * By storing them into a mapping of a file that is filled with zeros before, which takes no
   * system call.
   *
   * <p>Files are mapped on Linux, on ext2, ext3, ext4, XFS, JFS and tmpfs, which overwrite in place
   * what was written: the zeros reserve the room, so that a full disk fails the filling of the next
   * piece, and a sync of the file covers what was stored. Everywhere else this is the same as
   * {@link #PLAIN}, and a line of the log output says so when a database is opened: on macOS and
   * Windows, on file systems that write changed blocks to new places (Btrfs, ZFS, bcachefs, APFS),
   * on network file systems, on FUSE, and on overlays, such as a container's own layer, where the
   * file system below is unknown.
   *
   * <p>If the device refuses a stored page nevertheless, because it is defective or because a
   * volume below the file system has no room, the write that stored it fails, and the database
   * takes no more writes.
   */
  MAPPED
}
