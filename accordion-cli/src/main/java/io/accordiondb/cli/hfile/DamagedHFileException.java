// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli.hfile;

import java.io.IOException;

/** An HFile, or the manifest of a snapshot, is damaged; the message names it. */
public final class DamagedHFileException extends IOException {
  private static final long serialVersionUID = 1;

  /** Creates an exception. */
  public DamagedHFileException(String message) {
    super(message);
  }

  /** Creates an exception with its cause. */
  public DamagedHFileException(String message, Throwable cause) {
    super(message, cause);
  }
}
