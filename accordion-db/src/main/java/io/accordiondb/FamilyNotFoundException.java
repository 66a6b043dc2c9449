// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import java.util.Collection;

/** The table has no column family of this name. */
public final class FamilyNotFoundException extends DatabaseException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates an exception that names the table, the family and the families that exist.
   *
   * @param table the name of the table
   * @param family the name of the family
   * @param existing the families that exist
   */
  public FamilyNotFoundException(String table, String family, Collection<String> existing) {
    super(
        "table \""
            + table
            + "\" has no family \""
            + family
            + "\"; it has "
            + String.join(", ", existing));
  }
}
