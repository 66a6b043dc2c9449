// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

/** A scanner, snapshot, transaction, database or other object was used after it had been closed. */
public sealed class ClosedException extends IllegalStateException permits DatabaseClosedException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates an exception that names the closed object.
   *
   * @param what the closed object, in words
   */
  public ClosedException(String what) {
    this(what, "");
  }

  ClosedException(String what, String advice) {
    super(what + " has been closed" + advice);
  }
}
