// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.ycsb;

import io.accordiondb.Database;
import io.accordiondb.TableExistsException;
import java.io.IOException;

/**
 * Creates the tables of a layout. Each table has one family, whose name identifies the layout.
 *
 * @param family name of the family, which no other layout uses
 */
record Tables(StoreProperties properties, Database database, String family) {
  /**
   * Creates a table unless it exists.
   *
   * @throws IOException if it was created with the other layout
   */
  void createIfMissing(String name) throws IOException {
    if (!database.exists(name)) {
      try {
        database.createTable(properties.table(name, family));
        return;
      } catch (TableExistsException e) {
        if (!database.exists(name)) {
          throw e;
        }
      }
    }
    if (!database.table(name).descriptor().familyNames().contains(family)) {
      throw new IOException(
          "the table "
              + name
              + " keeps its records in the other layout; set the property "
              + StoreProperties.LAYOUT);
    }
  }
}
