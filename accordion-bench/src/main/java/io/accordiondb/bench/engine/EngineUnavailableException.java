// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.bench.engine;

import java.io.IOException;

/** An engine cannot be used on this machine, or its library is not there; the message says why. */
public final class EngineUnavailableException extends IOException {
  private static final long serialVersionUID = 1;

  /** Creates an exception. */
  public EngineUnavailableException(String message) {
    super(message);
  }

  /** Creates an exception with what the library said. */
  public EngineUnavailableException(String message, Throwable cause) {
    super(message, cause);
  }
}
