// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.durability;

import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.ParallelRuns;
import java.io.IOException;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * One sequence of operations under many sets of options: policies, sizes, block formats, regions,
 * when flushes and compactions happen, when formats change, when the storage fails for a while,
 * when the database is copied, closed and opened. None of it may be seen in the answers.
 */
class MetamorphicTest {
  private static final int OPTION_SETS = 6;
  private static final int OPTION_SETS_LONG = 50;
  private static final int OPERATIONS = 1_000;
  private static final int OPERATIONS_LONG = 1_500;

  @Test
  @Timeout(value = 3, unit = TimeUnit.MINUTES)
  void optionsDoNotChangeAnswers() throws IOException {
    check(Long.getLong("metamorphic.seed", 1));
  }

  @Test
  @Tag("long")
  @Timeout(value = 60, unit = TimeUnit.MINUTES)
  void optionsDoNotChangeAnswersOfManySequences() throws IOException {
    for (long seed = 2; seed <= 12; seed++) {
      check(seed, OPTION_SETS_LONG, OPERATIONS_LONG);
    }
  }

  static void check(long seed) throws IOException {
    check(seed, OPTION_SETS, OPERATIONS);
  }

  private static void check(long seed, int optionSets, int operations) throws IOException {
    List<String> expected = new MetamorphicRun(seed, 0).answers(operations);
    assertThat(expected.stream().distinct().count()).isGreaterThan(operations / 10);
    ParallelRuns.forEach(
        1,
        optionSets + 1,
        options -> {
          MetamorphicRun run = new MetamorphicRun(seed, (int) options);
          try {
            run.compareWith(expected);
          } catch (IOException | RuntimeException | AssertionError e) {
            throw new AssertionError("seed " + seed + ", " + run, e);
          }
        });
  }

  /** Returns a random source for one purpose. */
  static SplittableRandom random(long seed, long purpose) {
    return new SplittableRandom(seed * 1_000_003 + purpose);
  }
}
