// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.storage;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides where {@link MappedFile} may be used. It relies on two properties of the file system:
 *
 * <ul>
 *   <li>Written zeros reserve the room for later stores. A file system that writes changed blocks
 *       to new places needs room again for each store, and on a full disk the store fails with a
 *       signal. The same is true of file systems that compress, and of those that keep files on
 *       another host.
 *   <li>A sync of the file covers what was stored in its mappings. POSIX does not promise that;
 *       Linux does.
 * </ul>
 *
 * <p>So files are mapped only on Linux, and only on file systems that are known to overwrite in
 * place. An overlay is not one of them, because a container cannot determine the file system below
 * it.
 */
final class MappingSupport {
  private static final Set<String> OVERWRITING_IN_PLACE =
      Set.of("ext2", "ext3", "ext4", "xfs", "jfs", "tmpfs", "ramfs");

  private static final Logger LOG = LoggerFactory.getLogger(MappingSupport.class);

  private MappingSupport() {}

  /** Returns whether files in a folder may be mapped; logs a message if they may not. */
  static boolean isGiven(Path folder) {
    String system = System.getProperty("os.name", "");
    String type = typeOf(folder);
    boolean given = isGiven(system, type);
    if (!given) {
      LOG.info("the log in {} is not mapped but written plainly: {}, {}", folder, system, type);
    }
    return given;
  }

  /** Returns whether files may be mapped on a file system of an operating system. */
  static boolean isGiven(String operatingSystem, String fileSystem) {
    return operatingSystem.toLowerCase(Locale.ROOT).contains("linux")
        && OVERWRITING_IN_PLACE.contains(fileSystem);
  }

  private static String typeOf(Path folder) {
    try {
      return Files.getFileStore(folder).type();
    } catch (IOException | RuntimeException e) {
      LOG.debug("the type of the file system of {} cannot be found out", folder, e);
      return "unknown file system";
    }
  }
}
