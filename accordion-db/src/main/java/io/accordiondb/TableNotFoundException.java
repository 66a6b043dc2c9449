// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

/** There is no table with this name. */
public final class TableNotFoundException extends DatabaseException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates an exception that names the table.
   *
   * @param table the name of the table
   */
  public TableNotFoundException(String table) {
    super("no table named \"" + table + "\"; create it with Database.createTable");
  }
}
