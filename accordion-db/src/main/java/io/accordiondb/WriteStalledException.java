// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

/**
 * A write waited longer than {@link DatabaseOptions#stallMax} for flushes or compactions. Nothing
 * was written.
 */
public final class WriteStalledException extends DatabaseException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates an exception that says what the write waited for.
   *
   * @param reason what the write waited for
   */
  public WriteStalledException(String reason) {
    super("the write was stalled for too long: " + reason + "; write more slowly, or try again");
  }
}
