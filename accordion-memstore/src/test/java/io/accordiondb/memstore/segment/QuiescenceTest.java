// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore.segment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Waiting for the writers of a sealed segment, on Java 21 or later: all are virtual threads. */
class QuiescenceTest {
  private static final String QUIESCENT = "quiescent";

  @Test
  @Timeout(60)
  void aVirtualThreadThatWaitsForWritersLeavesThemTheOnlyCarrier() throws Exception {
    assumeTrue(Runtime.version().feature() >= 21, "virtual threads");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Djdk.virtualThreadScheduler.parallelism=1",
                "-cp",
                System.getProperty("java.class.path"),
                OneCarrier.class.getName())
            .redirectErrorStream(true)
            .start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(output.strip()).isEqualTo(QUIESCENT);
  }

  /** A process with one carrier, in which a virtual thread waits for others. */
  static final class OneCarrier {
    private static final int WRITERS = 16;
    private static final int WAIT_MILLIS_MAX = 10_000;

    private OneCarrier() {}

    public static void main(String[] args) throws Exception {
      MutableSegment segment = new SegmentFixture().skipList(KeyPrefix.UNANCHORED);
      AtomicBoolean released = new AtomicBoolean();
      List<Thread> writers = new ArrayList<>();
      for (int i = 0; i < WRITERS; i++) {
        writers.add(startVirtual(() -> write(segment, released)));
      }
      for (Thread writer : writers) {
        while (writer.getState() != Thread.State.WAITING) {
          Thread.onSpinWait();
        }
      }
      segment.seal();
      CountDownLatch waits = new CountDownLatch(1);
      AtomicBoolean isInterrupted = new AtomicBoolean();
      Thread waiter =
          startVirtual(
              () -> {
                waits.countDown();
                // An interrupted thread must wait as long as others.
                Thread.currentThread().interrupt();
                segment.awaitQuiescence();
                isInterrupted.set(Thread.interrupted());
              });
      waits.await();
      released.set(true);
      // Each from a thread of its own. Otherwise they may share a queue of the scheduler with the
      // thread that waits, and then they run in turn with it.
      writers.forEach(writer -> new Thread(() -> LockSupport.unpark(writer)).start());
      waiter.join(WAIT_MILLIS_MAX);
      boolean isDone = segment.isQuiescent() && isInterrupted.get();
      System.out.println(isDone ? QUIESCENT : "writers have starved, or the interrupt is lost");
    }

    private static void write(MutableSegment segment, AtomicBoolean released) {
      segment.enter();
      while (!released.get()) {
        LockSupport.park();
      }
      segment.exit();
    }

    private static Thread startVirtual(Runnable work) throws ReflectiveOperationException {
      return (Thread)
          Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, work);
    }
  }
}
