// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

/** A database was opened that is open already. */
public final class DatabaseLockedException extends DatabaseException {
  private static final long serialVersionUID = 1L;

  /** Names the folder and who has it open. */
  public DatabaseLockedException(String path, String holder) {
    super(path + " is open already, " + holder + "; close it there first");
  }
}
