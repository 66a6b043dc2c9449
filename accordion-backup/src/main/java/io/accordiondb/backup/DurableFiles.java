// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.backup;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Creates folders whose entries survive a power failure. */
final class DurableFiles {
  private static final Logger LOG = LoggerFactory.getLogger(DurableFiles.class);

  private DurableFiles() {}

  /**
   * Creates a folder and those above it that are missing. The last one that exists may have been
   * created by a process that was killed before it forced its name. Then it is empty.
   */
  static void createFolders(Path folder) throws IOException {
    Path absolute = folder.toAbsolutePath();
    Path parent = absolute.getParent();
    if (Files.isDirectory(absolute)) {
      if (parent != null && isEmpty(absolute)) {
        forceOldName(absolute, parent);
      }
      return;
    }
    if (parent != null) {
      createFolders(parent);
    }
    Files.createDirectories(absolute);
    if (parent != null) {
      syncFolder(parent);
    }
  }

  private static boolean isEmpty(Path folder) {
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
      return !entries.iterator().hasNext();
    } catch (IOException | DirectoryIteratorException e) {
      // Nothing was created in a folder that cannot be listed.
      return false;
    }
  }

  /** Does not fail, because the folder above may belong to others or be read-only. */
  private static void forceOldName(Path folder, Path parent) {
    try {
      syncFolder(parent);
    } catch (IOException e) {
      LOG.warn("the name of {} could not be forced to the device", folder, e);
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
