// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

class OperationRateTest {
  private static final long STALL_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  @Test
  void operationsThatOneHasDelayedAreLateFromTheBeginning() {
    OperationRate rate = OperationRate.of(1_000);
    Latencies latencies = new Latencies();
    long stalled = rate.await(0);
    while (System.nanoTime() - stalled < STALL_NANOS) {
      LockSupport.parkNanos(STALL_NANOS);
    }
    latencies.recordSince(stalled);
    for (int i = 1; i <= 20; i++) {
      latencies.recordSince(rate.await(i));
    }
    assertThat(latencies.count()).isEqualTo(21);
    // The last of them was due 30 ms before the stall was over.
    assertThat(latencies.percentiles().p50()).isGreaterThan(30_000);
    assertThat(latencies.percentiles().max()).isGreaterThanOrEqualTo(50_000);
  }

  @Test
  void operationsWaitUntilTheyAreDue() {
    OperationRate rate = OperationRate.of(1_000);
    long first = rate.await(0);
    assertThat(rate.await(20) - first).isEqualTo(TimeUnit.MILLISECONDS.toNanos(20));
    assertThat(System.nanoTime() - first).isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(20));
  }

  @Test
  void withoutARateEachOneIsDueNow() {
    long before = System.nanoTime();
    assertThat(OperationRate.UNLIMITED.await(1_000_000)).isGreaterThanOrEqualTo(before);
  }
}
