// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.manifest;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Encodes fields: numbers in seven bits a byte, lowest first, with the highest bit of a byte set if
 * another byte follows; byte strings and text (UTF-8) preceded by their length. Not thread-safe.
 */
final class FieldWriter {
  private static final int LOW_BITS = 0x7F;
  private static final int MORE = 0x80;

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

  void number(long value) {
    long rest = value;
    while ((rest & ~(long) LOW_BITS) != 0) {
      bytes.write((int) (rest & LOW_BITS) | MORE);
      rest >>>= Byte.SIZE - 1;
    }
    bytes.write((int) rest);
  }

  void bytes(byte[] value) {
    number(value.length);
    bytes.writeBytes(value);
  }

  void text(String value) {
    bytes(value.getBytes(StandardCharsets.UTF_8));
  }

  ByteBuffer toBuffer() {
    return ByteBuffer.wrap(bytes.toByteArray());
  }
}
