// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.backup;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Backups beside all that changes a database and all that fails, compared with a model. */
@Tag("slow")
class BackupModelTest {
  private static final int RUNS = Integer.getInteger("backup.runs", 1);
  private static final int RUNS_LONG = 300;
  private static final long FIRST_SEED = Long.getLong("backup.seed", 1);

  @TempDir private Path folder;

  @Test
  @Timeout(value = 15, unit = TimeUnit.MINUTES)
  void everyGenerationThatIsListedRestoresItsMoment() {
    run(RUNS);
  }

  @Test
  @Tag("long")
  @Timeout(value = 5, unit = TimeUnit.HOURS)
  void everyGenerationThatIsListedRestoresItsMomentInManyRuns() {
    run(RUNS_LONG);
  }

  private void run(int runs) {
    for (long seed = FIRST_SEED; seed < FIRST_SEED + runs; seed++) {
      try {
        BackupRun.run(seed, folder.resolve("run" + seed));
      } catch (Exception | AssertionError e) {
        throw new AssertionError("replay with -Dbackup.runs=1 -Dbackup.seed=" + seed + ": " + e, e);
      }
    }
  }
}
