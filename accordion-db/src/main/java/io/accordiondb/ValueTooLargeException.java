// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

/** A value, a qualifier or a whole batch is larger than allowed. */
public final class ValueTooLargeException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates an exception that names what is too large, its size and the limit, in bytes.
   *
   * @param what the object that is too large, in words
   * @param size the size in bytes
   * @param limit the largest allowed size in bytes
   */
  public ValueTooLargeException(String what, long size, long limit) {
    super(what + " has " + size + " bytes, more than the limit of " + limit);
  }
}
