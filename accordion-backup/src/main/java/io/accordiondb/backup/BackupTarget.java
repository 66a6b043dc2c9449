// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.backup;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Map;

/**
 * A place for backups: named objects, as in an object store. Names consist of ASCII letters,
 * digits, dots, hyphens and slashes. Implementations must be thread-safe; messages name the place
 * by {@code toString}.
 *
 * <p>Later calls, of any process, must list and read an object once it has been written.
 */
public interface BackupTarget {
  /**
   * {@return a target in a folder, which the first backup creates}
   *
   * <pre>{@code
   * Backups backups = Backups.at(BackupTarget.folder(Path.of("/backups/carts")));
   * }</pre>
   *
   * @param folder the folder of the backups
   */
  static BackupTarget folder(Path folder) {
    return new FolderTarget(folder);
  }

  /**
   * Writes an object, as a whole or not at all. It replaces an object with this name.
   *
   * @param content exactly {@code bytes} bytes; the caller closes it
   * @param name the name of the object
   * @param bytes the length of the content
   * @throws IOException if the storage fails
   */
  void write(String name, InputStream content, long bytes) throws IOException;

  /**
   * Writes a small object if there is none with this name.
   *
   * @param name the name of the object
   * @param content the content of the object
   * @return whether it was written; of several concurrent callers, only one writes
   * @throws IOException if the storage fails
   */
  boolean writeNew(String name, byte[] content) throws IOException;

  /**
   * Opens an object for reading. The caller must close the stream.
   *
   * @param name the name of the object
   * @return the stream
   * @throws java.nio.file.NoSuchFileException if there is none with this name
   */
  InputStream read(String name) throws IOException;

  /**
   * {@return the names of all objects that begin with a prefix, and their sizes in bytes}
   *
   * @param prefix the beginning of the names; empty for all objects
   * @throws IOException if the storage fails
   */
  Map<String, Long> list(String prefix) throws IOException;

  /**
   * Deletes an object, if there is one with this name. If the name begins with {@code
   * generations/}, a loss of power after the call must not bring the object back, because the files
   * that it names are deleted next.
   *
   * @param name the name of the object
   * @throws IOException if the storage fails
   */
  void delete(String name) throws IOException;

  /**
   * Deletes what interrupted calls of {@link #write} and {@link #writeNew} have left, such as
   * temporary files or incomplete uploads. {@link Backups} calls it when a backup or deletion
   * begins, and no other one can write files or generations then. A lock, whose name begins with
   * {@code locks/}, may be written at any time.
   *
   * <p>The default does nothing, for targets in which an interrupted call leaves nothing.
   *
   * @throws IOException if the storage fails
   */
  default void deleteUnfinished() throws IOException {}
}
