// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.typed;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.Objects;

/**
 * A prefix of keys, for {@link TypedReads#prefix}. For tuples, {@link Tuple2Codec#prefix} makes
 * one. Immutable.
 */
public final class KeyPrefix<K> {
  private final byte[] bytes;

  private KeyPrefix(byte[] bytes) {
    this.bytes = bytes;
  }

  /**
   * {@return the keys whose encodings begin with bytes, which are copied}
   *
   * @param <K> the type of keys
   * @param bytes the first bytes of the encodings; empty for all keys
   */
  public static <K> KeyPrefix<K> ofBytes(byte[] bytes) {
    return new KeyPrefix<>(Objects.requireNonNull(bytes, "bytes").clone());
  }

  /**
   * {@return the prefix of strings that begin with a string, for a store with {@link
   * Codecs#STRING}}
   *
   * @param prefix the first characters; empty for all keys
   */
  public static KeyPrefix<String> ofString(String prefix) {
    return new KeyPrefix<>(Codecs.STRING.encode(Objects.requireNonNull(prefix, "prefix")));
  }

  /** Returns the keys whose encodings begin with components of a tuple. */
  static <K> KeyPrefix<K> of(TupleOutput components) {
    return new KeyPrefix<>(components.toBytes());
  }

  /** Returns the range of encodings that begin with these bytes. */
  KeyRange range() {
    int last = bytes.length - 1;
    while (last >= 0 && bytes[last] == (byte) 0xFF) {
      last--;
    }
    if (last < 0) {
      return KeyRange.from(bytes);
    }
    byte[] end = Arrays.copyOf(bytes, last + 1);
    end[last]++;
    return KeyRange.between(bytes, end);
  }

  /** Returns the bytes in hexadecimal. */
  @Override
  public String toString() {
    return HexFormat.of().formatHex(bytes);
  }
}
