// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.client.data;

import io.accordiondb.hbase.client.catalog.ClosedConnection;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Runs operations on the threads of a session and completes futures with their outcome, by the
 * executor that the program has chosen. Thread-safe.
 */
final class AsyncOperations {
  private final Executor threads;
  private final Executor completion;

  /**
   * Creates a runner.
   *
   * @param completion completes the futures, so it runs what depends on them
   */
  AsyncOperations(Executor threads, Executor completion) {
    this.threads = threads;
    this.completion = completion;
  }

  /** An operation that runs on a thread of the session. */
  @FunctionalInterface
  interface Operation<T> {
    /** Runs the operation. */
    T run() throws IOException;
  }

  /** Starts an operation; the future gets what it returns or throws. */
  <T> CompletableFuture<T> start(Operation<T> operation) {
    CompletableFuture<T> future = new CompletableFuture<>();
    run(future, () -> succeed(future, operation.run()));
    return future;
  }

  /** Starts an operation that returns nothing. */
  CompletableFuture<Void> startAction(Failures.Action action) {
    CompletableFuture<Void> future = new CompletableFuture<>();
    run(
        future,
        () -> {
          action.run();
          succeed(future, null);
        });
    return future;
  }

  private void run(CompletableFuture<?> future, Failures.Action action) {
    execute(
        List.of(future),
        () -> {
          try {
            action.run();
          } catch (IOException | RuntimeException | Error e) {
            fail(future, e);
          }
        });
  }

  /** Runs work that completes futures; fails them if the session has ended. */
  void execute(List<? extends CompletableFuture<?>> futures, Runnable work) {
    try {
      threads.execute(work);
    } catch (RejectedExecutionException e) {
      futures.forEach(future -> future.completeExceptionally(ClosedConnection.failure(e)));
    }
  }

  /** Completes a future with a result. */
  <T> void succeed(CompletableFuture<T> future, @Nullable T result) {
    complete(future, () -> future.complete(result));
  }

  /** Completes a future with what was thrown. */
  void fail(CompletableFuture<?> future, Throwable failure) {
    complete(future, () -> future.completeExceptionally(failure));
  }

  private void complete(CompletableFuture<?> future, Runnable completing) {
    try {
      completion.execute(completing);
    } catch (RejectedExecutionException e) {
      // The program has shut its executor down, but its futures must still end.
      future.completeExceptionally(e);
    }
  }
}
