// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.event.EventListener;
import io.accordiondb.event.StallEvent;
import io.accordiondb.statistics.StallCause;
import io.accordiondb.statistics.StallStatistics;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class StallsTest {
  private final List<StallEvent> ended = new ArrayList<>();
  private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 10);
  private final EventDispatcher events =
      new EventDispatcher(
          List.of(
              new EventListener() {
                @Override
                public void onStallEnd(StallEvent event) {
                  ended.add(event);
                }
              }));
  private final Stalls stalls = new Stalls("db", new Tallies(), events, nanos::get);

  private long begin(StallCause cause) {
    return stalls.begin(cause, () -> "a reason");
  }

  private StallStatistics figures() {
    return stalls.statistics(null);
  }

  @Test
  void writesThatWaitAreTimedBeforeTheyHaveWaited() {
    long first = begin(StallCause.MEMORY);
    nanos.addAndGet(100);
    assertThat(figures().of(StallCause.MEMORY)).isEqualTo(new StallStatistics.Stalls(1, 100, 1));
    long second = begin(StallCause.MEMORY);
    nanos.addAndGet(10);
    assertThat(figures().of(StallCause.MEMORY)).isEqualTo(new StallStatistics.Stalls(2, 120, 2));
    stalls.end(StallCause.MEMORY, first);
    nanos.addAndGet(1);
    stalls.end(StallCause.MEMORY, second);
    nanos.addAndGet(5);
    assertThat(figures().of(StallCause.MEMORY)).isEqualTo(new StallStatistics.Stalls(2, 121, 0));
  }

  @Test
  void timeInWhichSeveralWritesWaitElapsesOnce() {
    long first = begin(StallCause.MEMORY);
    nanos.addAndGet(100);
    long second = begin(StallCause.COMPACTION_DEBT);
    nanos.addAndGet(10);
    stalls.end(StallCause.MEMORY, first);
    nanos.addAndGet(10);
    assertThat(figures().elapsedNanos()).isEqualTo(120);
    assertThat(figures().nanos()).isEqualTo(130);
    stalls.end(StallCause.COMPACTION_DEBT, second);
    nanos.addAndGet(1000);
    assertThat(figures().elapsedNanos()).isEqualTo(120);
  }

  @Test
  void aStallLastsAsLongAsWritesWait() {
    for (int i = 0; i < 2; i++) {
      long begun = begin(StallCause.MEMORY);
      nanos.addAndGet(100);
      stalls.look();
      stalls.end(StallCause.MEMORY, begun);
      nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(999));
      stalls.look();
    }
    nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(2));
    stalls.look();
    begin(StallCause.MEMORY);
    nanos.addAndGet(7);
    stalls.endStall();
    events.close();
    assertThat(ended).extracting(StallEvent::nanos).containsExactly(200L, 7L);
  }
}
