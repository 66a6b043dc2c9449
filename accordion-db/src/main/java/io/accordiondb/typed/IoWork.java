// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.typed;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Work for a map, whose methods cannot throw {@link IOException}. */
@FunctionalInterface
interface IoWork<T> {
  @Nullable T run() throws IOException;

  /** Runs work that may return null. Wraps an {@link IOException} in an unchecked exception. */
  static <T> @Nullable T unchecked(IoWork<T> work) {
    try {
      return work.run();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Runs work that returns a value. Wraps an {@link IOException} in an unchecked exception. */
  static <T> T uncheckedResult(IoWork<T> work) {
    return Objects.requireNonNull(unchecked(work), "work returned null");
  }
}
