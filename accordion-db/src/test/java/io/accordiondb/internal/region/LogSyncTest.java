// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.region;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 1, unit = TimeUnit.MINUTES)
class LogSyncTest {
  private final AtomicInteger syncs = new AtomicInteger();

  @Test
  void withoutAThreadItIsDoneByTheOneThatWaits() throws IOException {
    Executor closed =
        task -> {
          throw new RejectedExecutionException("closed");
        };
    Executor starved =
        task -> {
          throw new OutOfMemoryError("unable to create native thread");
        };
    Executor busy = task -> {};
    for (Executor executor : List.of(closed, starved, busy)) {
      LogSync sync = new LogSync(syncs::incrementAndGet);
      sync.begin(executor);
      assertThat(syncs.get()).isZero();
      sync.await();
      assertThat(syncs.getAndSet(0)).isEqualTo(1);
    }
  }

  @Test
  void anInterruptDoesNotEndTheWaitForTheOtherThread() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    ExecutorService executor = Executors.newSingleThreadExecutor();
    try {
      LogSync sync =
          new LogSync(
              () -> {
                begun.countDown();
                awaitUninterrupted(goOn);
                syncs.incrementAndGet();
              });
      sync.begin(executor);
      begun.await();
      Thread.currentThread().interrupt();
      new Thread(goOn::countDown).start();
      sync.await();
      assertThat(Thread.interrupted()).isTrue();
      assertThat(syncs.get()).isEqualTo(1);
    } finally {
      executor.shutdown();
    }
  }

  private static void awaitUninterrupted(CountDownLatch latch) throws IOException {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }

  @Test
  void whatFailsBesideFailsTheOneThatWaits() {
    LogSync broken =
        new LogSync(
            () -> {
              throw new IOException("the device is gone");
            });
    broken.begin(Runnable::run);
    assertThatIOException().isThrownBy(broken::await).withMessage("the device is gone");

    LogSync starved =
        new LogSync(
            () -> {
              throw new OutOfMemoryError("heap");
            });
    starved.begin(Runnable::run);
    assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(starved::await);
  }
}
