// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import org.jspecify.annotations.Nullable;

/** A file is damaged: it does not contain what it must. */
public final class CorruptionException extends DatabaseException {
  private static final long serialVersionUID = 1L;

  /** The name of the damaged file. */
  private final String file;

  /** The offset of the damage in bytes. */
  private final long offset;

  /**
   * Creates an exception that names the file, the offset, and what was expected and found there.
   *
   * @param file the name of the file
   * @param offset the offset in bytes
   * @param expected what was expected
   * @param found what was found
   */
  public CorruptionException(String file, long offset, String expected, String found) {
    this(file, offset, expected, found, null);
  }

  /**
   * Same as above, with a cause.
   *
   * @param file the name of the file
   * @param offset the offset in bytes
   * @param expected what was expected
   * @param found what was found
   * @param cause the exception that showed the damage
   */
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

  /**
   * {@return an exception whose message also says what to do, with this one as its cause}
   *
   * @param remedy what to do
   */
  public CorruptionException withRemedy(String remedy) {
    return new CorruptionException(getMessage() + "; " + remedy, file, offset, this);
  }

  /** {@return the name of the file} */
  public String file() {
    return file;
  }

  /** {@return the offset of the damage in bytes} */
  public long offset() {
    return offset;
  }
}
