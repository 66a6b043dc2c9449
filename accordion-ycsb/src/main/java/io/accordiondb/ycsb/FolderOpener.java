// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.ycsb;

import java.io.IOException;
import java.nio.file.Path;

/**
 * Opens a resource in a folder.
 *
 * @param <T> type of the resource
 */
@FunctionalInterface
public interface FolderOpener<T> {
  /**
   * Opens a folder.
   *
   * @param folder the absolute path of the folder
   * @return the open resource
   * @throws IOException if the folder cannot be opened
   */
  T open(Path folder) throws IOException;
}
