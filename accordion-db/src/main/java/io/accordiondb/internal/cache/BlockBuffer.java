// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.cache;

import java.nio.ByteBuffer;

/**
 * An array that is reused for the payloads of blocks, so that reading blocks allocates nothing.
 * Belongs to one thread at a time.
 */
public final class BlockBuffer {
  /** Once blocks have different lengths, a buffer grows to its need plus one part in this many. */
  private static final int SPARE = 4;

  private ByteBuffer bytes = ByteBuffer.allocate(0);

  /**
   * Makes room for a payload and returns its buffer, from 0 to its limit. The buffer is backed by
   * an array with an array offset of 0; it is the same buffer as long as payloads fit. The earlier
   * content is lost. The first payload fits exactly.
   */
  public ByteBuffer resize(int length) {
    if (length > bytes.capacity()) {
      long spare = bytes.capacity() == 0 ? 0 : length / SPARE;
      bytes = ByteBuffer.allocate((int) Math.min(length + spare, Integer.MAX_VALUE - Long.BYTES));
    }
    return bytes.clear().limit(length);
  }

  /** Returns the payload that was taken last. */
  public ByteBuffer payload() {
    return bytes;
  }

  /** Returns the bytes of memory that the buffer takes. */
  int capacity() {
    return bytes.capacity();
  }
}
