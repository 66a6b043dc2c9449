// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.ycsb;

import io.accordiondb.Database;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * The databases that YCSB's threads share: YCSB makes a client for each thread, and a folder can be
 * open only once. The last thread to leave closes it.
 */
final class SharedDatabase {
  private static final Map<Path, SharedDatabase> OPEN = new HashMap<>();

  private final Path directory;
  private final Database database;
  private int users;

  private SharedDatabase(Path directory, Database database) {
    this.directory = directory;
    this.database = database;
  }

  /**
   * Opens the database that properties name, or shares it if it is open.
   *
   * @throws IllegalArgumentException if they name no folder
   */
  static SharedDatabase enter(StoreProperties properties) throws IOException {
    String name = properties.text(StoreProperties.DIRECTORY, "");
    if (name.isEmpty()) {
      throw new IllegalArgumentException(
          "set the property " + StoreProperties.DIRECTORY + " to the folder of the database");
    }
    Path directory = Path.of(name).toAbsolutePath().normalize();
    synchronized (OPEN) {
      SharedDatabase shared = OPEN.get(directory);
      if (shared == null) {
        shared = new SharedDatabase(directory, Database.open(directory, properties.options()));
        OPEN.put(directory, shared);
      }
      shared.users++;
      return shared;
    }
  }

  Database database() {
    return database;
  }

  void leave() throws IOException {
    synchronized (OPEN) {
      users--;
      if (users == 0) {
        OPEN.remove(directory);
        database.close();
      }
    }
  }
}
