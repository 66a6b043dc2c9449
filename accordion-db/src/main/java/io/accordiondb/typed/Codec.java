// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.typed;

import java.util.Objects;
import java.util.function.Function;

/**
 * Turns values into bytes and back. {@link Codecs} has those of common types; one of your own takes
 * two functions:
 *
 * <pre>{@code
 * Codec<Cart> carts = Codec.of(Cart::toBytes, Cart::fromBytes);
 * Codec<Email> emails = Codecs.STRING.map(Email::new, Email::address);
 * }</pre>
 *
 * <p>A codec must be thread-safe and never keep or change an array that it was given or has
 * returned. {@link #decode} of what {@link #encode} returned gives an equal value. {@link
 * #toString} names the codec in messages.
 */
public interface Codec<T> {
  /**
   * Returns the bytes of a value.
   *
   * @throws CodecException if the value has none
   */
  byte[] encode(T value);

  /**
   * Returns the value of bytes.
   *
   * @throws CodecException if they are not the bytes of a value
   */
  T decode(byte[] bytes);

  /**
   * Returns a codec of another type, whose values are turned into those of this one.
   *
   * @param from makes the other value of this codec's; may refuse it by any {@link
   *     RuntimeException}, which becomes a {@link CodecException}
   * @param to makes this codec's value of the other
   */
  default <U> Codec<U> map(
      Function<? super T, ? extends U> from, Function<? super U, ? extends T> to) {
    return new MappedCodec<>(this, from, to);
  }

  /**
   * Returns a codec of two functions. A {@link RuntimeException} of theirs becomes a {@link
   * CodecException}.
   */
  static <T> Codec<T> of(
      Function<? super T, byte[]> encoder, Function<? super byte[], ? extends T> decoder) {
    Objects.requireNonNull(encoder, "encoder");
    Objects.requireNonNull(decoder, "decoder");
    return new MappedCodec<>(Codecs.BYTES, decoder, encoder);
  }
}
