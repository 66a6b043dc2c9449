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

  /** As the other constructor, with a cause. */
  public CorruptionException(
      String file, long offset, String expected, String found, @Nullable Throwable cause) {
    super(
        file + " is damaged at offset " + offset + ": expected " + expected + ", found " + found,
        cause);
    this.file = file;
    this.offset = offset;
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
