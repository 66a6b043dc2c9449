// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.RestorePoint;
import io.accordiondb.history.HistoryRun.Moment;
import io.accordiondb.internal.storage.MemoryStorage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A copy follows the log to any moment of a random history, by number and by time. */
class RollForwardModelTest {
  private static final int OPERATIONS = 120;
  private static final int MOMENTS = 12;
  private static final int SEEDS = 4;
  private static final int LONG_SEEDS = 400;

  @Test
  void everyMomentIsReached() throws IOException {
    for (long seed = 1; seed <= SEEDS; seed++) {
      run(seed);
    }
  }

  @Test
  @Tag("long")
  void everyMomentOfMoreHistoriesIsReached() throws IOException {
    long first = System.nanoTime();
    for (long seed = first; seed < first + LONG_SEEDS; seed++) {
      run(seed);
    }
  }

  /** The log does not hold what is ingested, so no copy may follow it past that. */
  @Test
  void noMomentBehindAnIngestionIsReached(@TempDir Path folder) throws IOException {
    for (long seed = 1; seed <= SEEDS; seed++) {
      runIngesting(seed, folder);
    }
  }

  private static void runIngesting(long seed, Path folder) throws IOException {
    try (HistoryRun run = new HistoryRun(seed)) {
      run.run(OPERATIONS / 6);
      MemoryStorage copy = run.checkpoint();
      int first = run.moments().size() - 1;
      run.run(OPERATIONS / 6);
      int ingested = run.moments().size();
      run.ingest(folder);
      run.run(OPERATIONS / 6);
      MemoryStorage log = run.checkpoint();
      for (int i = first; i < run.moments().size(); i++) {
        Moment moment = run.moments().get(i);
        RestorePoint point = RestorePoint.sequence(moment.sequence());
        if (i < ingested) {
          run.check(copy, log, point, moment);
        } else {
          run.checkRefused(copy, log, point);
        }
        if (i >= ingested && moment.isNoted()) {
          run.checkRefused(copy, log, RestorePoint.time(moment.time()));
        }
      }
    } catch (AssertionError | RuntimeException | IOException e) {
      throw new AssertionError("seed " + seed, e);
    }
  }

  private static void run(long seed) throws IOException {
    try (HistoryRun run = new HistoryRun(seed)) {
      run.run(OPERATIONS / 3);
      MemoryStorage copy = seed % 2 == 0 ? run.copyByReader() : run.checkpoint();
      int first = run.moments().size() - 1;
      run.run(OPERATIONS);
      MemoryStorage log = run.checkpoint();
      List<Moment> moments = new ArrayList<>(run.moments().subList(first, run.moments().size()));
      Moment last = moments.get(moments.size() - 1);
      run.check(copy, log, RestorePoint.sequence(last.sequence()), last);
      Collections.shuffle(moments, new Random(seed));
      for (Moment moment : moments.subList(0, MOMENTS)) {
        run.check(copy, log, RestorePoint.sequence(moment.sequence()), moment);
      }
      moments.removeIf(moment -> !moment.isNoted());
      for (Moment moment : moments.subList(0, Math.min(MOMENTS / 2, moments.size()))) {
        run.check(copy, log, RestorePoint.time(moment.time()), moment);
      }
      assertThat(moments).isNotEmpty();
    } catch (AssertionError | RuntimeException | IOException e) {
      throw new AssertionError("seed " + seed, e);
    }
  }
}
