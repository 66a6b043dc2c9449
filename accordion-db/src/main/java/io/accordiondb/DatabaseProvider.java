// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ServiceLoader;
import java.util.SortedMap;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** The service by which {@link Database#open} finds the implementation. Not for applications. */
public interface DatabaseProvider {
  /**
   * Opens the database in a folder.
   *
   * @param path the folder of the database
   * @param options the options of the database
   * @return the database
   * @throws IOException if the storage fails
   */
  Database open(Path path, DatabaseOptions options) throws IOException;

  /**
   * Creates an empty database in memory.
   *
   * @param options the options of the database
   * @return the database
   * @throws IOException if the storage fails
   */
  Database inMemory(DatabaseOptions options) throws IOException;

  /**
   * Verifies the database in a folder, and reports the bytes of each sorted table as it has been
   * read.
   *
   * @param path the folder of the database
   * @param keys the keys; null for a database that is not encrypted
   * @param progress receives the bytes of each sorted table
   * @return what was found
   * @throws IOException if the storage fails
   */
  VerificationReport verify(Path path, @Nullable KeyProvider keys, LongConsumer progress)
      throws IOException;

  /**
   * {@return how many files are encrypted under each key}
   *
   * @param path the folder of the database
   * @throws IOException if the storage fails
   */
  SortedMap<String, Integer> filesByKey(Path path) throws IOException;

  /**
   * Begins a sorted file that belongs to no database.
   *
   * @param file the file, which must not exist
   * @param family the family whose block size, compression and Bloom filter the file gets
   * @return the writer
   * @throws IOException if the storage fails
   */
  SortedFileWriter sortedFileWriter(Path file, FamilyDescriptor family) throws IOException;

  /**
   * Repairs the database in a folder.
   *
   * @param path the folder of the database
   * @param keys the keys; null for a database that is not encrypted
   * @return what was done
   * @throws IOException if the storage fails
   */
  RepairReport repair(Path path, @Nullable KeyProvider keys) throws IOException;

  /**
   * Applies a log to a copy of a database.
   *
   * @param copy the folder of the copy
   * @param log the folder of the log
   * @param point the moment to restore
   * @param options the options of the database
   * @return the last sequence number that the copy holds
   * @throws IOException if the storage fails
   */
  long rollForward(Path copy, Path log, RestorePoint point, DatabaseOptions options)
      throws IOException;

  /**
   * Finds out how a copy of a database follows a log.
   *
   * @param copy the folder of the copy
   * @param log the folder of the log
   * @param point the moment to restore
   * @param options the options of the database
   * @return how the copy follows the log
   * @throws IOException if the storage fails
   */
  RollForward.Plan planRollForward(Path copy, Path log, RestorePoint point, DatabaseOptions options)
      throws IOException;

  /** {@return the implementation} */
  static DatabaseProvider find() {
    return ServiceLoader.load(DatabaseProvider.class, Database.class.getClassLoader())
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("accordion-db is not whole: no provider"));
  }
}
