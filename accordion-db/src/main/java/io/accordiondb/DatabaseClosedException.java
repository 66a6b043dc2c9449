// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

/** A database was used after it had been closed. */
public final class DatabaseClosedException extends DatabaseException {
  private static final long serialVersionUID = 1L;

  /** Names the folder. */
  public DatabaseClosedException(String path) {
    super("the database " + path + " has been closed; open it again");
  }
}
