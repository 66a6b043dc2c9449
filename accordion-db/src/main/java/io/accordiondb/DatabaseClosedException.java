// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

/** A database, or something that belongs to it, was used after the database had been closed. */
public final class DatabaseClosedException extends ClosedException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates an exception that names the folder.
   *
   * @param path the path of the folder
   */
  public DatabaseClosedException(String path) {
    super("the database " + path, "; open it again");
  }
}
