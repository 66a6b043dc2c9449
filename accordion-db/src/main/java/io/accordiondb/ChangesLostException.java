// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

/**
 * Changes that a {@link ChangeFeed} should deliver are no longer in the log, or never were. The
 * follower must start again from the present contents of the database.
 */
public final class ChangesLostException extends DatabaseException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates an exception that names the first sequence number of the log.
   *
   * @param wanted the first sequence number that was requested
   * @param oldest the first sequence number in the log
   */
  public ChangesLostException(long wanted, long oldest) {
    this(
        "the feed needs the changes from sequence number "
            + wanted
            + " on, but the log begins with "
            + oldest
            + "; DatabaseOptions.logRetention keeps more of it");
  }

  /**
   * Creates an exception with a message.
   *
   * @param message which changes are lost, and why
   */
  public ChangesLostException(String message) {
    super(message);
  }
}
