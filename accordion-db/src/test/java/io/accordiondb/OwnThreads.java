// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * The threads of one test: those that {@link #start} starts, and all that they start in turn, such
 * as the threads of a database that they open. Threads that other tests of the process have left,
 * or still run, are not among them.
 */
public final class OwnThreads {
  private static final int THREADS_MIN = 64;
  private static final long MINUTES_MAX = 1;

  private final ThreadGroup group = new ThreadGroup("own threads");

  /** What a thread does. */
  public interface Action {
    void run() throws Exception;
  }

  /** Starts a daemon. */
  public Thread start(String name, Runnable action) {
    Thread thread = new Thread(group, action, name);
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  /** Does something in a thread, and waits for its end. */
  public void run(Action action) throws Exception {
    CompletableFuture<Void> ended = new CompletableFuture<>();
    Thread unused =
        start(
            "own",
            () -> {
              try {
                action.run();
                ended.complete(null);
              } catch (Throwable e) {
                ended.completeExceptionally(e);
              }
            });
    ended.get(MINUTES_MAX, TimeUnit.MINUTES);
  }

  /** Returns the living threads of databases. */
  public List<Thread> ofDatabases() {
    return alive().stream().filter(thread -> thread.getName().startsWith("accordion-")).toList();
  }

  /** Returns the living threads of databases whose purpose is one of these. */
  public List<Thread> ofDatabases(String... purposes) {
    return ofDatabases().stream()
        .filter(
            thread ->
                Arrays.stream(purposes)
                    .anyMatch(purpose -> thread.getName().startsWith("accordion-" + purpose)))
        .toList();
  }

  /** Waits until no thread of a database is alive; returns those that are when time is over. */
  public List<Thread> ofDatabasesAfter(Duration wait) throws InterruptedException {
    long end = System.nanoTime() + wait.toNanos();
    for (Thread thread : ofDatabases()) {
      TimeUnit.NANOSECONDS.timedJoin(thread, end - System.nanoTime());
    }
    return ofDatabases();
  }

  private List<Thread> alive() {
    Thread[] found = new Thread[THREADS_MIN];
    int count = group.enumerate(found);
    while (count == found.length) {
      found = new Thread[2 * found.length];
      count = group.enumerate(found);
    }
    return Arrays.asList(found).subList(0, count);
  }
}
