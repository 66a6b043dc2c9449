// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

/** A table or family has a name that is not allowed. */
public final class InvalidNameException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  /** Names what has the name, the name, and what is allowed. */
  public InvalidNameException(String what, String name, String allowed) {
    super(what + " name \"" + name + "\" is not allowed; expected " + allowed);
  }
}
