// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.maintenance;

import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.CorruptionException;
import io.accordiondb.internal.region.StoreId;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class FailedCompactionsTest {
  private static final StoreId STORE = new StoreId(1, 1);
  private static final IOException FAILURE = new IOException("injected");

  private final AtomicLong seconds = new AtomicLong();
  private final FailedCompactions failed =
      new FailedCompactions(() -> TimeUnit.SECONDS.toNanos(seconds.get()));

  /** Fails again and again for a day, as soon as there is no pause; returns how often. */
  private int attemptsOfADay(boolean filesPileUp) {
    int attempts = 0;
    for (int i = 0; i < TimeUnit.DAYS.toSeconds(1); i++) {
      seconds.incrementAndGet();
      if (!failed.isPausing(STORE, filesPileUp)) {
        failed.add(STORE, FAILURE);
        attempts++;
      }
    }
    return attempts;
  }

  @Test
  void eachFailureDoublesThePauseUpToAnHour() {
    assertThat(failed.isPausing(STORE, false)).isFalse();
    assertThat(attemptsOfADay(false)).isBetween(30, 36);
  }

  @Test
  void aStoreWhoseFilesPileUpIsTriedAgainSoon() {
    assertThat(attemptsOfADay(true)).isGreaterThan(8_000);
  }

  @Test
  void aSuccessEndsThePauses() {
    failed.add(STORE, FAILURE);
    failed.add(STORE, FAILURE);
    failed.remove(STORE);
    assertThat(failed.isPausing(STORE, false)).isFalse();
    failed.add(STORE, FAILURE);
    seconds.addAndGet(11);
    assertThat(failed.isPausing(STORE, false)).isFalse();
  }

  @Test
  void damageIsToldFromOtherFailuresAndForgottenWithTheStore() {
    failed.add(STORE, FAILURE);
    assertThat(failed.isDamaged(STORE)).isFalse();
    failed.add(STORE, new CorruptionException("file", 0, "sound", "damaged"));
    assertThat(failed.isDamaged(STORE)).isTrue();
    failed.retainAll(Set.of(new StoreId(2, 1)));
    assertThat(failed.isDamaged(STORE)).isFalse();
  }
}
