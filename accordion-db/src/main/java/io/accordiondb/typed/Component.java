// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.typed;

import java.util.Objects;
import java.util.function.Function;

/** One component of a tuple: its codec, and the function that gets it from the tuple. */
record Component<T, A>(KeyCodec<A> codec, Function<? super T, ? extends A> getter) {
  Component {
    Objects.requireNonNull(codec, "codec");
    Objects.requireNonNull(getter, "getter");
  }

  /** Returns the component of a tuple. */
  A of(T tuple) {
    A value = getter.apply(tuple);
    if (value == null) {
      throw new CodecException("a component is null");
    }
    return value;
  }
}
