// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.bench.paper;

import io.accordiondb.bench.Progress;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;

/**
 * Executes the rounds of all runs that experiments need: each run once a round, in changing order,
 * so that variations of the machine affect all runs. It skips rounds whose results exist.
 */
public final class PaperRounds {
  private static final int BAR_LENGTH = 24;

  /** A run in a round. */
  private record Turn(PaperRun run, int round) {}

  private final List<Turn> turns;
  private final int total;
  private final long effort;
  private final PaperResults results;
  private final AtomicLong done = new AtomicLong();

  // Written by the thread that runs.
  private volatile String current = "";
  private volatile long begun;

  /** Plans the rounds that are missing. */
  public PaperRounds(List<PaperRun> runs, int rounds, PaperResults results) {
    this.results = results;
    List<PaperRun> order = new ArrayList<>(runs.stream().distinct().toList());
    this.turns = new ArrayList<>();
    for (int round = 0; round < rounds; round++) {
      for (PaperRun run : order) {
        if (results.rounds(run).size() <= round) {
          turns.add(new Turn(run, round));
        }
      }
      Collections.reverse(order);
    }
    this.total = order.size() * rounds;
    this.effort = turns.stream().mapToLong(turn -> PaperRunner.effort(turn.run())).sum();
  }

  /** Runs the rounds, and reports the results of each. */
  public void run(RunLauncher launcher, PrintStream messages) throws IOException {
    begun = System.nanoTime();
    int number = total - turns.size();
    try (Progress progress = new Progress(messages, "paper", effort, this::state)) {
      for (Turn turn : turns) {
        number++;
        current =
            FigureFormat.format("run %d of %d, round %d: ", number, total, turn.round() + 1)
                + nameOf(turn.run());
        long before = done.get();
        LongConsumer told =
            rows -> {
              done.addAndGet(rows);
              progress.add(rows);
            };
        results.add(turn.run(), launcher.run(turn.run(), told));
        // What the process did not get to say.
        told.accept(PaperRunner.effort(turn.run()) - (done.get() - before));
      }
    }
  }

  private static String nameOf(PaperRun run) {
    return String.join(
            " ",
            run.engine(),
            run.policy().kind().name(),
            "A=" + run.policy().activeFraction(),
            "S=" + run.policy().pipelineSegmentsMax(),
            "R=" + run.policy().redundancyThreshold(),
            run.workload().name().toLowerCase(Locale.ROOT),
            run.distribution().name().toLowerCase(Locale.ROOT))
        + (run.disk() == Disk.NONE ? "" : ", " + run.disk().label());
  }

  private String state() {
    double share = (double) done.get() / Math.max(1, effort);
    int filled = (int) (BAR_LENGTH * Math.min(1, share));
    double seconds = (System.nanoTime() - begun) / 1e9;
    String left =
        share == 0
            ? "?"
            : FigureFormat.format(
                "%d:%02d",
                (long) (seconds * (1 - share) / share) / 60,
                (long) (seconds * (1 - share) / share) % 60);
    return "["
        + "#".repeat(filled)
        + ".".repeat(BAR_LENGTH - filled)
        + "] "
        + left
        + " left, "
        + current;
  }
}
