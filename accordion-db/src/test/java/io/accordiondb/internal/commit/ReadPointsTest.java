// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.commit;

import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.internal.commit.ReadPoints.ReadPoint;
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
    assertThat(readPoints.smallest()).isEqualTo(42);
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

    assertThat(readPoints.smallest()).isEqualTo(10);
    snapshot.close();
    assertThat(readPoints.smallest()).isEqualTo(10);
    copy.close();
    assertThat(readPoints.smallest()).isEqualTo(20);
    brief.close();
    assertThat(readPoints.smallest()).isEqualTo(20);
    sameThread.close();
    assertThat(readPoints.smallest()).isEqualTo(30);
  }

  @Test
  void nobodyReadsBelowWhatWasDropped() {
    AtomicLong dropped = new AtomicLong();
    AtomicBoolean stopped = new AtomicBoolean();
    List<CompletableFuture<Void>> readers = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      boolean brief = i > 0;
      readers.add(
          CompletableFuture.runAsync(
              () -> {
                while (!stopped.get()) {
                  try (ReadPoint point = brief ? readPoints.enterBriefly() : readPoints.enter()) {
                    assertThat(dropped.get()).isLessThanOrEqualTo(point.sequence());
                  }
                }
              }));
    }
    for (long sequence = 1; sequence <= 100_000; sequence++) {
      visibility.recoverTo(sequence);
      dropped.set(readPoints.smallest());
    }
    stopped.set(true);
    readers.forEach(CompletableFuture::join);
    assertThat(readPoints.smallest()).isEqualTo(100_000);
  }
}
