// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.function;

import java.io.IOException;

/** An action that may throw {@link IOException}. */
@FunctionalInterface
public interface IoRunnable {
  /** Does it. */
  void run() throws IOException;
}
