// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli.shell;

/** A statement of a script failed; the cause says why. Later statements were not run. */
public final class StatementException extends Exception {
  private static final long serialVersionUID = 1L;

  private final String place;
  private final Throwable reason;

  StatementException(String place, Throwable reason) {
    super(place, reason);
    this.place = place;
    this.reason = reason;
  }

  /** Returns why it failed. */
  public Throwable reason() {
    return reason;
  }

  /** Returns where the statement stands: script and line. */
  public String place() {
    return place;
  }
}
