// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.manifest;

import io.accordiondb.CorruptionException;
import io.accordiondb.internal.storage.Storage;
import java.io.IOException;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Checks the manifest against the numbers of existing files. Every number is recorded as allocated
 * before it is used, so a file with a number that a version has not allocated shows that the
 * manifest has lost its end. Files that such a version does not know must then not be treated as
 * leftovers of a crash.
 */
final class FileNumbers {
  private static final List<String> DIRECTORIES = List.of("wal", "sst");
  private static final Pattern NAME = Pattern.compile("(\\d{12})\\.(?:log|sst)");

  private FileNumbers() {}

  /**
   * Checks that a version that was read is not older than the files in the folder.
   *
   * @throws CorruptionException if it is
   */
  static void check(Storage storage, Version version) throws IOException {
    for (String directory : DIRECTORIES) {
      if (storage.isDirectory(directory)) {
        for (String name : storage.list(directory)) {
          Matcher matcher = NAME.matcher(name);
          if (matcher.matches() && Long.parseLong(matcher.group(1)) >= version.nextNumber()) {
            throw new CorruptionException(
                storage.path(directory + "/" + name),
                0,
                "a number below "
                    + version.nextNumber()
                    + ", up to which the manifest gave them out",
                matcher.group(1) + ": the manifest has lost its end; repair the database");
          }
        }
      }
    }
  }
}
