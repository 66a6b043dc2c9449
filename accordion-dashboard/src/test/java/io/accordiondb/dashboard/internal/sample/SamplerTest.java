// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.dashboard.internal.sample;

import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.fixtures.Await;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class SamplerTest {
  @Test
  void readsOnAfterAnError() {
    AtomicInteger readings = new AtomicInteger();
    try (Sampler sampler = new Sampler()) {
      sampler.show(
          "database",
          () -> {
            if (readings.getAndIncrement() == 0) {
              throw new OutOfMemoryError("planted by the test");
            }
            throw new IOException("planted by the test");
          });
      sampler.start();
      Await.await("another reading", readings::get, number -> number > 1);
    }
  }

  @Test
  void framesGoOnWhenTheClockIsSetBack() {
    AtomicLong clock = new AtomicLong(7_200_000);
    List<Long> times = new CopyOnWriteArrayList<>();
    try (Sampler sampler = new Sampler(() -> clock.getAndSet(3_600_000))) {
      sampler.join(frame -> times.add(frame.atMillis()));
      sampler.start();
      Await.await("frames", () -> times, frames -> frames.size() > 2);
    }
    assertThat(times).startsWith(7_200_000L).isSorted().doesNotHaveDuplicates();
    assertThat(times.get(2)).isLessThan(10_000_000);
  }
}
