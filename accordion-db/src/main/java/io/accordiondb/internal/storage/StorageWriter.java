// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.storage;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A file that is appended to. Belongs to one thread at a time, except for {@link #sync}, which may
 * run at the same time as an append. An interrupt of a thread does not affect the file. After a
 * failed sync, what the file holds behind the last successful sync is unknown.
 */
public interface StorageWriter extends Closeable {
  /**
   * Appends all remaining bytes of the buffers; their positions move to their limits.
   *
   * <p>After an {@link IOException} other than {@link PageFaultException}, {@link #position}
   * returns how much was appended, and the rest may be tried again; after any other throwable it
   * must not.
   */
  void append(ByteBuffer... buffers) throws IOException;

  /** Returns the number of bytes appended. */
  long position();

  /** Forces all that was appended before, and the file's length, to the device. */
  void sync() throws IOException;

  /** Closes the file without forcing anything to the device. */
  @Override
  void close() throws IOException;
}
