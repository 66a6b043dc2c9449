// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.database;

import io.accordiondb.NotADatabaseException;
import io.accordiondb.internal.manifest.Manifest;
import io.accordiondb.internal.region.StoreFiles;
import io.accordiondb.internal.storage.Storage;
import io.accordiondb.internal.wal.WriteAheadLog;
import java.io.IOException;
import java.util.List;

/** What the folder of a database holds. */
final class DatabaseFolder {
  /** The file that carries the lock. */
  static final String LOCK = "LOCK";

  /** Where a repair puts files that are not sound. */
  static final String LOST = "lost";

  private DatabaseFolder() {}

  /**
   * Checks that a folder holds a database or, if one may be begun, nothing that a crash while one
   * was begun does not leave.
   */
  static void checkBeforeOpening(Storage storage, boolean mayBegin) throws IOException {
    if (Manifest.exists(storage)) {
      return;
    }
    if (!mayBegin) {
      throw new NotADatabaseException(storage.path(""), "it has no file CURRENT");
    }
    for (String name : storage.list("")) {
      // A crash while the database was begun leaves some of these, all of them empty.
      boolean ours =
          name.equals(LOCK)
              || name.equals(WriteAheadLog.DIRECTORY)
              || name.equals(StoreFiles.DIRECTORY)
              || name.startsWith("MANIFEST-")
              || name.equals("CURRENT.tmp");
      if (!ours) {
        throw new NotADatabaseException(
            storage.path(""), "it has no file CURRENT, but holds \"" + name + "\"");
      }
    }
    for (String directory : List.of(WriteAheadLog.DIRECTORY, StoreFiles.DIRECTORY)) {
      if (storage.exists(directory) && !storage.list(directory).isEmpty()) {
        throw new NotADatabaseException(
            storage.path(""), "it has no file CURRENT, but files in " + directory);
      }
    }
  }

  /** Checks that a folder holds a database, or what is left of one. */
  static void checkBeforeReading(Storage storage) throws IOException {
    if (!Manifest.exists(storage) && !storage.isDirectory(StoreFiles.DIRECTORY)) {
      throw new NotADatabaseException(storage.path(""), "it has neither CURRENT nor sorted tables");
    }
  }
}
