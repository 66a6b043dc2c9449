// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

/** A table with this name exists already. */
public final class TableExistsException extends DatabaseException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates an exception that names the table.
   *
   * @param table the name of the table
   */
  public TableExistsException(String table) {
    super("a table named \"" + table + "\" exists; use another name, or drop it first");
  }
}
