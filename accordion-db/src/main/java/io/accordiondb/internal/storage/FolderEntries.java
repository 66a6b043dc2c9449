// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.storage;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The entries of a folder. */
final class FolderEntries {
  private FolderEntries() {}

  /** Returns the names of all entries, in order. */
  static List<String> names(Path folder) throws IOException {
    try (Stream<Path> entries = Files.list(folder)) {
      return names(entries);
    }
  }

  /** Same as above. Callers expect a failure in the middle to be like any other. */
  static List<String> names(Stream<Path> entries) throws IOException {
    try {
      return entries.map(entry -> String.valueOf(entry.getFileName())).sorted().toList();
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }
}
