// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.commit;

import io.accordiondb.encoding.MalformedCellException;

/** Thrown when a log record has a valid checksum but holds no valid batch. */
public final class MalformedBatchException extends Exception {
  private static final long serialVersionUID = 1L;

  private final int offset;

  MalformedBatchException(int offset, String what, long found, long expected) {
    super(what + ": found " + found + ", expected " + expected);
    this.offset = offset;
  }

  MalformedBatchException(int offset, MalformedCellException cause) {
    super(cause.getMessage(), cause);
    this.offset = offset;
  }

  /** Returns the offset of the damage in the payload. */
  public int offset() {
    return offset;
  }
}
