// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.storage;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/** A file being appended to. Belongs to one thread at a time. */
public interface StorageWriter extends Closeable {
  /** Appends all that remains in the buffers, whose positions move to their limits. */
  void append(ByteBuffer... buffers) throws IOException;

  /** Returns the length of the file in bytes. */
  long position();

  /** Forces all that was appended to the device. */
  void sync() throws IOException;

  @Override
  void close() throws IOException;
}
