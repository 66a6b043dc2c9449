// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.typed;

import java.io.ByteArrayOutputStream;

/**
 * Writes components one after another, so that the results sort by the first component that
 * differs. Components of fixed length are written unchanged. In others, a byte 0 becomes {@link
 * #ZERO} {@link #ESCAPED}, and {@link #ZERO} {@link #END} follows the component: this is less than
 * anything that a longer component may have there. Belongs to one thread.
 */
final class TupleOutput {
  static final int ZERO = 0;
  static final int END = 1;
  static final int ESCAPED = 0xFF;

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

  /** Adds a component after which others may follow. */
  <A> TupleOutput put(KeyCodec<A> codec, A value) {
    byte[] encoding = codec.encode(value);
    int fixed = codec.fixedBytes();
    if (fixed == KeyCodec.VARIABLE) {
      putEscaped(encoding);
    } else if (encoding.length == fixed) {
      bytes.writeBytes(encoding);
    } else {
      throw new CodecException(
          codec + " has encodings of " + fixed + " bytes, and one of " + encoding.length);
    }
    return this;
  }

  private void putEscaped(byte[] encoding) {
    for (byte b : encoding) {
      bytes.write(b);
      if (b == ZERO) {
        bytes.write(ESCAPED);
      }
    }
    bytes.write(ZERO);
    bytes.write(END);
  }

  /** Adds the last component, which needs no end. */
  <A> TupleOutput putLast(KeyCodec<A> codec, A value) {
    bytes.writeBytes(codec.encode(value));
    return this;
  }

  byte[] toBytes() {
    return bytes.toByteArray();
  }
}
