// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.manifest;

import io.accordiondb.internal.storage.MemoryStorage;
import java.io.IOException;
import java.util.List;

/** Stores names, and tries it again. Runs among classes whose allocations fail. */
public final class RegionNamesRun {
  private RegionNamesRun() {}

  /** Stores names; an allocation may fail. No file may stay open. */
  static void save(long unused) throws IOException {
    MemoryStorage disk = new MemoryStorage();
    RegionNames names = RegionNames.open(disk, Version.EMPTY);
    names.add(List.of(Edits.putTable(1, "t", 2), Edits.putRegion(10, 1, "", "")));
    try {
      names.save();
    } catch (OutOfMemoryError e) {
      names.save();
    }
    if (disk.openFiles() != 0) {
      throw new AssertionError(disk.openFiles() + " files are open");
    }
  }
}
