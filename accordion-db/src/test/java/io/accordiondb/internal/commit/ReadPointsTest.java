// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.commit;

import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.internal.commit.ReadPoints.ReadPoint;
import io.accordiondb.retention.ReadPointSet;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 1, unit = TimeUnit.MINUTES)
class ReadPointsTest {
  private final Visibility visibility = new Visibility();
  private final ReadPoints readPoints = new ReadPoints(visibility);

  @Test
  void withoutReadersAllThatIsVisibleMayBeDropped() {
    visibility.recoverTo(42);
    assertThat(readPoints.smallestReadPoint()).isEqualTo(42);
  }

  @Test
  void theOldestReaderHoldsTheRest() {
    visibility.recoverTo(10);
    ReadPoint snapshot = readPoints.enter();
    visibility.recoverTo(20);
    ReadPoint brief = readPoints.enterBriefly();
    ReadPoint sameThread = readPoints.enterBriefly();
    visibility.recoverTo(30);
    ReadPoint copy = readPoints.enter(snapshot);

    assertThat(readPoints.smallestReadPoint()).isEqualTo(10);
    snapshot.close();
    assertThat(readPoints.smallestReadPoint()).isEqualTo(10);
    copy.close();
    assertThat(readPoints.smallestReadPoint()).isEqualTo(20);
    brief.close();
    assertThat(readPoints.smallestReadPoint()).isEqualTo(20);
    sameThread.close();
    assertThat(readPoints.smallestReadPoint()).isEqualTo(30);
  }

  @Test
  void whatNoReaderTellsApartMayBeDroppedAboveTheOldest() {
    visibility.recoverTo(10);
    ReadPoint snapshot = readPoints.enter();
    visibility.recoverTo(20);
    ReadPoint brief = readPoints.enterBriefly();
    visibility.recoverTo(30);

    ReadPointSet points = readPoints.readPoints();
    assertThat(points.smallest()).isEqualTo(10);
    assertThat(points.newest()).isEqualTo(30);
    assertThat(points.isAnyBetween(11, 20)).isFalse();
    assertThat(points.isAnyBetween(20, 21)).isTrue();
    assertThat(points.isAnyBetween(21, 30)).isFalse();
    assertThat(points.isAnyBetween(30, 31)).isTrue();
    snapshot.close();
    brief.close();
    assertThat(readPoints.readPoints().smallest()).isEqualTo(30);
  }

  @Test
  void scansAndShortReadsOfOneThreadDoNotShareSlots() {
    visibility.recoverTo(10);
    ReadPoint scan = readPoints.enterScan();
    visibility.recoverTo(20);
    ReadPoint brief = readPoints.enterBriefly();
    ReadPoint inside = readPoints.enterScan();
    visibility.recoverTo(30);

    assertThat(readPoints.smallestReadPoint()).isEqualTo(10);
    assertThat(readPoints.isAnyHeld()).isTrue();
    scan.close();
    assertThat(readPoints.smallestReadPoint()).isEqualTo(20);
    brief.close();
    inside.close();
    assertThat(readPoints.smallestReadPoint()).isEqualTo(30);
    assertThat(readPoints.isAnyHeld()).isFalse();
  }

  @Test
  void theOldestThatIsHeldForLongIsNamed() {
    visibility.recoverTo(10);
    ReadPoint scan = readPoints.enterScan();
    visibility.recoverTo(20);
    ReadPoint snapshot = readPoints.enterSnapshot();
    ReadPoint second = readPoints.enterScan();
    ReadPoint brief = readPoints.enterBriefly();
    long later = System.nanoTime() + 1_000_000_000;

    assertThat(readPoints.held(later).readPoints()).isEqualTo(3);
    assertThat(readPoints.held(later).snapshots()).isEqualTo(1);
    assertThat(readPoints.held(later).oldestSequence()).isEqualTo(10);
    assertThat(readPoints.held(later).oldestNanos()).isBetween(1_000_000_000L, 60_000_000_000L);
    scan.close();
    assertThat(readPoints.held(later).oldestSequence()).isEqualTo(20);
    second.close();
    readPoints.closeSnapshot(snapshot);
    assertThat(readPoints.held(later)).isEqualTo(new ReadPoints.Held(0, 0, -1, 0));
    brief.close();
  }

  /** On a database that takes no writes, all readers have the same sequence number. */
  @Test
  void readersThatOverlapAreNoOldReader() throws InterruptedException {
    visibility.recoverTo(10);
    long begun = System.nanoTime();
    ReadPoint first = readPoints.enter();
    ReadPoint second = readPoints.enter(first);
    TimeUnit.MILLISECONDS.sleep(2);
    long between = System.nanoTime();
    ReadPoint third = readPoints.enter();
    first.close();
    assertThat(oldestSince(begun)).isLessThan(between);
    second.close();
    assertThat(oldestSince(begun)).isGreaterThanOrEqualTo(between);
    ReadPoint fourth = readPoints.enter();
    fourth.close();
    assertThat(oldestSince(begun)).isGreaterThanOrEqualTo(between);
    third.close();
    assertThat(readPoints.isAnyHeld()).isFalse();
  }

  @Test
  void aScanThatIsOlderThanASnapshotOfTheSameNumberIsTheOldest() throws InterruptedException {
    visibility.recoverTo(10);
    long begun = System.nanoTime();
    ReadPoint scan = readPoints.enterScan();
    TimeUnit.MILLISECONDS.sleep(2);
    long between = System.nanoTime();
    ReadPoint snapshot = readPoints.enterSnapshot();
    assertThat(oldestSince(begun)).isLessThan(between);
    scan.close();
    assertThat(oldestSince(begun)).isGreaterThanOrEqualTo(between);
    readPoints.closeSnapshot(snapshot);
  }

  /** The older one is of a reader that did not follow a refresh. */
  @Test
  void theAgeIsThatOfTheOldestSequenceNumberOfAllRegistries() throws InterruptedException {
    Visibility later = new Visibility();
    later.recoverTo(20);
    ReadPoints refreshed = new ReadPoints(later);
    visibility.recoverTo(10);
    long begun = System.nanoTime();
    ReadPoint young = refreshed.enter();
    TimeUnit.MILLISECONDS.sleep(2);
    long between = System.nanoTime();
    ReadPoint old = readPoints.enter();
    long now = begun + TimeUnit.HOURS.toNanos(1);
    for (List<ReadPoints> all :
        List.of(List.of(readPoints, refreshed), List.of(refreshed, readPoints))) {
      ReadPoints.Held held = ReadPoints.Held.of(all, now);
      assertThat(held.readPoints()).isEqualTo(2);
      assertThat(held.oldestSequence()).isEqualTo(10);
      assertThat(now - held.oldestNanos()).isGreaterThanOrEqualTo(between);
    }
    old.close();
    assertThat(ReadPoints.Held.of(List.of(readPoints, refreshed), now).oldestSequence())
        .isEqualTo(20);
    young.close();
  }

  /** Returns since when the oldest read point is held. */
  private long oldestSince(long begun) {
    long now = begun + TimeUnit.HOURS.toNanos(1);
    return now - readPoints.held(now).oldestNanos();
  }

  @Test
  void nobodyReadsBelowWhatWasDropped() {
    AtomicLong dropped = new AtomicLong();
    AtomicBoolean stopped = new AtomicBoolean();
    List<CompletableFuture<Void>> readers = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      int kind = i;
      readers.add(
          CompletableFuture.runAsync(
              () -> {
                while (!stopped.get()) {
                  try (ReadPoint point = enter(kind)) {
                    assertThat(dropped.get()).isLessThanOrEqualTo(point.sequence());
                  }
                }
              }));
    }
    for (long sequence = 1; sequence <= 100_000; sequence++) {
      visibility.recoverTo(sequence);
      dropped.set(readPoints.smallestReadPoint());
    }
    stopped.set(true);
    readers.forEach(CompletableFuture::join);
    assertThat(readPoints.smallestReadPoint()).isEqualTo(100_000);
  }

  private ReadPoint enter(int kind) {
    return switch (kind) {
      case 0 -> readPoints.enter();
      case 1 -> readPoints.enterScan();
      default -> readPoints.enterBriefly();
    };
  }
}
