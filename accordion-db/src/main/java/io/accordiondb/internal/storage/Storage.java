// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.storage;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Files below one folder. Thread-safe.
 *
 * <p>Names are relative to the folder, with '/' between their parts; "" is the folder itself.
 *
 * <p>Written bytes survive the process. After a power failure only those bytes are certain for
 * which {@link StorageWriter#sync} or {@link #sync} has returned, and those changes of names
 * (created, renamed or deleted) for which {@link #syncDirectory} of their directory has returned.
 * Anything else may be missing, in any combination.
 */
public interface Storage {
  /** The number of bytes that are copied at a time. */
  int COPY_BYTES = 1 << 20;

  /**
   * Creates an empty file for appending, readable by its owner alone.
   *
   * @throws java.nio.file.FileAlreadyExistsException if the name is taken
   */
  StorageWriter create(String name) throws IOException;

  /**
   * Creates a file that stays empty: its name says all. A storage that encrypts needs no key for
   * it.
   *
   * @throws java.nio.file.FileAlreadyExistsException if the name is taken
   */
  default void createEmpty(String name) throws IOException {
    create(name).close();
  }

  /**
   * Creates a file like {@link #create} that is filled with zeros before bytes are appended.
   * Appends replace the zeros, if possible without a system call. A loss of power may keep any of
   * the bytes that were not synced, not only the first ones; the others are zeros or garbage.
   * Closing cuts the file off behind the appended bytes.
   *
   * @param bytes expected number of bytes to be appended; the file grows beyond it if necessary
   */
  default StorageWriter createFilled(String name, long bytes) throws IOException {
    return create(name);
  }

  /**
   * Opens a file for reading.
   *
   * @throws java.nio.file.NoSuchFileException if there is none
   */
  StorageReader open(String name) throws IOException;

  /**
   * Opens for reading a file that no longer changes, and maps it where possible. The caller must
   * close the reader only when no thread reads.
   *
   * @throws java.nio.file.NoSuchFileException if there is none
   */
  default StorageReader openMapped(String name) throws IOException {
    return open(name);
  }

  /** Returns whether a file or directory exists. */
  boolean exists(String name) throws IOException;

  /** Returns whether a directory exists. */
  boolean isDirectory(String name) throws IOException;

  /**
   * Returns the length of a file in bytes.
   *
   * @throws java.nio.file.NoSuchFileException if there is none
   */
  long size(String name) throws IOException;

  /** Returns how many bytes a file takes, which may be more than its size if it is encrypted. */
  default long storedBytes(String name) throws IOException {
    return size(name);
  }

  /**
   * Returns the names, without path, of the files and directories in a directory, in order.
   *
   * @throws java.nio.file.NoSuchFileException if there is no such directory
   */
  List<String> list(String directory) throws IOException;

  /**
   * Deletes a file.
   *
   * @throws java.nio.file.NoSuchFileException if there is none
   */
  void delete(String name) throws IOException;

  /** Renames a file atomically, replacing a file that has the new name. */
  void rename(String from, String to) throws IOException;

  /**
   * Gives a file a second name in another storage: by a hard link where the file system allows it,
   * otherwise by a copy that is forced to the device. A link shares the bytes, so the file must not
   * be written to any more.
   *
   * @throws java.nio.file.FileAlreadyExistsException if the name is taken there
   */
  default void linkTo(String name, Storage target, String targetName) throws IOException {
    copyTo(name, target, targetName);
  }

  /**
   * Copies a file into another storage, and forces the copy to the device.
   *
   * @throws java.nio.file.FileAlreadyExistsException if the name is taken there
   */
  default void copyTo(String name, Storage target, String targetName) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate(COPY_BYTES);
    try (StorageReader reader = open(name);
        StorageWriter writer = target.create(targetName)) {
      long size = reader.size();
      for (long at = 0; at < size; at += buffer.limit()) {
        buffer.clear().limit((int) Math.min(buffer.capacity(), size - at));
        reader.readFully(buffer, at);
        writer.append(buffer.flip());
      }
      writer.sync();
    }
  }

  /** Creates a directory and those above it, unless they exist. */
  void createDirectories(String directory) throws IOException;

  /** Forces to the device what any process has written to a file that exists. */
  void sync(String name) throws IOException;

  /** Makes the names in a directory durable. */
  void syncDirectory(String directory) throws IOException;

  /**
   * Locks the folder against other instances and processes until the lock is closed.
   *
   * @param name the file that carries the lock; no other code may open it
   * @throws io.accordiondb.DatabaseLockedException if it is locked
   */
  Closeable lock(String name) throws IOException;

  /**
   * Same as {@link #lock}, for a caller that only reads. So the folder may also be one in which
   * nothing can be written.
   */
  default Closeable lockToRead(String name) throws IOException {
    return lock(name);
  }

  /**
   * Checks that the folder that this object has locked has not been moved, deleted or replaced.
   * Does nothing where that cannot happen or if no folder is locked.
   */
  default void checkFolder() throws IOException {}

  /** Returns whether all files cease to exist when the lock is released. */
  default boolean isVolatile() {
    return false;
  }

  /** Returns how many bytes may still be written, as the file system reports it. */
  long availableBytes() throws IOException;

  /** Returns an object that is equal for all storages of the same folder in this process. */
  default Object identity() {
    return this;
  }

  /** Returns an object that is equal for all names of a file, as far as the storage knows them. */
  default Object fileKey(String name) throws IOException {
    return path(name);
  }

  /** Returns the full path of a file, for messages. */
  String path(String name);
}
