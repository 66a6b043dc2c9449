// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.commit;

import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.internal.commit.Visibility.InFlight;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 1, unit = TimeUnit.MINUTES)
class VisibilityTest {
  private final Visibility visibility = new Visibility();

  @Test
  void aWriteIsVisibleWhenAllBeforeItHaveFinished() {
    InFlight first = visibility.begin(3);
    InFlight second = visibility.begin(5);
    CompletableFuture<Boolean> secondSeen =
        CompletableFuture.supplyAsync(() -> visibility.finish(second));
    assertThat(secondSeen.isDone()).isFalse();
    assertThat(visibility.visible()).isZero();

    assertThat(visibility.finish(first)).isTrue();
    assertThat(secondSeen.join()).isTrue();
    assertThat(visibility.visible()).isEqualTo(5);
  }

  @Test
  void nothingBehindAnAbandonedWriteGetsVisible() {
    visibility.recoverTo(10);
    InFlight first = visibility.begin(11);
    visibility.begin(12);
    InFlight third = visibility.begin(13);
    CompletableFuture<Boolean> thirdSeen =
        CompletableFuture.supplyAsync(() -> visibility.finish(third));
    visibility.abandon();

    assertThat(thirdSeen.join()).isFalse();
    // Before it, all is well.
    assertThat(visibility.finish(first)).isTrue();
    assertThat(visibility.visible()).isEqualTo(11);
  }

  @Test
  void recoveryNeverGoesBack() {
    visibility.recoverTo(7);
    visibility.recoverTo(4);
    assertThat(visibility.visible()).isEqualTo(7);
  }

  @Test
  void anInterruptDoesNotEndTheWaitingAndIsKept() {
    InFlight first = visibility.begin(1);
    InFlight second = visibility.begin(2);
    Thread writer = Thread.currentThread();
    CompletableFuture<Void> other =
        CompletableFuture.runAsync(
            () -> {
              writer.interrupt();
              visibility.finish(first);
            });
    assertThat(visibility.finish(second)).isTrue();
    other.join();
    assertThat(Thread.interrupted()).isTrue();
  }
}
