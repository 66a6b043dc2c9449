// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import org.jspecify.annotations.Nullable;

/** A file does not hold what it must. */
public final class CorruptionException extends DatabaseException {
  private static final long serialVersionUID = 1L;

  private final String file;
  private final long offset;

  /** Names file and offset, what was expected there, and what was found. */
  public CorruptionException(String file, long offset, String expected, String found) {
    this(file, offset, expected, found, null);
  }

  /** Same as above, with a cause. */
  public CorruptionException(
      String file, long offset, String expected, String found, @Nullable Throwable cause) {
    this(
        file + " is damaged at offset " + offset + ": expected " + expected + ", found " + found,
        file,
        offset,
        cause);
  }

  private CorruptionException(String message, String file, long offset, @Nullable Throwable cause) {
    super(message, cause);
    this.file = file;
    this.offset = offset;
  }

  /** Returns an exception whose message also says what to do, with this one as its cause. */
  public CorruptionException withRemedy(String remedy) {
    return new CorruptionException(getMessage() + "; " + remedy, file, offset, this);
  }

  /** Returns the name of the file. */
  public String file() {
    return file;
  }

  /** Returns the offset of the damage in bytes. */
  public long offset() {
    return offset;
  }
}
