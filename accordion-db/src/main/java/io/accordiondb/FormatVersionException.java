// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

/**
 * A file has a format, or contents, that this version does not support. It is sound as far as its
 * checksums say, so a newer version has written it.
 */
public final class FormatVersionException extends DatabaseException {
  private static final long serialVersionUID = 1L;

  private static final String REMEDY = "; open it with the version that wrote it, or a newer one";

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
            + REMEDY);
  }

  /**
   * Creates an exception that names the file, and what is not known in it.
   *
   * @param file the name of the file
   * @param unknown what this software does not know, as a clause
   */
  public FormatVersionException(String file, String unknown) {
    super(file + " is from a newer version of this software: " + unknown + REMEDY);
  }
}
