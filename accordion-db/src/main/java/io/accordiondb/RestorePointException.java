// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

/**
 * A database cannot be restored to the requested moment: there is no copy from before it, the log
 * does not reach it, or the log does not hold all changes up to it. The message says which moments
 * are possible.
 */
public final class RestorePointException extends DatabaseException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates an exception that names the moment and the reason.
   *
   * @param point the requested moment
   * @param reason why it cannot be reached
   */
  public RestorePointException(RestorePoint point, String reason) {
    super("cannot restore to " + point + ": " + reason);
  }
}
