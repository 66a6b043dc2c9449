// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.storage;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/** A file open for reading. Thread-safe; an interrupt of a reading thread does not disturb it. */
public interface StorageReader extends Closeable {
  /** Returns the length of the file in bytes. */
  long size() throws IOException;

  /**
   * Fills the remaining part of a buffer with bytes from a position of the file on.
   *
   * @throws java.io.EOFException if the file ends before; the content of the buffer is then
   *     undefined
   */
  void readFully(ByteBuffer target, long position) throws IOException;

  /**
   * Returns whether reads are copies from memory of this process, so that a single one for many
   * parts of the file saves nothing.
   */
  default boolean isInMemory() {
    return false;
  }

  @Override
  void close() throws IOException;
}
