// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.storage;

import java.io.Closeable;
import java.io.IOException;
import java.util.List;

/**
 * Files below one folder. Thread-safe.
 *
 * <p>Written bytes survive the process; only {@link StorageWriter#sync} makes them survive a loss
 * of power, and only {@link #syncDirectory} does so for names created, renamed or deleted.
 */
public interface Storage {
  /** Creates a file, which must not exist, for appending. */
  StorageWriter create(String name) throws IOException;

  /** Opens a file for reading. */
  StorageReader open(String name) throws IOException;

  /** Returns whether a file or directory exists. */
  boolean exists(String name) throws IOException;

  /** Returns the names, without path, of the files and directories in a directory, in order. */
  List<String> list(String directory) throws IOException;

  /** Deletes a file. */
  void delete(String name) throws IOException;

  /** Gives a file another name in one step, in the place of a file that has it. */
  void rename(String from, String to) throws IOException;

  /** Creates a directory and those above it, unless they exist. */
  void createDirectories(String directory) throws IOException;

  /** Makes the names in a directory durable; the root is "". */
  void syncDirectory(String directory) throws IOException;

  /**
   * Locks the folder against other instances and processes until the lock is closed.
   *
   * @throws io.accordiondb.DatabaseLockedException if it is locked
   */
  Closeable lock(String name) throws IOException;

  /** Returns the full path of a file, for messages. */
  String path(String name);
}
