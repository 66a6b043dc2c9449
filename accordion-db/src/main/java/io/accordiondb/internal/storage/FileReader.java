// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.storage;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/**
 * Reads an open file by system calls. Thread-safe.
 *
 * @param path of the file, for messages
 * @param file the file, which the reader owns
 */
record FileReader(Path path, PositionalFile file) implements StorageReader {
  @Override
  public long size() throws IOException {
    return file.size();
  }

  @Override
  public void readFully(ByteBuffer target, long position) throws IOException {
    long at = position;
    while (target.hasRemaining()) {
      int read = file.read(target, at);
      if (read < 0) {
        throw new EOFException(
            path + " ends at offset " + at + ", expected " + target.remaining() + " bytes more");
      }
      at += read;
    }
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
