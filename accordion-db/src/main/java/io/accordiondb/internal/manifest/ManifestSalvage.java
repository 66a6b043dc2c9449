// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.manifest;

import io.accordiondb.internal.record.RecordMark;
import io.accordiondb.internal.storage.Storage;
import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;

/** Reads the sound parts of damaged manifests. */
public final class ManifestSalvage {
  private ManifestSalvage() {}

  /** Returns the numbers of all manifest files, in order. */
  public static List<Long> numbers(Storage storage) throws IOException {
    return ManifestFile.list(storage);
  }

  /**
   * Returns the sound part of the newest manifest whose beginning is sound; the empty version if
   * there is none.
   *
   * @param notes receives their names
   */
  public static ManifestContents newest(Storage storage, Consumer<String> notes)
      throws IOException {
    List<Long> numbers = ManifestFile.list(storage);
    for (int i = numbers.size() - 1; i >= 0; i--) {
      ManifestFile.Replayed found = ManifestFile.salvage(storage, numbers.get(i));
      if (found != null) {
        String path = storage.path(ManifestFile.nameOf(numbers.get(i)));
        notes.accept("the manifest was taken from " + path + ", as far as that is sound");
        return new ManifestContents(
            found.version(), new RecordMark(numbers.get(i), found.commits()), path, 0);
      }
    }
    notes.accept("no manifest could be read; tables are as their files say");
    return new ManifestContents(Version.EMPTY, RecordMark.NONE, storage.path(""), 0);
  }
}
