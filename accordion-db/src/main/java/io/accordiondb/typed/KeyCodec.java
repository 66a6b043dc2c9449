// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.typed;

import java.util.function.Function;

/**
 * A codec whose encodings, compared as unsigned bytes, are in the order of the values. So a store
 * has its keys in this order. Different values have different encodings.
 */
public interface KeyCodec<T> extends Codec<T> {
  /** What {@link #fixedBytes} returns of a codec whose encodings differ in length. */
  int VARIABLE = -1;

  /**
   * Returns the length of every encoding, or {@link #VARIABLE}. In a tuple, an encoding of fixed
   * length stands as it is; others are escaped.
   */
  default int fixedBytes() {
    return VARIABLE;
  }

  /** Returns a codec of the same values in the opposite order. */
  default KeyCodec<T> descending() {
    return new DescendingCodec<>(this);
  }

  /**
   * Returns a codec of another type, whose order is that of this codec's values.
   *
   * @param from makes the other value of this codec's; may refuse it by any {@link
   *     RuntimeException}, which becomes a {@link CodecException}
   * @param to makes this codec's value of the other; different values must give different ones
   */
  @Override
  default <U> KeyCodec<U> map(
      Function<? super T, ? extends U> from, Function<? super U, ? extends T> to) {
    return new MappedKeyCodec<>(this, from, to);
  }
}
