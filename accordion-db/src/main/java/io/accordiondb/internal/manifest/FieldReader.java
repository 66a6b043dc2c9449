// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.manifest;

import io.accordiondb.CorruptionException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Reads what {@link FieldWriter} has written, and checks every length against the available bytes.
 * Not thread-safe.
 */
final class FieldReader {
  private static final int LOW_BITS = 0x7F;

  private final ByteBuffer buffer;
  private final String file;
  private final long fileOffset;

  /**
   * Creates a reader of a buffer from 0 to its limit.
   *
   * @param fileOffset offset of the buffer's bytes in the file, for messages
   */
  FieldReader(ByteBuffer buffer, String file, long fileOffset) {
    this.buffer = buffer.duplicate().rewind();
    this.file = file;
    this.fileOffset = fileOffset;
  }

  long number() throws CorruptionException {
    long value = 0;
    for (int shift = 0; shift < Long.SIZE; shift += Byte.SIZE - 1) {
      if (!buffer.hasRemaining()) {
        throw corruption("a number", "the end of the record");
      }
      int next = buffer.get();
      value |= (long) (next & LOW_BITS) << shift;
      if (next >= 0) {
        return value;
      }
    }
    throw corruption("a number of at most ten bytes", "more");
  }

  /** Reads a number that fits an int, and is not negative. */
  int smallNumber() throws CorruptionException {
    long value = number();
    if (value < 0 || value > Integer.MAX_VALUE) {
      throw corruption("a number of 31 bits", Long.toString(value));
    }
    return (int) value;
  }

  /** Reads a count of items that have at least a number of bytes each. */
  int count(int bytesMin) throws CorruptionException {
    long count = number();
    if (count < 0 || count > buffer.remaining() / bytesMin) {
      throw corruption(
          "at most " + buffer.remaining() / bytesMin + " entries", Long.toString(count));
    }
    return (int) count;
  }

  byte[] bytes() throws CorruptionException {
    byte[] bytes = new byte[count(1)];
    buffer.get(bytes);
    return bytes;
  }

  String text() throws CorruptionException {
    return new String(bytes(), StandardCharsets.UTF_8);
  }

  boolean isAtEnd() {
    return !buffer.hasRemaining();
  }

  void checkEnd() throws CorruptionException {
    if (buffer.hasRemaining()) {
      throw corruption("the end of the record", buffer.remaining() + " bytes more");
    }
  }

  CorruptionException corruption(String expected, String found) {
    return new CorruptionException(file, fileOffset + buffer.position(), expected, found);
  }
}
