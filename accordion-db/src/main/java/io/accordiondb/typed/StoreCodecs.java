// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.typed;

import io.accordiondb.KeyValue;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The two codecs of a store. Whatever they throw becomes a {@link CodecException} that says where
 * it happened, except a {@link ClassCastException} of encoding: a map throws it for a key of
 * another type.
 */
record StoreCodecs<K, V>(String store, KeyCodec<K> keys, Codec<V> values) {
  private static final int SHOWN_BYTES = 32;

  byte[] encodeKey(K key) {
    Objects.requireNonNull(key, "key");
    return checked(keys, () -> "a key cannot be encoded", () -> keys.encode(key));
  }

  byte @Nullable [] encodeKeyOrNull(@Nullable K key) {
    return key == null ? null : encodeKey(key);
  }

  byte[] encodeValue(byte[] key, V value) {
    Objects.requireNonNull(value, "value");
    return checked(
        values,
        () -> "the value of key " + hex(key) + " cannot be encoded",
        () -> values.encode(value));
  }

  byte[] encodeValue(V value) {
    Objects.requireNonNull(value, "value");
    return checked(values, () -> "a value cannot be encoded", () -> values.encode(value));
  }

  K decodeKey(byte[] key) {
    return checked(keys, () -> "key " + hex(key) + " cannot be decoded", () -> decoded(keys, key));
  }

  V decodeValue(byte[] key, byte[] value) {
    return checked(
        values,
        () -> "the value of key " + hex(key) + " cannot be decoded",
        () -> decoded(values, value));
  }

  @Nullable V decodeValueOrNull(byte[] key, byte @Nullable [] value) {
    return value == null ? null : decodeValue(key, value);
  }

  Map.Entry<K, V> decode(KeyValue entry) {
    return Map.entry(decodeKey(entry.key()), decodeValue(entry.key(), entry.value()));
  }

  /** Returns the order of the keys in the store. */
  Comparator<K> order() {
    return (a, b) -> Arrays.compareUnsigned(encodeKey(a), encodeKey(b));
  }

  private <T> T checked(Codec<?> codec, Supplier<String> what, Supplier<T> work) {
    T made;
    try {
      made = work.get();
    } catch (ClassCastException e) {
      throw e;
    } catch (RuntimeException e) {
      String why = e instanceof CodecException ? e.getMessage() : e.toString();
      throw new CodecException(message(codec, what, String.valueOf(why)), e);
    }
    if (made == null) {
      throw new CodecException(message(codec, what, "the codec returned null"));
    }
    return made;
  }

  private static <T> T decoded(Codec<T> codec, byte[] bytes) {
    try {
      return codec.decode(bytes);
    } catch (ClassCastException e) {
      throw new CodecException(e.toString(), e);
    }
  }

  private String message(Codec<?> codec, Supplier<String> what, String why) {
    return "store \"" + store + "\": " + what.get() + " by codec \"" + codec + "\": " + why;
  }

  private static String hex(byte[] key) {
    String shown = HexFormat.of().formatHex(key, 0, Math.min(SHOWN_BYTES, key.length));
    return key.length > SHOWN_BYTES ? shown + "... (" + key.length + " bytes)" : shown;
  }
}
