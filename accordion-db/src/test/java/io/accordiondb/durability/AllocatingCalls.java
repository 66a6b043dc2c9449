// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.durability;

import io.accordiondb.OwnThreads;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Calls methods of {@link AllocatingClasses}, each call in a thread of its own, and notices those
 * that hang and the threads that they leave.
 */
final class AllocatingCalls {
  /** A thousand times as long as a run takes; other processes may keep the machine busy. */
  private static final int DEADLINE_SECONDS = 30;

  private final AllocatingClasses classes = new AllocatingClasses();

  /** All calls are made in these, so that they have the threads of all databases. */
  private final OwnThreads threads = new OwnThreads();

  /** Returns the classes whose methods are called. */
  AllocatingClasses classes() {
    return classes;
  }

  /** Waits until no thread of a database is left, all of which were closed. */
  void awaitNoThreads() throws InterruptedException {
    List<Thread> left = threads.ofDatabasesAfter(Duration.ofSeconds(deadlineSeconds()));
    if (!left.isEmpty()) {
      AssertionError error = new AssertionError("threads that outlive their database: " + left);
      left.forEach(thread -> error.addSuppressed(stackOf(thread)));
      throw error;
    }
  }

  private static AssertionError stackOf(Thread thread) {
    AssertionError stack = new AssertionError(thread.getName());
    stack.setStackTrace(thread.getStackTrace());
    return stack;
  }

  /** Calls a static method of one number; fails with what all threads do if it does not end. */
  void call(Class<?> type, String method, long argument) throws Throwable {
    AtomicReference<@Nullable Throwable> problem = new AtomicReference<>();
    Thread thread =
        threads.start(
            "allocation-run",
            () -> {
              try {
                classes.call(type, method, argument);
              } catch (Throwable e) {
                problem.set(e);
              }
            });
    thread.join(TimeUnit.SECONDS.toMillis(deadlineSeconds()));
    if (thread.isAlive()) {
      HangError hang = hang(thread);
      thread.interrupt();
      throw hang;
    }
    Throwable thrown = problem.get();
    if (thrown != null) {
      throw thrown;
    }
  }

  /** Where a defect is planted that hangs, it need not be waited for as long. */
  private static int deadlineSeconds() {
    return DEADLINE_SECONDS;
  }

  /** A run that does not end. */
  static final class HangError extends AssertionError {
    private static final long serialVersionUID = 1L;

    HangError() {
      super("hangs");
    }
  }

  private HangError hang(Thread hanging) {
    HangError hang = new HangError();
    hang.setStackTrace(hanging.getStackTrace());
    threads.ofDatabases().forEach(thread -> hang.addSuppressed(stackOf(thread)));
    return hang;
  }
}
