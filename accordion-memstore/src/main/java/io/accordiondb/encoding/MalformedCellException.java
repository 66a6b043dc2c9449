// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.encoding;

/** Bytes that were to be a cell are none: a field lies outside of what the bytes allow. */
public final class MalformedCellException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  MalformedCellException(String field, long found, long min, long max) {
    super(field + " is " + found + ", expected " + min + " to " + max);
  }
}
