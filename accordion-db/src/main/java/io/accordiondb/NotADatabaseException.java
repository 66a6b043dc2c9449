// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

/** The folder does not hold a database. */
public final class NotADatabaseException extends DatabaseException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates an exception that names the folder and the reason.
   *
   * @param path the path of the folder
   * @param reason why it is not a database
   */
  public NotADatabaseException(String path, String reason) {
    super(path + " is not a database: " + reason);
  }
}
