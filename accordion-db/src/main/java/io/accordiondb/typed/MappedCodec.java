// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.typed;

import java.util.Objects;
import java.util.function.Function;

/** A codec of values that are converted to and from those of another codec. */
class MappedCodec<T, U> implements Codec<U> {
  private final Codec<T> codec;
  private final Function<? super T, ? extends U> from;
  private final Function<? super U, ? extends T> to;

  MappedCodec(
      Codec<T> codec, Function<? super T, ? extends U> from, Function<? super U, ? extends T> to) {
    this.codec = codec;
    this.from = Objects.requireNonNull(from, "from");
    this.to = Objects.requireNonNull(to, "to");
  }

  @Override
  public final byte[] encode(U value) {
    return codec.encode(apply(to, value, "encoding"));
  }

  @Override
  public final U decode(byte[] bytes) {
    T value = codec.decode(bytes);
    try {
      return apply(from, value, "decoding");
    } catch (ClassCastException e) {
      throw new CodecException("decoding failed: " + e, e);
    }
  }

  private static <A, B> B apply(Function<? super A, ? extends B> function, A value, String what) {
    B made;
    try {
      made = function.apply(value);
    } catch (CodecException | ClassCastException e) {
      // If a value to encode has another class than the codec's, a map passes that on to its
      // caller.
      throw e;
    } catch (RuntimeException e) {
      throw new CodecException(what + " failed: " + e, e);
    }
    if (made == null) {
      throw new CodecException(what + " returned null");
    }
    return made;
  }

  @Override
  public String toString() {
    return codec + ", mapped";
  }
}
