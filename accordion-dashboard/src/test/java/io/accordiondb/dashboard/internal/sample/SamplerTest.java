// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.dashboard.internal.sample;

import io.accordiondb.fixtures.Await;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
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
}
