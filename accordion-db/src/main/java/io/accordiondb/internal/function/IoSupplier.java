// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.function;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Computes something, which may fail as input and output do.
 *
 * @param <T> what is computed
 */
@FunctionalInterface
public interface IoSupplier<T extends @Nullable Object> {
  /** Returns the result. */
  T get() throws IOException;
}
