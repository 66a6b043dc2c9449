// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.typed;

import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.Function;

/**
 * A codec whose encodings all have the same length, written to and read from a big-endian buffer.
 */
final class FixedCodec<T> implements KeyCodec<T> {
  private final String name;
  private final int bytes;
  private final BiConsumer<ByteBuffer, T> writer;
  private final Function<ByteBuffer, T> reader;

  /**
   * Creates a codec.
   *
   * @param reader throws any {@link RuntimeException} for bytes that are not a value
   */
  FixedCodec(
      String name, int bytes, BiConsumer<ByteBuffer, T> writer, Function<ByteBuffer, T> reader) {
    this.name = name;
    this.bytes = bytes;
    this.writer = writer;
    this.reader = reader;
  }

  @Override
  public byte[] encode(T value) {
    byte[] encoding = new byte[bytes];
    writer.accept(ByteBuffer.wrap(encoding), Objects.requireNonNull(value, "value"));
    return encoding;
  }

  @Override
  public T decode(byte[] encoding) {
    if (encoding.length != bytes) {
      throw new CodecException("expected " + bytes + " bytes, got " + encoding.length);
    }
    try {
      return reader.apply(ByteBuffer.wrap(encoding));
    } catch (CodecException e) {
      throw e;
    } catch (RuntimeException e) {
      throw new CodecException("not a value: " + e.getMessage(), e);
    }
  }

  @Override
  public int fixedBytes() {
    return bytes;
  }

  @Override
  public String toString() {
    return name;
  }
}
