// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

/**
 * Something was used after it had been closed: a scanner, a snapshot, a transaction, a database.
 */
public sealed class ClosedException extends IllegalStateException permits DatabaseClosedException {
  private static final long serialVersionUID = 1L;

  /** Names what has been closed. */
  public ClosedException(String what) {
    this(what, "");
  }

  ClosedException(String what, String advice) {
    super(what + " has been closed" + advice);
  }
}
