// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.CorruptionException;
import io.accordiondb.event.CorruptionEvent;
import io.accordiondb.event.EventListener;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CorruptionsTest {
  private static final int PLACES_MAX = 1000;

  private final List<String> logged = new ArrayList<>();
  private final List<CorruptionEvent> told = new ArrayList<>();
  private final EventDispatcher events =
      new EventDispatcher(
          List.of(
              new EventListener() {
                @Override
                public void onCorruption(CorruptionEvent event) {
                  told.add(event);
                }
              }));
  private final Corruptions corruptions = new Corruptions(events, logged::add);

  @Test
  void theLogSaysOnceThatThereAreMorePlacesThanAreReported() {
    report(PLACES_MAX);
    report(PLACES_MAX);
    assertThat(logged).hasSize(PLACES_MAX).allMatch(line -> line.startsWith("file is damaged"));
    report(PLACES_MAX + 2);
    assertThat(logged).hasSize(PLACES_MAX + 1);
    assertThat(logged).last().asString().startsWith("1000 places are damaged, and more");
    events.close();
    assertThat(told).hasSize(PLACES_MAX);
    assertThat(corruptions.count()).isEqualTo(PLACES_MAX);
  }

  private void report(int places) {
    for (int i = 0; i < places; i++) {
      corruptions.check(new CorruptionException("file", i, "a", "b"));
    }
  }
}
