// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.ycsb;

import io.accordiondb.Database;
import io.accordiondb.TableExistsException;
import java.io.IOException;

/**
 * The tables of a layout: each has one family, whose name tells the layouts apart.
 *
 * @param family the name of the family
 */
record Tables(StoreProperties properties, Database database, String family) {
  /**
   * Creates a table unless it is there.
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
