// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

/** A folder was opened that holds no database. */
public final class NotADatabaseException extends DatabaseException {
  private static final long serialVersionUID = 1L;

  /** Names the folder and what speaks against it. */
  public NotADatabaseException(String path, String reason) {
    super(path + " is not a database: " + reason);
  }
}
