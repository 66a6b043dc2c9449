// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.function;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Computes something from an argument, which may fail as input and output do.
 *
 * @param <A> the argument
 * @param <T> what is computed
 */
@FunctionalInterface
public interface IoFunction<A, T extends @Nullable Object> {
  /** Returns the result. */
  T apply(A argument) throws IOException;
}
