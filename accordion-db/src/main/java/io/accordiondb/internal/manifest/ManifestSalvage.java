// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.manifest;

import io.accordiondb.internal.storage.Storage;
import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;

/** What can still be read of manifests that are damaged. */
public final class ManifestSalvage {
  private ManifestSalvage() {}

  /** Returns the numbers of all manifest files, in order. */
  public static List<Long> numbers(Storage storage) throws IOException {
    return ManifestFile.list(storage);
  }

  /**
   * Returns the version that the newest manifest leads to of which the beginning is sound; the
   * empty version if there is none.
   *
   * @param notes is told which
   */
  public static Version newest(Storage storage, Consumer<String> notes) throws IOException {
    List<Long> numbers = ManifestFile.list(storage);
    for (int i = numbers.size() - 1; i >= 0; i--) {
      Version version = ManifestFile.salvage(storage, numbers.get(i));
      if (version != null) {
        notes.accept(
            "the manifest was taken from "
                + storage.path(ManifestFile.nameOf(numbers.get(i)))
                + ", as far as that is sound");
        return version;
      }
    }
    notes.accept("no manifest could be read; tables are as their files say");
    return Version.EMPTY;
  }
}
