// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ServiceLoader;
import java.util.SortedMap;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** What {@link Database#open} finds the implementation by. Not for applications. */
public interface DatabaseProvider {
  /** Opens the database in a folder. */
  Database open(Path path, DatabaseOptions options) throws IOException;

  /** Begins a database in memory. */
  Database inMemory(DatabaseOptions options) throws IOException;

  /** Verifies the database in a folder; tells the bytes of each sorted table that was read. */
  VerificationReport verify(Path path, @Nullable KeyProvider keys, LongConsumer progress)
      throws IOException;

  /** Returns how many files are encrypted under each key. */
  SortedMap<String, Integer> filesByKey(Path path) throws IOException;

  /** Begins a sorted file that belongs to no database. */
  SortedFileWriter sortedFileWriter(Path file, FamilyDescriptor family) throws IOException;

  /** Rebuilds the manifest of a database. */
  RepairReport repair(Path path, @Nullable KeyProvider keys) throws IOException;

  /** Has a copy of a database follow the log. */
  long rollForward(Path copy, Path log, RestorePoint point, DatabaseOptions options)
      throws IOException;

  /** Returns the implementation. */
  static DatabaseProvider find() {
    return ServiceLoader.load(DatabaseProvider.class, Database.class.getClassLoader())
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("accordion-db is not whole: no provider"));
  }
}
