// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.clock;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** The guard follows a clock as it goes, and believes a jump once it has lasted. */
class JumpGuardTest {
  private static final long START = 1_000_000_000_000L;
  private static final Duration JUMP = Duration.ofMinutes(10);

  /** What the clock says. */
  private long clock = START;

  /** What has really passed, in nanoseconds from any beginning. */
  private long nanos = Long.MAX_VALUE - 5;

  private final JumpGuard guard =
      new JumpGuard(() -> Instant.ofEpochMilli(clock), () -> nanos, START, JUMP, "it is a test");

  /** Both clocks go on. */
  private void pass(Duration duration) {
    clock += duration.toMillis();
    nanos += duration.toNanos();
  }

  private void jump(Duration duration) {
    clock += duration.toMillis();
  }

  @Test
  void itFollowsTimeThatPasses() {
    for (int step = 1; step < 1 << 20; step *= 3) {
      pass(Duration.ofSeconds(step));
      assertThat(guard.millis()).isEqualTo(clock);
    }
  }

  @Test
  void smallJumpsAreFollowed() {
    jump(JUMP);
    assertThat(guard.millis()).isEqualTo(clock);
    jump(JUMP.negated());
    assertThat(guard.millis()).isEqualTo(clock);
  }

  @Test
  void aLongJumpIsNotFollowed() {
    pass(Duration.ofSeconds(10));
    assertThat(guard.millis()).isEqualTo(clock);
    jump(Duration.ofDays(1000));
    assertThat(guard.millis()).isEqualTo(START + 10_000);
    pass(Duration.ofSeconds(5));
    assertThat(guard.millis()).isEqualTo(START + 15_000);
    jump(Duration.ofDays(-1000));
    pass(Duration.ofSeconds(5));
    assertThat(guard.millis()).isEqualTo(START + 20_000).isEqualTo(clock);
  }

  @Test
  void aJumpThatLastsIsBelieved() {
    jump(Duration.ofDays(1000));
    assertThat(guard.millis()).isEqualTo(START);
    pass(JumpGuard.TRUSTED_AFTER.minusSeconds(1));
    assertThat(guard.millis()).isEqualTo(clock - Duration.ofDays(1000).toMillis());
    pass(Duration.ofSeconds(1));
    assertThat(guard.millis()).isEqualTo(clock);
    pass(Duration.ofDays(3));
    assertThat(guard.millis()).isEqualTo(clock);
  }

  @Test
  void anotherJumpHasAWaitOfItsOwn() {
    jump(Duration.ofDays(1000));
    assertThat(guard.millis()).isEqualTo(START);
    pass(Duration.ofMinutes(50));
    jump(Duration.ofDays(1000));
    assertThat(guard.millis()).isLessThan(START + Duration.ofDays(1).toMillis());
    pass(Duration.ofMinutes(50));
    guard.millis();
    assertThat(guard.millis()).isEqualTo(clock - Duration.ofDays(1000).toMillis());
    pass(Duration.ofMinutes(50));
    assertThat(guard.millis()).isEqualTo(clock - Duration.ofDays(1000).toMillis());
    pass(Duration.ofMinutes(10));
    assertThat(guard.millis()).isEqualTo(clock);
  }

  @Test
  void aJumpThatIsPartlyTakenBackBeginsAnotherWait() {
    jump(Duration.ofDays(1000));
    assertThat(guard.millis()).isEqualTo(START);
    pass(Duration.ofMinutes(50));
    jump(Duration.ofDays(-500));
    pass(Duration.ofMinutes(50));
    assertThat(guard.millis()).isEqualTo(clock - Duration.ofDays(500).toMillis());
  }

  /** The clock that measures the elapsed time may stop while a machine sleeps. */
  @Test
  void aMachineThatIsNeverAwakeForLongIsFollowed() {
    for (int day = 0; day < 10; day++) {
      for (int sleep = 0; sleep < 10; sleep++) {
        jump(Duration.ofHours(2));
        for (int minute = 0; minute < 20; minute++) {
          pass(Duration.ofMinutes(1));
          guard.millis();
        }
      }
      assertThat(clock - guard.millis()).isLessThan(Duration.ofHours(16).toMillis());
    }
  }

  @Test
  void goingBackIsFollowedAndReturningFromThereIsNoJump() {
    jump(Duration.ofDays(-1000));
    assertThat(guard.millis()).isEqualTo(clock);
    pass(Duration.ofMinutes(5));
    assertThat(guard.millis()).isEqualTo(clock);
    jump(Duration.ofDays(1000));
    assertThat(guard.millis()).isEqualTo(clock);
  }
}
