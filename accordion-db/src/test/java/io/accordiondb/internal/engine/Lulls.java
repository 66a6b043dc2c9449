// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.engine;

import io.accordiondb.Database;
import io.accordiondb.internal.region.TableState;
import java.io.IOException;

/** Lets databases do at once what they do when next to nothing has been written for a while. */
public final class Lulls {
  private Lulls() {}

  /** Merges the segments of a table in memory, in the background. */
  public static void pass(Database database, String table) throws IOException {
    TableState state = ((DatabaseEngine) database).parts().tables().get(table);
    state.stores().forEach(store -> store.memStore().mergePipeline());
    // Now nothing was added to the active segments since the last time, so they may be sealed.
    state.stores().forEach(store -> store.memStore().mergePipeline());
  }

  /** Seals the active segments of a table, however little they hold, and merges all segments. */
  public static void seal(Database database, String table) throws IOException {
    database.flushInMemory(table);
    pass(database, table);
  }
}
