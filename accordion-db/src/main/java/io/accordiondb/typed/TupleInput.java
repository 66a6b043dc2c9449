// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.typed;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;

/** Reads the components that {@link TupleOutput} has written. Belongs to one thread. */
final class TupleInput {
  private final byte[] bytes;
  private int position;

  TupleInput(byte[] bytes) {
    this.bytes = bytes;
  }

  /** Returns the next component, which is not the last one. */
  <A> A next(KeyCodec<A> codec) {
    int fixed = codec.fixedBytes();
    return codec.decode(fixed == KeyCodec.VARIABLE ? escaped() : fixed(fixed));
  }

  private byte[] fixed(int length) {
    if (length > bytes.length - position) {
      throw new CodecException(
          "a component of " + length + " bytes is cut to " + (bytes.length - position));
    }
    position += length;
    return Arrays.copyOfRange(bytes, position - length, position);
  }

  private byte[] escaped() {
    ByteArrayOutputStream component = new ByteArrayOutputStream();
    while (true) {
      int b = read();
      if (b == TupleOutput.ZERO) {
        int second = read();
        if (second == TupleOutput.END) {
          return component.toByteArray();
        }
        if (second != TupleOutput.ESCAPED) {
          throw new CodecException("a byte 0 of a component is not escaped");
        }
      }
      component.write(b);
    }
  }

  private int read() {
    if (position == bytes.length) {
      throw new CodecException("a component has no end");
    }
    return bytes[position++] & 0xFF;
  }

  /** Returns the last component, which takes all remaining bytes. */
  <A> A last(KeyCodec<A> codec) {
    byte[] rest = Arrays.copyOfRange(bytes, position, bytes.length);
    position = bytes.length;
    return codec.decode(rest);
  }

  /** Checks that nothing follows. */
  void checkEnd() {
    if (position < bytes.length) {
      throw new CodecException(bytes.length - position + " bytes follow the end");
    }
  }
}
