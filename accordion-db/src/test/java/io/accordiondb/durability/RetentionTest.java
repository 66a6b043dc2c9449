// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.durability;

import static io.accordiondb.fixtures.TestFiles.deleteFolder;

import io.accordiondb.ParallelRuns;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** No flush and no compaction drops what a reader can need, whatever lies in files and memory. */
class RetentionTest {
  private static final int SEEDS = 20;

  private static final int STEPS = 250;

  @Test
  @Timeout(value = 2, unit = TimeUnit.MINUTES)
  void flushesAndCompactionsDoNotChangeAnswers() throws IOException {
    check(Long.getLong("retention.seed", 1), SEEDS);
  }

  @Test
  @Tag("long")
  @Timeout(value = 60, unit = TimeUnit.MINUTES)
  void flushesAndCompactionsDoNotChangeAnswersOfManyRuns() throws IOException {
    check(1_000, 4_000);
  }

  static void check(long firstSeed, int seeds) throws IOException {
    Path folder = Files.createTempDirectory("accordion-retention-");
    try {
      ParallelRuns.forEach(firstSeed, firstSeed + seeds, seed -> run(seed, folder));
    } finally {
      deleteFolder(folder);
    }
  }

  private static void run(long seed, Path folder) {
    try {
      Path own = Files.createDirectory(folder.resolve("run" + seed));
      try (RetentionRun run = new RetentionRun(seed, own)) {
        run.run(STEPS);
      }
    } catch (AssertionError | IOException e) {
      throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
    }
  }
}
