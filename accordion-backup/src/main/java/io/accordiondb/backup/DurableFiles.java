// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.backup;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Creates folders whose entries survive a power failure. */
final class DurableFiles {
  private DurableFiles() {}

  /** Creates a folder and those above it that are missing. */
  static void createFolders(Path folder) throws IOException {
    Path absolute = folder.toAbsolutePath();
    if (Files.isDirectory(absolute)) {
      return;
    }
    Path parent = absolute.getParent();
    if (parent != null) {
      createFolders(parent);
    }
    Files.createDirectories(absolute);
    if (parent != null) {
      syncFolder(parent);
    }
  }

  /** Forces the entries of a folder to the device. */
  static void syncFolder(Path folder) throws IOException {
    try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
      channel.force(true);
    } catch (AccessDeniedException e) {
      // Windows cannot open folders, and makes their entries durable by itself.
      if (!System.getProperty("os.name", "").startsWith("Windows")) {
        throw e;
      }
    }
  }
}
