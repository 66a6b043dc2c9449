// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

/**
 * A database cannot be restored to the moment that was asked for: there is no copy from before it,
 * the log does not reach it, or does not tell all that happened until then. The message says which
 * moments can be had.
 */
public final class RestorePointException extends DatabaseException {
  private static final long serialVersionUID = 1L;

  /** Names the moment and the reason. */
  public RestorePointException(RestorePoint point, String reason) {
    super("cannot restore to " + point + ": " + reason);
  }
}
