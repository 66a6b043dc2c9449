// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.typed;

import java.util.List;
import java.util.function.BiFunction;

/** A codec of records of two components; made by {@link Codecs#tuple}. Thread-safe. */
public final class Tuple2Codec<T, A, B> extends TupleCodec<T> {
  private final Component<T, A> first;
  private final Component<T, B> second;
  private final BiFunction<? super A, ? super B, ? extends T> maker;

  Tuple2Codec(
      Component<T, A> first,
      Component<T, B> second,
      BiFunction<? super A, ? super B, ? extends T> maker) {
    super(List.of(first, second));
    this.first = first;
    this.second = second;
    this.maker = maker;
  }

  @Override
  T read(TupleInput input) {
    A a = input.next(first.codec());
    return maker.apply(a, input.last(second.codec()));
  }

  /**
   * {@return the prefix of the keys with this first component}
   *
   * @param first the first component
   */
  public KeyPrefix<T> prefix(A first) {
    TupleOutput output = new TupleOutput();
    output.put(this.first.codec(), first);
    return KeyPrefix.of(output);
  }
}
