// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.backup;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Map;

/**
 * Where backups are kept: named objects, as an object store has them. Names consist of ASCII
 * letters, digits, dots, hyphens and slashes. Implementations are thread-safe; their {@code
 * toString} names the place for messages.
 *
 * <p>An object that was written is listed and read by whoever asks later.
 */
public interface BackupTarget {
  /**
   * Returns backups in a folder, which is created by the first one.
   *
   * <pre>{@code
   * Backups backups = Backups.at(BackupTarget.folder(Path.of("/backups/carts")));
   * }</pre>
   */
  static BackupTarget folder(Path folder) {
    return new FolderTarget(folder);
  }

  /**
   * Writes an object, wholly or not at all, and in place of one with this name.
   *
   * @param content exactly {@code bytes} bytes; the caller closes it
   */
  void write(String name, InputStream content, long bytes) throws IOException;

  /**
   * Writes a small object unless there is one with this name.
   *
   * @return whether it was written; of several callers at a time only one is told so
   */
  boolean writeNew(String name, byte[] content) throws IOException;

  /**
   * Opens an object for reading; the caller closes it.
   *
   * @throws java.nio.file.NoSuchFileException if there is none with this name
   */
  InputStream read(String name) throws IOException;

  /** Returns the names of all objects that begin with a prefix, and their sizes in bytes. */
  Map<String, Long> list(String prefix) throws IOException;

  /** Deletes an object, if there is one with this name. */
  void delete(String name) throws IOException;
}
