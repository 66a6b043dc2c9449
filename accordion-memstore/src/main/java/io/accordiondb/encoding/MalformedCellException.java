// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.encoding;

/** Thrown when bytes are not a valid cell: the bounds of a field contradict the available bytes. */
public final class MalformedCellException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  MalformedCellException(String field, long found, long min, long max) {
    super(field + " is " + found + ", expected " + min + " to " + max);
  }
}
