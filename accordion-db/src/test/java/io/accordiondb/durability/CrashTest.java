// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.durability;

import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.ParallelRuns;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Whole databases that crash at any change of the disk, by a loss of power or the death of the
 * process alone, again while they recover, and are used on after that.
 *
 * <p>A failure names its seed; {@code -Dcrash.seed=N} runs that one alone, and {@code
 * -Dcrash.points=N} sets the number of crashes. Where flushes and compactions run in the
 * background, a seed does not always repeat the failure.
 */
class CrashTest {
  /** Few, for more databases of other options in the same time. */
  private static final int LIVES = 2;

  private static final int LIVES_LONG = 5;
  private static final int SEEDS_AT_ONCE = 2;
  private static final Long SEED = Long.getLong("crash.seed");

  @Test
  @Timeout(value = 5, unit = TimeUnit.MINUTES)
  void whatACrashLeavesIsAPrefixOfTheWrites() {
    run(1, Long.getLong("crash.points", 400), LIVES);
  }

  @Test
  @Tag("long")
  @Timeout(value = 2, unit = TimeUnit.HOURS)
  void whatACrashLeavesIsAPrefixOfTheWritesForManySeeds() {
    run(1_000_000, 1_000_000, LIVES_LONG);
  }

  private static void run(long firstSeed, long pointsWanted, int lives) {
    if (SEED != null) {
      points(SEED, lives);
      return;
    }
    long points = 0;
    long seed = firstSeed;
    while (points < pointsWanted) {
      points += ParallelRuns.sum(seed, seed + SEEDS_AT_ONCE, number -> points(number, lives));
      seed += SEEDS_AT_ONCE;
    }
    System.out.printf("%,d crashes of %,d databases%n", points, seed - firstSeed);
    assertThat(points).isGreaterThanOrEqualTo(pointsWanted);
  }

  private static long points(long seed, int lives) {
    CrashRun run = new CrashRun(seed);
    try {
      run.run(lives);
    } catch (IOException | RuntimeException e) {
      throw new AssertionError("seed " + seed, e);
    }
    return run.points();
  }
}
