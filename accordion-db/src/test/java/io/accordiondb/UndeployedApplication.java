// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import static io.accordiondb.fixtures.TestData.bytes;

import java.io.IOException;
import java.nio.file.Path;

/** An application that uses a database and closes it. A class loader of its own runs it. */
public final class UndeployedApplication {
  private static final int ROWS = 1000;

  private UndeployedApplication() {}

  /**
   * Writes and reads.
   *
   * @param folder the folder of the database
   */
  public static void run(Path folder) throws IOException {
    try (Database database = Database.open(folder)) {
      KeyValueStore store = database.keyValueStore("items");
      for (int i = 0; i < ROWS; i++) {
        store.put(bytes("key " + i), new byte[100]);
      }
      database.flush();
      for (int i = 0; i < ROWS; i++) {
        store.get(bytes("key " + i));
      }
    }
  }
}
