// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

/** The name of a table or family is not allowed. */
public final class InvalidNameException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates an exception that names the kind of object, the name, and what is allowed.
   *
   * @param what the kind of object, in words
   * @param name the name that is not allowed
   * @param allowed the names that are allowed, in words
   */
  public InvalidNameException(String what, String name, String allowed) {
    super(what + " name \"" + name + "\" is not allowed; expected " + allowed);
  }
}
