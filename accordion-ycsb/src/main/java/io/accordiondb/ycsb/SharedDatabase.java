// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.ycsb;

import io.accordiondb.Database;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.Durability;
import io.accordiondb.memstore.MemStorePolicy;
import io.accordiondb.memstore.Policy;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;

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

  static SharedDatabase enter(Properties properties) throws IOException {
    String name = properties.getProperty("accordion.dir");
    if (name == null) {
      throw new IOException("set the property accordion.dir to the folder of the database");
    }
    Path directory = Path.of(name).toAbsolutePath().normalize();
    synchronized (OPEN) {
      SharedDatabase shared = OPEN.get(directory);
      if (shared == null) {
        shared = new SharedDatabase(directory, Database.open(directory, options(properties)));
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

  private static DatabaseOptions options(Properties properties) {
    DatabaseOptions.Builder builder = DatabaseOptions.builder();
    String policy = properties.getProperty("accordion.policy");
    if (policy != null) {
      builder.memStorePolicy(MemStorePolicy.of(Policy.valueOf(policy.toUpperCase(Locale.ROOT))));
    }
    String memory = properties.getProperty("accordion.memorybytes");
    if (memory != null) {
      builder.memoryBytes(Long.parseLong(memory));
    }
    String durability = properties.getProperty("accordion.durability");
    if (durability != null) {
      builder.durability(Durability.valueOf(durability.toUpperCase(Locale.ROOT)));
    }
    return builder.build();
  }
}
