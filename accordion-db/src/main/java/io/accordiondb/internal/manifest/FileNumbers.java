// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.manifest;

import io.accordiondb.CorruptionException;
import io.accordiondb.internal.storage.Storage;
import java.io.IOException;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The file with the highest number in a folder. Every number is recorded as allocated before it is
 * used, so a file with a number that a manifest has not allocated shows that the manifest has lost
 * its end. Files that such a manifest does not know must then not be treated as leftovers of a
 * crash. Immutable.
 *
 * @param name null if there is no file with a number
 */
record FileNumbers(@Nullable String name, long highest) {
  private static final List<String> DIRECTORIES = List.of("wal", "sst");
  private static final Pattern NAME = Pattern.compile("(\\d{12})\\.(?:log|sst)");

  /** Looks at a folder. Look before the manifest is read, because its writer may add files. */
  static FileNumbers of(Storage storage) throws IOException {
    FileNumbers found = new FileNumbers(null, 0);
    for (String directory : DIRECTORIES) {
      if (storage.isDirectory(directory)) {
        for (String name : storage.list(directory)) {
          Matcher matcher = NAME.matcher(name);
          if (matcher.matches() && Long.parseLong(matcher.group(1)) >= found.highest) {
            found = new FileNumbers(directory + "/" + name, Long.parseLong(matcher.group(1)));
          }
        }
      }
    }
    return found;
  }

  /**
   * Checks that a version that was read afterwards is not older than the files.
   *
   * @throws CorruptionException if it is
   */
  void check(Storage storage, Version version) throws CorruptionException {
    if (name != null && highest >= version.nextNumber()) {
      throw new CorruptionException(
          storage.path(name),
          0,
          "a number below " + version.nextNumber() + ", up to which the manifest gave them out",
          highest + ": the manifest has lost its end; repair the database");
    }
  }
}
