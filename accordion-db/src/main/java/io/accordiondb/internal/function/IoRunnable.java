// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.function;

import java.io.IOException;

/** An action that may throw {@link IOException}. */
@FunctionalInterface
public interface IoRunnable {
  /** Runs the action. */
  void run() throws IOException;
}
