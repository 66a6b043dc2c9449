// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.ycsb;

import java.io.IOException;
import java.nio.file.Path;

/**
 * Opens what a folder holds.
 *
 * @param <T> what is opened
 */
@FunctionalInterface
public interface FolderOpener<T> {
  /** Opens a folder. */
  T open(Path folder) throws IOException;
}
