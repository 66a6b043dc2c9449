// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.function;

import java.io.IOException;

/**
 * A consumer that may throw {@link IOException}.
 *
 * @param <A> type of the argument
 */
@FunctionalInterface
public interface IoConsumer<A> {
  /** Accepts the argument. */
  void accept(A argument) throws IOException;
}
