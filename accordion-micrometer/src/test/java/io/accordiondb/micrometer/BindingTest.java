// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.DatabaseStatistics;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class BindingTest {
  private final List<Boolean> locked = new ArrayList<>();
  private final Statistics statistics = new Statistics(this::read, () -> {});
  private final Binding binding = new Binding(new SimpleMeterRegistry(), statistics, Tags.empty());

  private int readings;

  /** Reads no figures, as if the database could not be read. */
  private DatabaseStatistics read() throws IOException {
    locked.add(Thread.holdsLock(binding));
    throw new IOException("planted by the test");
  }

  /**
   * After a reading, all bindings are updated. Two threads that read, each with the lock of another
   * binding, would wait for each other.
   */
  @Test
  void statisticsAreReadWithoutTheLockOfABinding() {
    binding.updateFamilies();
    assertThat(locked).containsExactly(false);
  }

  /** Updating the bindings after a slow reading would read again, and so on. */
  @Test
  void aReadingThatTakesLongIsNotRepeated() {
    AtomicLong nanos = new AtomicLong();
    List<Binding> bindings = new ArrayList<>();
    Statistics slow =
        new Statistics(
            () -> {
              readings++;
              nanos.addAndGet(TimeUnit.SECONDS.toNanos(2));
              throw new IOException("planted by the test");
            },
            () -> bindings.forEach(Binding::updateFamilies),
            nanos::get);
    bindings.add(new Binding(new SimpleMeterRegistry(), slow, Tags.empty()));
    slow.of(DatabaseStatistics::nanosOpen);
    assertThat(readings).isOne();
    nanos.addAndGet(TimeUnit.SECONDS.toNanos(1));
    slow.of(DatabaseStatistics::nanosOpen);
    assertThat(readings).isEqualTo(2);
  }
}
