// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli.text;

import java.io.IOException;

/** The reader of a command's output has stopped reading, as {@code head} does. */
public final class OutputClosedException extends IOException {
  private static final long serialVersionUID = 1L;

  /** Creates the exception. */
  public OutputClosedException() {
    super("standard output was closed");
  }
}
