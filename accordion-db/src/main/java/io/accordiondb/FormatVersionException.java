// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

/** A file has a format that this version does not support. */
public final class FormatVersionException extends DatabaseException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates an exception that names the file, its version and the highest supported one.
   *
   * @param file the name of the file
   * @param found the version of the file
   * @param known the highest version that is supported
   */
  public FormatVersionException(String file, long found, long known) {
    super(
        file
            + " is of format version "
            + found
            + ", and this software knows version "
            + known
            + "; open it with the version that wrote it, or a newer one");
  }
}
