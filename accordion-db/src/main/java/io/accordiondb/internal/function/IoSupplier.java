// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.function;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A supplier that may throw {@link IOException}.
 *
 * @param <T> type of the result
 */
@FunctionalInterface
public interface IoSupplier<T extends @Nullable Object> {
  /** Returns the result. */
  T get() throws IOException;
}
