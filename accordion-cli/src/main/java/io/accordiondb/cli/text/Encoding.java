// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli.text;

import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The ways in which bytes are written as text. Each can be read back by its prefix. */
public enum Encoding {
  /** Characters, with bytes that are none as {@code \xHH}. */
  TEXT {
    @Override
    String encode(byte[] bytes) {
      return EscapedText.encode(bytes);
    }

    @Override
    byte[] decode(String text) {
      return EscapedText.decode(text);
    }
  },
  /** Two hexadecimal digits a byte. */
  HEX {
    @Override
    String encode(byte[] bytes) {
      return HexFormat.of().formatHex(bytes);
    }

    @Override
    byte[] decode(String text) {
      return HexFormat.of().parseHex(text);
    }
  },
  /** Base64 with the usual alphabet. */
  BASE64 {
    @Override
    String encode(byte[] bytes) {
      return Base64.getEncoder().encodeToString(bytes);
    }

    @Override
    byte[] decode(String text) {
      return Base64.getDecoder().decode(text);
    }
  },
  /** A number of eight bytes, big-endian, as increments have. */
  LONG {
    @Override
    @Nullable String encode(byte[] bytes) {
      return bytes.length == Long.BYTES ? Long.toString(ByteBuffer.wrap(bytes).getLong()) : null;
    }

    @Override
    byte[] decode(String text) {
      return ByteBuffer.allocate(Long.BYTES).putLong(Long.parseLong(text)).array();
    }
  },
  /** A number of four bytes, big-endian. */
  INT {
    @Override
    @Nullable String encode(byte[] bytes) {
      return bytes.length == Integer.BYTES
          ? Integer.toString(ByteBuffer.wrap(bytes).getInt())
          : null;
    }

    @Override
    byte[] decode(String text) {
      return ByteBuffer.allocate(Integer.BYTES).putInt(Integer.parseInt(text)).array();
    }
  };

  /** Returns the bytes as text without prefix; null if they are not of this kind. */
  abstract @Nullable String encode(byte[] bytes);

  /** Reads what {@link #encode} has returned; throws if the text is not of this kind. */
  abstract byte[] decode(String text);

  /** Returns what stands before a text of this encoding. */
  String prefix() {
    return name().toLowerCase(Locale.ROOT) + ":";
  }
}
