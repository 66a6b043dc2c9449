// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import java.io.IOException;

/** Compactions for tests that draw by lot which one they run. */
public final class Compactions {
  private Compactions() {}

  public static void compact(Database database, String table, boolean major) throws IOException {
    if (major) {
      database.majorCompact(table);
    } else {
      database.compact(table);
    }
  }
}
