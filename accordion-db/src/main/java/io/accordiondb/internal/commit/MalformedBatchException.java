// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.commit;

import io.accordiondb.FormatVersionException;
import io.accordiondb.encoding.MalformedCellException;

/** Thrown when a log record has a valid checksum but holds no valid batch. */
public final class MalformedBatchException extends Exception {
  private static final long serialVersionUID = 1L;

  private final int offset;

  MalformedBatchException(int offset, String what, long found, long expected) {
    super(what + ": found " + found + ", expected " + expected);
    this.offset = offset;
  }

  MalformedBatchException(int offset, String what) {
    super(what);
    this.offset = offset;
  }

  MalformedBatchException(int offset, MalformedCellException cause) {
    super(cause.getMessage(), cause);
    this.offset = offset;
  }

  /**
   * Returns the exception to throw: as the checksum of the record is right, a newer version has
   * written it.
   *
   * @param place the file and the offset of the record
   */
  public FormatVersionException newer(String place) {
    return new FormatVersionException(place, "no batch that this software knows, " + getMessage());
  }

  /** Returns the offset in the payload of what is not known. */
  public int offset() {
    return offset;
  }
}
