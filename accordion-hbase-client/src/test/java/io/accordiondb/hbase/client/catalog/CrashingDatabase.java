// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.client.catalog;

import io.accordiondb.Database;
import io.accordiondb.KeyValueStore;
import io.accordiondb.hbase.client.InterceptedDatabase;
import java.util.Set;

/**
 * Passes calls on to a database until a number of changes has been made; from then on it throws at
 * each change, as if the process had died.
 */
final class CrashingDatabase {
  private static final Set<String> CHANGES =
      Set.of(
          "createTable", "alterTable", "dropTable", "truncateTable", "copyTable", "mergeRegions");

  private static final Set<String> CHANGES_OF_STORES = Set.of("put", "delete");

  private int left;

  private CrashingDatabase(int changes) {
    this.left = changes;
  }

  /** The process has died. */
  static final class Crash extends Error {
    private static final long serialVersionUID = 1L;
  }

  /** Returns a database that makes a number of changes and then dies. */
  static Database after(int changes, Database real) {
    CrashingDatabase crashing = new CrashingDatabase(changes);
    return InterceptedDatabase.of(
        real,
        (type, method) -> {
          Set<String> changing = Set.of();
          if (type == Database.class) {
            changing = CHANGES;
          } else if (type == KeyValueStore.class) {
            changing = CHANGES_OF_STORES;
          }
          if (changing.contains(method)) {
            crashing.change();
          }
        });
  }

  private void change() {
    if (left == 0) {
      throw new Crash();
    }
    left--;
  }
}
