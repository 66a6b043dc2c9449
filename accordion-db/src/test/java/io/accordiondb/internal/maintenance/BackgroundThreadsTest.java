// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.maintenance;

import static io.accordiondb.fixtures.Await.await;
import static io.accordiondb.fixtures.JavaProcess.javaProcess;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What becomes of the threads of a database when a task fails, and when the database is closed. */
@Timeout(60)
class BackgroundThreadsTest {
  private final BackgroundThreads threads = new BackgroundThreads(1, 1, 1);

  @Test
  void aPeriodicTaskThatEndsByAnErrorRunsAgain() throws InterruptedException {
    AtomicInteger runs = new AtomicInteger();
    CountDownLatch third = new CountDownLatch(1);
    threads.every(
        1,
        () -> {
          switch (runs.incrementAndGet()) {
            case 1 -> throw new OutOfMemoryError("injected");
            case 2 -> throw new IllegalStateException("injected");
            default -> third.countDown();
          }
        });
    third.await();
    threads.close();
    assertThat(runs).hasValueGreaterThan(2);
  }

  /** Says when the threads have been made, among what the JVM says of classes. */
  static final class Making {
    private Making() {}

    public static void main(String[] arguments) {
      BackgroundThreads threads = new BackgroundThreads(1, 1, 1);
      System.out.println("made");
      threads.close();
    }
  }

  @Test
  void whatIdleThreadsNeedIsInitialisedBeforeMemoryIsScarce() throws IOException {
    Process process =
        javaProcess(List.of("-Xlog:class+init=info"), Making.class)
            .redirectErrorStream(true)
            .start();
    List<String> said;
    try (BufferedReader reader = process.inputReader()) {
      said = reader.lines().takeWhile(line -> !line.equals("made")).toList();
    } finally {
      process.destroyForcibly();
    }
    assertThat(said).anyMatch(line -> line.contains("'java/util/concurrent/ForkJoinPool'"));
  }

  @Test
  void anExecutorThatHasLostItsThreadsEnds() throws InterruptedException {
    AtomicInteger made = new AtomicInteger();
    CountDownLatch queued = new CountDownLatch(1);
    ThreadPoolExecutor executor =
        new ThreadPoolExecutor(
            1,
            1,
            0,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            task -> {
              if (made.incrementAndGet() > 1) {
                throw new OutOfMemoryError("injected: no further thread");
              }
              Thread thread = new Thread(task);
              thread.setUncaughtExceptionHandler((dying, failure) -> {});
              return thread;
            });
    executor.execute(
        () -> {
          awaitUninterruptibly(queued);
          throw new OutOfMemoryError("injected: ends the thread");
        });
    executor.execute(() -> {});
    queued.countDown();
    await("the death of the thread", () -> executor.getPoolSize() == 0);
    BackgroundThreads.end(executor);
    assertThat(executor.isTerminated()).isTrue();
  }

  @Test
  void closingWaitsForThePeriodicTaskThatIsRunning() throws InterruptedException {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch released = new CountDownLatch(1);
    AtomicBoolean ended = new AtomicBoolean();
    AtomicBoolean endedBeforeClose = new AtomicBoolean();
    threads.every(
        1,
        () -> {
          begun.countDown();
          awaitUninterruptibly(released);
          ended.set(true);
        });
    begun.await();
    Thread closing =
        new Thread(
            () -> {
              threads.close();
              endedBeforeClose.set(ended.get());
            });
    closing.start();
    await(
        "the wait of the close",
        () -> !closing.isAlive() || closing.getState() == Thread.State.TIMED_WAITING);
    released.countDown();
    closing.join();
    assertThat(endedBeforeClose).isTrue();
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    while (latch.getCount() > 0) {
      try {
        latch.await();
      } catch (InterruptedException e) {
        // Goes on waiting.
      }
    }
  }
}
