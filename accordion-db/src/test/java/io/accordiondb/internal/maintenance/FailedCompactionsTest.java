// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.maintenance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
  private static final IOException DAMAGE = new CorruptionException("file", 0, "sound", "damaged");

  private final AtomicLong seconds = new AtomicLong();
  private final FailedCompactions failed =
      new FailedCompactions(() -> TimeUnit.SECONDS.toNanos(seconds.get()));

  /** Fails again and again for a day, as soon as there is no pause; returns how often. */
  private int attemptsOfADay(boolean filesPileUp, IOException failure) {
    int attempts = 0;
    for (int i = 0; i < TimeUnit.DAYS.toSeconds(1); i++) {
      seconds.incrementAndGet();
      if (!failed.isPausing(STORE, filesPileUp)) {
        failed.add(STORE, failure);
        attempts++;
      }
    }
    return attempts;
  }

  @Test
  void eachFailureDoublesThePauseUpToAnHour() {
    assertThat(failed.isPausing(STORE, false)).isFalse();
    assertThat(attemptsOfADay(false, FAILURE)).isBetween(30, 36);
  }

  @Test
  void aStoreWhoseFilesPileUpIsTriedAgainSoon() {
    assertThat(attemptsOfADay(true, FAILURE)).isGreaterThan(8_000);
  }

  /** They pile up for good, and each attempt may read and write all of them. */
  @Test
  void aStoreWhoseFilesPileUpBecauseOneIsDamagedIsTriedEverMoreSeldom() {
    assertThat(attemptsOfADay(true, DAMAGE)).isBetween(30, 36);
  }

  /** It may have been the damaged one. */
  @Test
  void aFileThatWasDeletedEndsThePauseOfDamageAlone() {
    failed.add(STORE, FAILURE);
    assertThat(failed.removeDamage(STORE)).isTrue();
    assertThat(failed.isPausing(STORE, false)).isTrue();
    failed.add(STORE, DAMAGE);
    assertThat(failed.removeDamage(STORE)).isTrue();
    assertThat(failed.isPausing(STORE, false)).isFalse();
    assertThat(failed.isDamaged(STORE)).isFalse();
  }

  @Test
  void anAttemptThatFindsNothingToDoDoesNotEndThePauses() throws IOException {
    failed.add(STORE, FAILURE);
    failed.add(STORE, FAILURE);
    assertThat(failed.attempt(STORE, () -> false)).isFalse();
    seconds.addAndGet(11);
    assertThat(failed.isPausing(STORE, false)).isTrue();
    assertThat(failed.attempt(STORE, () -> true)).isTrue();
    assertThat(failed.isPausing(STORE, false)).isFalse();
    assertThatThrownBy(
            () ->
                failed.attempt(
                    STORE,
                    () -> {
                      throw DAMAGE;
                    }))
        .isSameAs(DAMAGE);
    assertThat(failed.isPausing(STORE, false)).isTrue();
    assertThat(failed.isDamaged(STORE)).isTrue();
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
    failed.add(STORE, DAMAGE);
    assertThat(failed.isDamaged(STORE)).isTrue();
    failed.retainAll(Set.of(new StoreId(2, 1)));
    assertThat(failed.isDamaged(STORE)).isFalse();
  }
}
