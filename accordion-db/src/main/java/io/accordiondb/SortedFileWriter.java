// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Writes a sorted file that {@link Database#ingest} takes as it is. Belongs to one thread. Closing
 * it without {@link #finish} deletes the file.
 */
public interface SortedFileWriter extends Closeable {
  /**
   * Begins a file.
   *
   * @param file must not exist
   * @param family how blocks are made: size, compression, Bloom filter
   */
  static SortedFileWriter create(Path file, FamilyDescriptor family) throws IOException {
    return DatabaseProvider.find().sortedFileWriter(file, family);
  }

  /**
   * Adds a cell.
   *
   * @param timestamp 0 or more, and less than {@link Mutation#LATEST_TIMESTAMP}
   * @throws IllegalArgumentException if a {@link Put} would refuse the row, the qualifier or the
   *     timestamp, or if the cell does not come after the last one: rows and qualifiers ascend as
   *     unsigned bytes, then timestamps descend
   */
  void add(byte[] row, byte[] qualifier, long timestamp, byte[] value) throws IOException;

  /**
   * Completes the file, which needs at least one cell, and makes it durable. Nothing can be added
   * after that: {@link #add} and this then throw {@link ClosedException}.
   */
  void finish() throws IOException;

  @Override
  void close() throws IOException;
}
