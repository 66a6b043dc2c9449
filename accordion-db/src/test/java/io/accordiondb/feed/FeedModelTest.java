// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.feed;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Feeds beside all that changes tables, regions and files, compared with a model. */
class FeedModelTest {
  private static final int RUNS = Integer.getInteger("feed.runs", 4);
  private static final int RUNS_LONG = 300;
  private static final long FIRST_SEED = Long.getLong("feed.seed", 1);

  @TempDir private Path folder;

  @Test
  @Timeout(value = 3, unit = TimeUnit.MINUTES)
  void theChangesOfAFeedGiveTheTables() {
    run(RUNS);
  }

  @Test
  @Tag("long")
  @Timeout(value = 1, unit = TimeUnit.HOURS)
  void theChangesOfAFeedGiveTheTablesInManyRuns() {
    run(RUNS_LONG);
  }

  private void run(int runs) {
    for (long seed = FIRST_SEED; seed < FIRST_SEED + runs; seed++) {
      try {
        FeedRun.run(seed, folder.resolve("run" + seed));
      } catch (Exception | AssertionError e) {
        throw new AssertionError("replay with -Dfeed.runs=1 -Dfeed.seed=" + seed + ": " + e, e);
      }
    }
  }
}
