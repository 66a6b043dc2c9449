// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli.shell;

import java.io.IOException;

/** The user has stopped a command; what it has done until then stays. */
final class CommandStoppedException extends IOException {
  private static final long serialVersionUID = 1L;

  CommandStoppedException() {
    super("stopped");
  }
}
