// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.function;

import java.io.IOException;

/**
 * A consumer of two arguments that may throw {@link IOException}.
 *
 * @param <A> type of the first argument
 * @param <B> type of the second argument
 */
@FunctionalInterface
public interface IoBiConsumer<A, B> {
  /** Accepts the arguments. */
  void accept(A first, B second) throws IOException;
}
