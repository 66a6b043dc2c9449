// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.dashboard.internal.sample;

import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.dashboard.internal.sample.TimelineEvent.Kind;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class HistoryTest {
  private final History history = new History();

  private void add(long millis, int bytes, int events) {
    List<TimelineEvent> happened =
        IntStream.range(0, events)
            .mapToObj(i -> new TimelineEvent(i, millis, "", Kind.SEAL, ""))
            .toList();
    history.add(new Frame(millis, new byte[bytes]), happened);
  }

  @Test
  void keepsOneFrameASecondAndAllEvents() {
    for (int tick = 0; tick < 40; tick++) {
      add(tick * 250L, 10, 1);
    }
    assertThat(history.frames()).extracting(Frame::atMillis).hasSize(10).startsWith(0L, 1000L);
    assertThat(history.events()).hasSize(40);
  }

  @Test
  void forgetsWhatIsOlderThanTenMinutes() {
    for (int second = 0; second <= 1200; second++) {
      add(second * 1000L, 10, 1);
    }
    assertThat(history.frames().get(0).atMillis()).isEqualTo(600_000);
    assertThat(history.events().get(0).atMillis()).isEqualTo(600_000);
    assertThat(history.frames()).hasSize(601);
  }

  @Test
  void isBoundedInBytesAndEvents() {
    for (int second = 0; second < 40; second++) {
      add(second * 1000L, 1 << 20, 1000);
    }
    assertThat(history.frames()).hasSize(History.BYTES_MAX >> 20);
    assertThat(history.frames().get(history.frames().size() - 1).atMillis()).isEqualTo(39_000);
    assertThat(history.events()).hasSize(History.EVENTS_MAX);
  }
}
