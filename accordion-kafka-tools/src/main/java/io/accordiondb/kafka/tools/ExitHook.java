// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.kafka.tools;

/** What is done when the JVM is asked to end, as by Ctrl-C, unless it has been removed before. */
final class ExitHook {
  /** What may be interrupted. */
  interface Action {
    void run() throws InterruptedException;
  }

  private final Thread thread;

  private ExitHook(Thread thread) {
    this.thread = thread;
  }

  /**
   * Adds an action.
   *
   * @throws IllegalStateException if the JVM ends already
   */
  static ExitHook add(Action action) {
    Thread thread =
        new Thread(
            () -> {
              try {
                action.run();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            },
            "exit hook");
    Runtime.getRuntime().addShutdownHook(thread);
    return new ExitHook(thread);
  }

  void remove() {
    try {
      Runtime.getRuntime().removeShutdownHook(thread);
    } catch (IllegalStateException ending) {
      // The hooks run already.
    }
  }
}
