// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.commit;

import static io.accordiondb.schedules.Schedules.check;

import io.accordiondb.internal.commit.Visibility.InFlight;
import io.accordiondb.schedules.Schedules;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

/** Writes begin in the order of their numbers, finish in any order, and become visible in order. */
@Tag("slow")
@Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = ThreadMode.SEPARATE_THREAD)
class VisibilityScheduleTest {
  private static final int SCHEDULES = 60;
  private static final String NOT_EARLY = "a write that has not finished is not visible";
  private static final String NOT_LATE = "a write that was acknowledged is visible";

  /** Writers and a reader. */
  private static final class Scene {
    private final Visibility visibility = new Visibility();
    private long lastSequence;

    private synchronized InFlight begin() {
      return visibility.begin(++lastSequence);
    }

    void write() {
      InFlight write = begin();
      check(visibility.visible() < write.lastSequence(), NOT_EARLY);
      check(visibility.finish(write), "nothing has failed");
      check(visibility.visible() >= write.lastSequence(), NOT_LATE);
    }

    void writeBesideFailure() {
      InFlight write = begin();
      boolean acknowledged = visibility.finish(write);
      check(acknowledged == visibility.visible() >= write.lastSequence(), NOT_LATE);
    }

    void fail() {
      InFlight write = begin();
      visibility.abandon();
      check(visibility.visible() < write.lastSequence(), NOT_EARLY);
    }

    void read() {
      long first = visibility.visible();
      long second = visibility.visible();
      check(first <= second, "what was visible stays visible");
    }

    /** Defect: does not wait for the writes before it. */
    void writeOutOfOrder() {
      InFlight write = begin();
      visibility.recoverTo(write.lastSequence());
      visibility.finish(write);
    }

    /** Defect: acknowledges the write while another thread waits for it to be visible. */
    void acknowledgeEarly() {
      InFlight write = begin();
      new Thread(new Finishing(visibility, write)).start();
      check(visibility.visible() >= write.lastSequence(), NOT_LATE);
    }

    void end() {
      InFlight write = begin();
      check(!visibility.finish(write), "nothing behind a failed write is acknowledged");
    }

    void endWell() {
      check(visibility.visible() == lastSequence, NOT_LATE);
    }
  }

  /** Not a record, in which Lincheck could not see the fields. */
  private static final class Finishing implements Runnable {
    private final Visibility visibility;
    private final InFlight write;

    Finishing(Visibility visibility, InFlight write) {
      this.visibility = visibility;
      this.write = write;
    }

    @Override
    public void run() {
      visibility.finish(write);
    }
  }

  @Test
  void aWriteIsVisibleWhenItIsAcknowledgedAndNotBeforeItHasFinished() {
    Schedules.assertHolds(
        SCHEDULES, Scene::new, List.of(Scene::write, Scene::write, Scene::read), Scene::endWell);
  }

  @Test
  void aFailedWriteStopsThoseBehindItAndNoneWaitsForever() {
    Schedules.assertHolds(
        SCHEDULES,
        Scene::new,
        List.of(Scene::writeBesideFailure, Scene::fail, Scene::writeBesideFailure),
        Scene::end);
  }

  @Test
  void aWriteThatOvertakesIsFound() {
    Schedules.assertBreaks(
        NOT_EARLY, Scene::new, List.of(Scene::write, Scene::writeOutOfOrder), Scene::read);
  }

  @Test
  void aWriteThatIsAcknowledgedEarlyIsFound() {
    Schedules.assertBreaks(
        NOT_LATE, Scene::new, List.of(Scene::write, Scene::acknowledgeEarly), Scene::read);
  }
}
