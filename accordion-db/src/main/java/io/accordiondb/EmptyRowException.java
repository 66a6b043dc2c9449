// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

/** An operation was given an empty row or key. */
public final class EmptyRowException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  /** Names the operation. */
  public EmptyRowException(String operation) {
    super(operation + ": the row is empty; a row has at least one byte");
  }
}
