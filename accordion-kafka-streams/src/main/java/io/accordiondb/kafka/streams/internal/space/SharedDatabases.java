// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.kafka.streams.internal.space;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * The databases that are open in this process, by the applications' state directories. Thread-safe.
 *
 * <p>Kafka Streams creates its stores and gives them nothing in common except the directory, so the
 * shared database must be found through a static field.
 */
final class SharedDatabases {
  private static final SharedDatabases PROCESS = new SharedDatabases();

  @GuardedBy("this")
  private final Map<Path, Holding> holdings = new HashMap<>();

  /** A database and how many stores hold it. */
  private static final class Holding {
    private final SharedDatabase database;
    private int holders;

    Holding(SharedDatabase database) {
      this.database = database;
    }
  }

  private SharedDatabases() {}

  /** Returns the databases of this process. */
  static SharedDatabases process() {
    return PROCESS;
  }

  /** Returns the database of a directory, and opens it if necessary. The caller must release it. */
  synchronized SharedDatabase acquire(Path home, SpaceOptions options) throws IOException {
    Holding holding = holdings.get(home);
    if (holding == null) {
      holding = open(home, options);
    } else {
      holding.database.reopenIfFailed();
    }
    holding.holders++;
    return holding.database;
  }

  @GuardedBy("this")
  private Holding open(Path home, SpaceOptions options) throws IOException {
    SharedDatabase opened = SharedDatabase.open(home, options);
    boolean held = false;
    try {
      Holding holding = new Holding(opened);
      holdings.put(home, holding);
      held = true;
      return holding;
    } finally {
      if (!held) {
        // Nobody could find it to close it, and it has the folder locked.
        opened.close();
      }
    }
  }

  /** Releases a database, and closes it if this was the last user. */
  synchronized void release(SharedDatabase database) throws IOException {
    Holding holding = holdings.get(database.home());
    if (holding != null && --holding.holders == 0) {
      holdings.remove(database.home());
      database.close();
    }
  }
}
