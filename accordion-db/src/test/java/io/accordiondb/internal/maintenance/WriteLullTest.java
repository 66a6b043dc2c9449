// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.maintenance;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class WriteLullTest {
  private long cells = 5_000_000;
  private long bytes = 7_000_000;
  private long nanos = -1;
  private final WriteLull lull = new WriteLull(() -> cells, () -> bytes, () -> nanos);

  private void look(int seconds, int newCells) {
    nanos += TimeUnit.SECONDS.toNanos(seconds);
    cells += newCells;
    lull.look();
  }

  @Test
  void beginsWhenTheDatabaseIsOpened() {
    assertThat(lull.seconds()).isZero();
    look(2, 0);
    assertThat(lull.seconds()).isEqualTo(2);
  }

  @Test
  void lastsWhileLittleIsWritten() {
    look(1, 1000);
    look(3, 3000);
    assertThat(lull.seconds()).isEqualTo(4);
  }

  @Test
  void endsWhenFewLargeValuesAreWritten() {
    look(5, 0);
    bytes += 1 << 20;
    look(1, 1);
    assertThat(lull.seconds()).isEqualTo(6);
    bytes += 2 << 20;
    look(1, 1);
    assertThat(lull.seconds()).isZero();
  }

  @Test
  void endsWhenMoreIsWritten() {
    look(5, 0);
    look(1, 1001);
    assertThat(lull.seconds()).isZero();
    look(1, 10);
    assertThat(lull.seconds()).isEqualTo(1);
  }
}
