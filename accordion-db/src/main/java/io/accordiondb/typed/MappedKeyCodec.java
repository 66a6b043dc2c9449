// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.typed;

import java.util.function.Function;

/** A codec of values that are converted to and from those of another codec, in the same order. */
final class MappedKeyCodec<T, U> extends MappedCodec<T, U> implements KeyCodec<U> {
  private final int fixedBytes;

  MappedKeyCodec(
      KeyCodec<T> codec,
      Function<? super T, ? extends U> from,
      Function<? super U, ? extends T> to) {
    super(codec, from, to);
    fixedBytes = codec.fixedBytes();
  }

  @Override
  public int fixedBytes() {
    return fixedBytes;
  }

  @Override
  public <V> KeyCodec<V> map(
      Function<? super U, ? extends V> from, Function<? super V, ? extends U> to) {
    return new MappedKeyCodec<>(this, from, to);
  }
}
