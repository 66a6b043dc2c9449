// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

/**
 * Changes that a {@link ChangeFeed} is to deliver are not in the log any more, or never were. The
 * follower must begin anew, with what the database holds now.
 */
public final class ChangesLostException extends DatabaseException {
  private static final long serialVersionUID = 1L;

  /**
   * Says from where on the log is there.
   *
   * @param wanted the first sequence number that is wanted
   * @param oldest the first sequence number that is there
   */
  public ChangesLostException(long wanted, long oldest) {
    this(
        "changes from sequence number "
            + wanted
            + " on are wanted, but the log begins with "
            + oldest
            + "; DatabaseOptions.logRetention keeps more of it");
  }

  /** Says what is wrong. */
  public ChangesLostException(String message) {
    super(message);
  }
}
