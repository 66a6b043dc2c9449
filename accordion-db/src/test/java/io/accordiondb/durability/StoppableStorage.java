// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.durability;

import static io.accordiondb.fixtures.Await.await;

import io.accordiondb.internal.storage.Storage;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Stops threads at operations of a storage, so that a test decides in which order threads go on.
 * Thread-safe.
 */
final class StoppableStorage {
  private static final long WAIT_SECONDS = 30;

  private final List<Stop> stops = new CopyOnWriteArrayList<>();

  /** Returns a storage whose operations stop where {@link #stop} says. */
  Storage over(Storage disk) {
    return DefectiveStorage.with(
            (operation, name, original) -> {
              for (Stop stop : stops) {
                stop.hold(operation, name);
              }
              return original.run();
            })
        .apply(disk);
  }

  /**
   * Stops the next thread of a name that begins an operation.
   *
   * @param thread how the thread's name begins
   * @param names how the name of the file begins
   */
  Stop stop(String thread, String operation, String names) {
    Stop stop = new Stop(thread, operation, names);
    stops.add(stop);
    return stop;
  }

  /** A place at which one thread stops once. */
  static final class Stop {
    private final String thread;
    private final String operation;
    private final String names;
    private final CountDownLatch reached = new CountDownLatch(1);
    private final CountDownLatch released = new CountDownLatch(1);
    private volatile boolean fails;

    private Stop(String thread, String operation, String names) {
      this.thread = thread;
      this.operation = operation;
      this.names = names;
    }

    private void hold(String what, String name) throws IOException {
      boolean isHere =
          what.equals(operation)
              && name.startsWith(names)
              && Thread.currentThread().getName().startsWith(thread);
      synchronized (this) {
        if (!isHere || reached.getCount() == 0) {
          return;
        }
        reached.countDown();
      }
      await(released);
      if (fails) {
        throw new IOException("failed on demand");
      }
    }

    /** Waits until a thread has stopped here. */
    void awaitReached() {
      await(reached);
    }

    void release() {
      released.countDown();
    }

    /** Lets the thread go on with a failure of the operation. */
    void releaseFailing() {
      fails = true;
      released.countDown();
    }

    private static void await(CountDownLatch latch) {
      try {
        if (!latch.await(WAIT_SECONDS, TimeUnit.SECONDS)) {
          throw new AssertionError("waited for " + WAIT_SECONDS + " s");
        }
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }
  }
}
