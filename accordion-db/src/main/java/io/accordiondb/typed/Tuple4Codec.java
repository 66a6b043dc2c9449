// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.typed;

import java.util.List;

/** A codec of records of four components; made by {@link Codecs#tuple}. Thread-safe. */
public final class Tuple4Codec<T, A, B, C, D> extends TupleCodec<T> {
  /** Creates a record from four components. */
  @FunctionalInterface
  public interface Maker<A, B, C, D, T> {
    /**
     * {@return the record}
     *
     * @param first the first component
     * @param second the second component
     * @param third the third component
     * @param fourth the fourth component
     */
    T make(A first, B second, C third, D fourth);
  }

  private final Component<T, A> first;
  private final Component<T, B> second;
  private final Component<T, C> third;
  private final Component<T, D> fourth;
  private final Maker<? super A, ? super B, ? super C, ? super D, ? extends T> maker;

  Tuple4Codec(
      Component<T, A> first,
      Component<T, B> second,
      Component<T, C> third,
      Component<T, D> fourth,
      Maker<? super A, ? super B, ? super C, ? super D, ? extends T> maker) {
    super(List.of(first, second, third, fourth));
    this.first = first;
    this.second = second;
    this.third = third;
    this.fourth = fourth;
    this.maker = maker;
  }

  @Override
  T read(TupleInput input) {
    A a = input.next(first.codec());
    B b = input.next(second.codec());
    C c = input.next(third.codec());
    return maker.make(a, b, c, input.last(fourth.codec()));
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

  /**
   * {@return the prefix of the keys with these first two components}
   *
   * @param first the first component
   * @param second the second component
   */
  public KeyPrefix<T> prefix(A first, B second) {
    TupleOutput output = new TupleOutput();
    output.put(this.first.codec(), first);
    output.put(this.second.codec(), second);
    return KeyPrefix.of(output);
  }

  /**
   * {@return the prefix of the keys with these first three components}
   *
   * @param first the first component
   * @param second the second component
   * @param third the third component
   */
  public KeyPrefix<T> prefix(A first, B second, C third) {
    TupleOutput output = new TupleOutput();
    output.put(this.first.codec(), first);
    output.put(this.second.codec(), second);
    output.put(this.third.codec(), third);
    return KeyPrefix.of(output);
  }
}
