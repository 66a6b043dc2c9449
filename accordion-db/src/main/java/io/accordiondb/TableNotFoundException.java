// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

/** A table was asked for that does not exist. */
public final class TableNotFoundException extends DatabaseException {
  private static final long serialVersionUID = 1L;

  /** Names the table. */
  public TableNotFoundException(String table) {
    super("no table named \"" + table + "\"; create it with Database.createTable");
  }
}
