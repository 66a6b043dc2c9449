// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

/** A change was asked of a database that was opened for reading alone. */
public final class ReadOnlyDatabaseException extends DatabaseException {
  private static final long serialVersionUID = 1L;

  /** Names the folder. */
  public ReadOnlyDatabaseException(String folder) {
    super(folder + " was opened for reading alone");
  }
}
