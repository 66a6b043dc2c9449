// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import java.util.Collection;

/** A column family was named that the table does not have. */
public final class FamilyNotFoundException extends DatabaseException {
  private static final long serialVersionUID = 1L;

  /** Names the table, the family and the families that exist. */
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
