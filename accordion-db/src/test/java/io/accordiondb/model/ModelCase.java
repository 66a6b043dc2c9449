// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.model;

import io.accordiondb.memstore.Policy;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Runs sequences of operations under one policy and one set of options, and shortens one that
 * fails.
 *
 * @param seed from which the options follow
 * @param folder where files may be written
 */
record ModelCase(Policy policy, long seed, Path folder) {
  /** How long a sequence is shortened at most; background threads make each attempt a chance. */
  private static final Duration SHORTENING_MAX = Duration.ofSeconds(30);

  /** Returns why a sequence fails, or null. */
  @Nullable Throwable failureOf(List<Operation> operations) {
    int done = 0;
    try (ModelRun run = new ModelRun(policy, seed, folder)) {
      for (Operation operation : operations) {
        run.apply(operation);
        done++;
      }
      run.finish();
      return null;
    } catch (IOException | RuntimeException | AssertionError e) {
      String where = done == operations.size() ? "the end" : operations.get(done).toString();
      return new AssertionError("at " + where + ", operation " + done + ": " + e, e);
    }
  }

  /** Returns an error that shows the shortest sequence found that fails, and how to replay it. */
  AssertionError report(List<Operation> operations, Throwable failure) {
    List<Operation> shortest = operations;
    Throwable last = failure;
    Instant end = Instant.now().plus(SHORTENING_MAX);
    int part = Math.max(1, operations.size() / 2);
    while (part > 0 && Instant.now().isBefore(end)) {
      for (int from = 0; from < shortest.size() && Instant.now().isBefore(end); ) {
        List<Operation> shorter = without(shortest, from, Math.min(shortest.size(), from + part));
        Throwable shorterFailure = failureOf(shorter);
        if (shorterFailure == null) {
          from += part;
        } else {
          shortest = shorter;
          last = shorterFailure;
        }
      }
      part /= 2;
    }
    return new AssertionError(
        String.format(
            "seed %d under %s; replay it with%n  mvn -pl accordion-db -am test"
                + " -Dtest='TableModelTest#answersAreThoseOfTheModel*' -Dmodel.seed=%d"
                + " -Dsurefire.failIfNoSpecifiedTests=false%n"
                + "it failed %s%n%d of %d operations are left: %s%nwhich fail as follows",
            seed, policy, seed, failure.getMessage(), shortest.size(), operations.size(), shortest),
        last);
  }

  private static List<Operation> without(List<Operation> operations, int from, int to) {
    List<Operation> rest = new ArrayList<>(operations.subList(0, from));
    rest.addAll(operations.subList(to, operations.size()));
    return rest;
  }
}
