// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

/** An empty row or key was passed to an operation. */
public final class EmptyRowException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates an exception that names the operation.
   *
   * @param operation the name of the operation
   */
  public EmptyRowException(String operation) {
    super(operation + ": the row is empty; a row has at least one byte");
  }
}
