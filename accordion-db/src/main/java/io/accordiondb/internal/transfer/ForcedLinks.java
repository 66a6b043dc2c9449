// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.transfer;

import io.accordiondb.internal.storage.Storage;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Gives a file of any folder a name in a database, with its bytes on the device. Thread-safe.
 *
 * <p>After a failed force, an operating system may take the pages that it could not write for
 * clean. Another force of the same file then does nothing and succeeds, so such a file is copied.
 */
final class ForcedLinks {
  /**
   * The files that are being forced, and those that could not be forced. These may be given again
   * for as long as the process runs.
   */
  private static final Set<Object> UNFORCED = ConcurrentHashMap.newKeySet();

  private ForcedLinks() {}

  /** Links a file, or copies it where that is not possible. The name itself is not forced. */
  static void link(Storage source, String name, Storage target, String targetName)
      throws IOException {
    Object key = source.fileKey(name);
    if (!UNFORCED.add(key)) {
      source.copyTo(name, target, targetName);
      return;
    }
    boolean doubtful = false;
    try {
      source.linkTo(name, target, targetName);
      doubtful = true;
      target.sync(targetName);
      doubtful = false;
    } finally {
      if (!doubtful) {
        UNFORCED.remove(key);
      }
    }
  }
}
