// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli.shell;

import java.io.IOException;

/** A statement names a table or family that does not exist. */
final class UnknownNameException extends IOException {
  private static final long serialVersionUID = 1L;

  UnknownNameException(String message, Throwable cause) {
    super(message, cause);
  }
}
