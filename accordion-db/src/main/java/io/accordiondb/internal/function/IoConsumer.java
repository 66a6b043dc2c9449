// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.function;

import java.io.IOException;

/**
 * Takes an argument, which may fail as input and output do.
 *
 * @param <A> the argument
 */
@FunctionalInterface
public interface IoConsumer<A> {
  /** Takes the argument. */
  void accept(A argument) throws IOException;
}
