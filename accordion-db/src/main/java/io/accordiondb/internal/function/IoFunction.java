// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.function;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A function that may throw {@link IOException}.
 *
 * @param <A> type of the argument
 * @param <T> type of the result
 */
@FunctionalInterface
public interface IoFunction<A, T extends @Nullable Object> {
  /** Returns the result. */
  T apply(A argument) throws IOException;
}
