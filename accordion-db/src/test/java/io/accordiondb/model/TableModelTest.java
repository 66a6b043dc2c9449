// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.ParallelRuns;
import io.accordiondb.memstore.Policy;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Random operations on two tables, each compared with a model, under every policy: writes, ingested
 * files, reads of the present and of snapshots, and everything that must not change an answer. A
 * sequence that fails is shortened, and shown with the command that replays it.
 *
 * <p>{@code -Dmodel.seed=N} runs one sequence alone; {@code -Dmodel.minutes=N} says how long the
 * long run takes for each policy.
 */
class TableModelTest {
  private static final int SEQUENCES = 2;
  private static final int OPERATIONS_MAX = 450;
  private static final Long SEED = Long.getLong("model.seed");

  @TempDir private Path folder;

  @ParameterizedTest
  @EnumSource
  @Timeout(value = 3, unit = TimeUnit.MINUTES)
  void answersAreThoseOfTheModel(Policy policy) {
    if (SEED != null) {
      run(policy, SEED);
      return;
    }
    // Options follow from the seed, too: no two policies have the same.
    long first = 1 + (long) policy.ordinal() * SEQUENCES;
    long operations = ParallelRuns.sum(first, first + SEQUENCES, seed -> run(policy, seed));
    assertThat(operations).isGreaterThan(OPERATIONS_MAX / 8);
  }

  /** Where no change meets a failure, nothing is known about those that do. */
  @AfterAll
  static void someChangesHaveFailed() {
    assertThat(SEED != null || Pair.FAILED_CHANGES.get() > 0).isTrue();
  }

  @ParameterizedTest
  @EnumSource
  @Tag("long")
  @Timeout(value = 3, unit = TimeUnit.HOURS)
  void answersAreThoseOfTheModelForALongTime(Policy policy) {
    Duration duration = Duration.ofMinutes(Long.getLong("model.minutes", 10));
    long first = Long.getLong("model.first", System.currentTimeMillis());
    Instant end = Instant.now().plus(duration);
    long operations = 0;
    long seed = first;
    while (Instant.now().isBefore(end)) {
      operations += ParallelRuns.sum(seed, seed + 8, s -> run(policy, s));
      seed += 8;
    }
    System.out.printf(
        "%s: %,d operations in %,d sequences, seeds %d to %d, in %s%n",
        policy, operations, seed - first, first, seed - 1, duration);
  }

  /** Runs the sequence of a seed and returns how many operations it has. */
  private long run(Policy policy, long seed) {
    List<Operation> operations = Operation.sequence(seed, OPERATIONS_MAX);
    ModelCase attempt = new ModelCase(policy, seed, folder);
    Throwable failure = attempt.failureOf(operations);
    if (failure != null) {
      throw attempt.report(operations, failure);
    }
    return operations.size();
  }
}
