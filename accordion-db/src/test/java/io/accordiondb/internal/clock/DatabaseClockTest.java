// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.clock;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** What has expired is dropped by a time that has certainly passed. */
class DatabaseClockTest {
  private static final long START = 1_000_000_000_000L;
  private static final long HOUR = Duration.ofHours(1).toMillis();

  private long millis = START;
  private long nanos;

  private DatabaseClock opened(long floor) {
    DatabaseClock clock = new DatabaseClock(() -> Instant.ofEpochMilli(millis), () -> nanos, floor);
    assertThat(clock.droppingMillis()).isZero();
    clock.startDropping();
    return clock;
  }

  @Test
  void aTimeThatOnlyTheLogHasProvesThatTimeHasPassed() {
    DatabaseClock clock = opened(START - 5 * HOUR);
    assertThat(clock.droppingMillis()).isEqualTo(START - 5 * HOUR);
    clock.raiseFloor(START - HOUR / 2);
    assertThat(clock.droppingMillis()).isEqualTo(START);
  }

  @Test
  void aTimeInTheLogProvesNoLaterTime() {
    DatabaseClock clock = opened(START - 5 * HOUR);
    clock.raiseFloor(START - 2 * HOUR);
    assertThat(clock.droppingMillis()).isEqualTo(START - 2 * HOUR);
    clock.raiseFloor(START - 3 * HOUR);
    assertThat(clock.droppingMillis()).isEqualTo(START - 2 * HOUR);
  }

  @Test
  void aTimeAheadOfTheClockIsNotTrusted() {
    DatabaseClock clock = opened(START - 5 * HOUR);
    clock.raiseFloor(START + 5 * HOUR);
    assertThat(clock.droppingMillis()).isEqualTo(START);
    assertThat(clock.floor()).isEqualTo(START + 5 * HOUR);
    millis += 3 * HOUR;
    assertThat(clock.droppingMillis()).isEqualTo(START);
  }
}
