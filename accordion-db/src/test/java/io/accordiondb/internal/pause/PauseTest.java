// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.pause;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PauseTest {
  private static final int PAUSES = 20;
  private static final long PAUSE_NANOS = 5_000_000;

  @Test
  void anInterruptedThreadPausesAsLongAsOthersAndStaysInterrupted() {
    Thread.currentThread().interrupt();
    long begun = System.nanoTime();
    for (int i = 0; i < PAUSES; i++) {
      Pause.uninterruptibly(PAUSE_NANOS);
    }
    long nanos = System.nanoTime() - begun;
    assertThat(Thread.interrupted()).as("the flag of the thread").isTrue();
    assertThat(nanos).isGreaterThanOrEqualTo(PAUSES * PAUSE_NANOS);
  }
}
