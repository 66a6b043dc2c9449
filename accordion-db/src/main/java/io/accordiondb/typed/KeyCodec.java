// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.typed;

import java.util.function.Function;

/**
 * A codec whose encodings, compared as unsigned bytes, have the order of the values, so a store
 * sorts its keys by them. Different values have different encodings.
 */
public interface KeyCodec<T> extends Codec<T> {
  /** The result of {@link #fixedBytes} for a codec whose encodings differ in length. */
  int VARIABLE = -1;

  /**
   * {@return the length of every encoding, or {@link #VARIABLE}} In a tuple, encodings of fixed
   * length are stored unchanged; others are escaped.
   */
  default int fixedBytes() {
    return VARIABLE;
  }

  /** {@return a codec of the same values in the opposite order} */
  default KeyCodec<T> descending() {
    return new DescendingCodec<>(this);
  }

  /**
   * Returns a codec of another type, in the order of this codec's values.
   *
   * @param from converts a value of this codec to the other type; if it throws a {@link
   *     RuntimeException}, the codec throws a {@link CodecException}
   * @param to converts a value of the other type to one of this codec; different values must have
   *     different results
   */
  @Override
  default <U> KeyCodec<U> map(
      Function<? super T, ? extends U> from, Function<? super U, ? extends T> to) {
    return new MappedKeyCodec<>(this, from, to);
  }
}
