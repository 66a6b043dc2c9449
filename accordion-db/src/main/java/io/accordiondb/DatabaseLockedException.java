// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

/** The database is open already, in this process or in another one. */
public final class DatabaseLockedException extends DatabaseException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates an exception that names the folder and the process that has it open.
   *
   * @param path the path of the folder
   * @param holder the process that has it open
   */
  public DatabaseLockedException(String path, String holder) {
    super(path + " is open already, " + holder + "; close it there first");
  }
}
