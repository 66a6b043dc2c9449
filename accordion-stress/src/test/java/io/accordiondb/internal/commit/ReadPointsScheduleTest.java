// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.commit;

import static io.accordiondb.schedules.Schedules.check;

import io.accordiondb.internal.commit.ReadPoints.ReadPoint;
import io.accordiondb.schedules.Schedules;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

/**
 * Readers claim their read points while a writer goes on and cells below all claims are dropped.
 */
@Tag("slow")
@Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = ThreadMode.SEPARATE_THREAD)
class ReadPointsScheduleTest {
  private static final int SCHEDULES = 10;
  private static final String KEPT = "nothing above a claimed read point is dropped";
  private static final String NEWEST = "a read point covers what was acknowledged before";
  private static final String GIVEN_BACK = "a read point that was given back holds nothing";

  /** A writer, readers, and one who drops. */
  private static final class Scene {
    private final Visibility visibility = new Visibility();
    private final ReadPoints readPoints = new ReadPoints(visibility);
    private volatile long acknowledged;

    /** Superseded cells up to this sequence number are gone. */
    private volatile long dropped;

    /** The first write is gone because of the second one. */
    private volatile boolean overwritten;

    void write() {
      for (long sequence = 1; sequence <= 2; sequence++) {
        visibility.finish(visibility.begin(sequence));
        acknowledged = sequence;
      }
    }

    void drop() {
      dropped = readPoints.smallestReadPoint();
    }

    void writeAndDrop() {
      write();
      drop();
    }

    /** Defect: asks no reader. */
    void writeAndDropAllThatIsVisible() {
      write();
      dropped = visibility.visible();
    }

    void writeAndDropTheFirst() {
      write();
      overwritten = !readPoints.readPoints().isAnyBetween(1, 2);
    }

    void readBriefly() {
      long due = acknowledged;
      read(readPoints.enterBriefly(), due);
    }

    void readForLong() {
      long due = acknowledged;
      read(readPoints.enter(), due);
    }

    void scan() {
      long due = acknowledged;
      read(readPoints.enterScan(), due);
    }

    /** The thread's slots are taken, so the second claims go through the lock. */
    void readTwiceAtOnce() {
      ReadPoint first = readPoints.enterBriefly();
      ReadPoint scan = readPoints.enterScan();
      readBriefly();
      scan();
      read(scan, 0);
      read(first, 0);
    }

    void readAndHandOn() {
      ReadPoint first = readPoints.enterBriefly();
      ReadPoint second = readPoints.enter(first);
      first.close();
      read(second, 0);
    }

    private void read(ReadPoint point, long due) {
      check(point.sequence() >= due, NEWEST);
      check(dropped <= point.sequence(), KEPT);
      check(!overwritten || point.sequence() != 1, KEPT);
      point.close();
    }

    /** Defect: claims the read point, but does not look whether it was too late. */
    void readWithoutLookingAgain() {
      ReadPoint stale = readPoints.enter();
      stale.close();
      read(readPoints.enter(stale), 0);
    }

    /** Defect: the read point is older than the question. */
    void readAtOldPoint() {
      ReadPoint old = readPoints.enter();
      long due = acknowledged;
      read(readPoints.enter(old), due);
    }

    /** Defect: keeps its claim if something was written since. */
    void readAndForget() {
      long before = acknowledged;
      ReadPoint point = readPoints.enter();
      if (acknowledged == before) {
        point.close();
      }
    }

    void end() {
      check(readPoints.smallestReadPoint() == visibility.visible(), GIVEN_BACK);
    }
  }

  @Test
  void nothingIsDroppedThatAReaderMaySee() {
    Schedules.assertHolds(
        SCHEDULES,
        Scene::new,
        List.of(Scene::writeAndDrop, Scene::readBriefly, Scene::readForLong),
        Scene::end);
  }

  @Test
  void aReaderMayClaimTwiceAndHandAClaimOn() {
    Schedules.assertHolds(
        SCHEDULES,
        Scene::new,
        List.of(Scene::writeAndDrop, Scene::readTwiceAtOnce, Scene::readAndHandOn),
        Scene::end);
  }

  @Test
  void whatIsOverwrittenStaysWhereAReaderSeesIt() {
    Schedules.assertHolds(
        SCHEDULES,
        Scene::new,
        List.of(Scene::writeAndDropTheFirst, Scene::readBriefly, Scene::readAndHandOn),
        Scene::end);
  }

  @Test
  void twoMayDropAtOnce() {
    Schedules.assertHolds(
        SCHEDULES,
        Scene::new,
        List.of(Scene::writeAndDrop, Scene::drop, Scene::readBriefly),
        Scene::end);
  }

  @Test
  void aScanIsAReader() {
    Schedules.assertHolds(
        SCHEDULES, Scene::new, List.of(Scene::writeAndDrop, Scene::scan, Scene::scan), Scene::end);
  }

  @Test
  void droppingAllThatIsVisibleIsFound() {
    Schedules.assertBreaks(
        KEPT,
        Scene::new,
        List.of(Scene::writeAndDropAllThatIsVisible, Scene::readBriefly),
        Scene::end);
  }

  @Test
  void aClaimThatCameTooLateIsFound() {
    Schedules.assertBreaks(
        KEPT, Scene::new, List.of(Scene::writeAndDrop, Scene::readWithoutLookingAgain), Scene::end);
  }

  @Test
  void aReadPointThatIsTooOldIsFound() {
    Schedules.assertBreaks(
        NEWEST, Scene::new, List.of(Scene::writeAndDrop, Scene::readAtOldPoint), Scene::end);
  }

  @Test
  void aClaimThatIsForgottenIsFound() {
    Schedules.assertBreaks(
        GIVEN_BACK, Scene::new, List.of(Scene::writeAndDrop, Scene::readAndForget), Scene::end);
  }
}
