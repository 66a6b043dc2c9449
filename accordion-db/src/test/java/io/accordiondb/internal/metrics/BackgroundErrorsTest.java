// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.event.BackgroundErrorEvent;
import io.accordiondb.event.EventListener;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class BackgroundErrorsTest {
  private final List<String> logged = new ArrayList<>();
  private final List<BackgroundErrorEvent> told = new ArrayList<>();
  private final AtomicLong nanos = new AtomicLong();
  private final EventDispatcher events =
      new EventDispatcher(
          List.of(
              new EventListener() {
                @Override
                public void onBackgroundError(BackgroundErrorEvent event) {
                  told.add(event);
                }
              }));
  private final BackgroundErrors errors =
      new BackgroundErrors(
          events,
          new Corruptions(events),
          nanos::get,
          (what, cause) -> logged.add(what + ": " + cause));

  @Test
  void eachCauseIsLoggedOnceAndAgainAfterTenMinutes() {
    for (int i = 0; i < 3; i++) {
      errors.report("flush of a", new IOException("disk full"));
      errors.report("flush of b", new IOException("disk full"));
      errors.report("flush of a", new IOException("disk gone"));
    }
    assertThat(logged)
        .containsExactly(
            "flush of a: java.io.IOException: disk full",
            "flush of b: java.io.IOException: disk full",
            "flush of a: java.io.IOException: disk gone");
    nanos.addAndGet(TimeUnit.MINUTES.toNanos(11));
    errors.report("flush of a", new IOException("disk full"));
    errors.report("flush of a", new IOException("disk full"));
    assertThat(logged).hasSize(4);
    events.close();
    assertThat(told).hasSize(11);
    assertThat(errors.count()).isEqualTo(11);
    assertThat(errors.last()).isEqualTo("flush of a: java.io.IOException: disk full");
    assertThat(told.get(0).what()).isEqualTo("flush of a");
    assertThat(told.get(0).cause()).hasMessage("disk full");
  }
}
