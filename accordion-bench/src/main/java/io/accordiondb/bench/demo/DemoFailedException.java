// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.bench.demo;

import java.io.IOException;

/** Thrown when the store does not hold what was written to it. */
public final class DemoFailedException extends IOException {
  private static final long serialVersionUID = 1L;

  DemoFailedException(String message) {
    super(message);
  }
}
