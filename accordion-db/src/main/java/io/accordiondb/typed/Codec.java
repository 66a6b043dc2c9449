// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.typed;

import java.util.Objects;
import java.util.function.Function;

/**
 * Converts values to bytes and back. {@link Codecs} has the codecs of common types; a codec of your
 * own needs two functions:
 *
 * <pre>{@code
 * Codec<Cart> carts = Codec.of(Cart::toBytes, Cart::fromBytes);
 * Codec<Email> emails = Codecs.STRING.map(Email::new, Email::address);
 * }</pre>
 *
 * <p>A codec must be thread-safe and must neither keep nor change an array that it has received or
 * returned. {@link #decode} of a result of {@link #encode} returns an equal value. Messages name
 * the codec by its {@link Object#toString}.
 */
public interface Codec<T> {
  /**
   * {@return the bytes of a value}
   *
   * @param value the value to encode
   * @throws CodecException if the value cannot be encoded
   */
  byte[] encode(T value);

  /**
   * {@return the value that bytes encode}
   *
   * @param bytes the encoded value; not changed or kept
   * @throws CodecException if they are not the bytes of a value
   */
  T decode(byte[] bytes);

  /**
   * {@return a codec of another type, whose values are converted to those of this codec}
   *
   * @param <U> the type of the values of the new codec
   * @param from converts a value of this codec to the other type; if it throws a {@link
   *     RuntimeException}, the codec throws a {@link CodecException}
   * @param to converts a value of the other type to one of this codec
   */
  default <U> Codec<U> map(
      Function<? super T, ? extends U> from, Function<? super U, ? extends T> to) {
    return new MappedCodec<>(this, from, to);
  }

  /**
   * {@return a codec of two functions} If one of them throws a {@link RuntimeException}, the codec
   * throws a {@link CodecException}.
   *
   * @param <T> the type of the values
   * @param encoder turns a value into bytes
   * @param decoder turns bytes into a value
   */
  static <T> Codec<T> of(
      Function<? super T, byte[]> encoder, Function<? super byte[], ? extends T> decoder) {
    Objects.requireNonNull(encoder, "encoder");
    Objects.requireNonNull(decoder, "decoder");
    return new MappedCodec<>(Codecs.BYTES, decoder, encoder);
  }
}
