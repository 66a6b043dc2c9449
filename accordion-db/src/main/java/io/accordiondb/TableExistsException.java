// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

/** A table was to be created that exists. */
public final class TableExistsException extends DatabaseException {
  private static final long serialVersionUID = 1L;

  /** Names the table. */
  public TableExistsException(String table) {
    super("a table named \"" + table + "\" exists; use another name, or drop it first");
  }
}
