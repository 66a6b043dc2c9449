// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

/** The database was opened read-only and cannot be changed. */
public final class ReadOnlyDatabaseException extends DatabaseException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates an exception that names the folder.
   *
   * @param folder the path of the folder
   */
  public ReadOnlyDatabaseException(String folder) {
    super(folder + " was opened for reading only");
  }
}
