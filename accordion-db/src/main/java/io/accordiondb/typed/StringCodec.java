// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.typed;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/**
 * Strings in UTF-8, which keeps the order of code points. It refuses malformed strings and bytes
 * instead of replacing them.
 */
final class StringCodec implements KeyCodec<String> {
  @Override
  public byte[] encode(String value) {
    try {
      // New encoders and decoders throw an exception for input that they cannot map.
      ByteBuffer encoding =
          StandardCharsets.UTF_8
              .newEncoder()
              .encode(CharBuffer.wrap(Objects.requireNonNull(value, "value")));
      byte[] bytes = new byte[encoding.remaining()];
      encoding.get(bytes);
      return bytes;
    } catch (CharacterCodingException e) {
      throw new CodecException("the string has half of a surrogate pair", e);
    }
  }

  @Override
  public String decode(byte[] bytes) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      throw new CodecException("not UTF-8: " + e.getMessage(), e);
    }
  }

  @Override
  public String toString() {
    return "UTF-8 string";
  }
}
