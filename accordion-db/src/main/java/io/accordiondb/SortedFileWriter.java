// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Writes a sorted file for {@link Database#ingest}. A writer belongs to one thread. Closing it
 * without {@link #finish} deletes the file. The file is not encrypted.
 */
public interface SortedFileWriter extends Closeable {
  /**
   * Creates a file.
   *
   * @param file must not exist
   * @param family the family whose block size, compression and Bloom filter the file gets
   * @return the writer
   * @throws IOException if the storage fails
   */
  static SortedFileWriter create(Path file, FamilyDescriptor family) throws IOException {
    return DatabaseProvider.find().sortedFileWriter(file, family);
  }

  /**
   * Adds a cell.
   *
   * @param timestamp 0 or more, and less than {@link Mutation#LATEST_TIMESTAMP}
   * @param row the row, 1 to 32,767 bytes
   * @param qualifier the qualifier, at most 32,767 bytes; may be empty
   * @param value the value; may be empty
   * @throws IllegalArgumentException if a {@link Put} would refuse the row, the qualifier or the
   *     timestamp, or if the cell does not come after the last one: rows and qualifiers ascend as
   *     unsigned bytes, then timestamps descend
   * @throws IOException if the storage fails
   */
  void add(byte[] row, byte[] qualifier, long timestamp, byte[] value) throws IOException;

  /**
   * Completes the file, which needs at least one cell, and makes it durable. After that, {@link
   * #add} and this method throw {@link ClosedException}.
   *
   * @throws IOException if the storage fails
   */
  void finish() throws IOException;

  @Override
  void close() throws IOException;
}
