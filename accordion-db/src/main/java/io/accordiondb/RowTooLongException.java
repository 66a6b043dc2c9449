// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

/** A row or key is longer than allowed. */
public final class RowTooLongException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates an exception that names the length and the limit, in bytes.
   *
   * @param length the length in bytes
   * @param limit the largest allowed length in bytes
   */
  public RowTooLongException(int length, int limit) {
    super("the row has " + length + " bytes, more than the limit of " + limit);
  }
}
