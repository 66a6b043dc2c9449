// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

/** A file is of a format that this version does not know. */
public final class FormatVersionException extends DatabaseException {
  private static final long serialVersionUID = 1L;

  /** Names the file, its version and the one known. */
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
