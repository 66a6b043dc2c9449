// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli;

import java.io.IOException;

/** What a command is to read is damaged or not complete; the message says what to do. */
final class DamagedInputException extends IOException {
  private static final long serialVersionUID = 1;

  DamagedInputException(String message) {
    super(message);
  }
}
