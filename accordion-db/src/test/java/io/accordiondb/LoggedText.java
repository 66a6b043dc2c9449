// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.time.Duration;

/** Keeps what is logged as long as it is open. The log goes to standard error in tests. */
public final class LoggedText implements AutoCloseable {
  private final PrintStream before = System.err;
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

  public LoggedText() {
    System.setErr(new PrintStream(bytes, true, UTF_8));
  }

  @Override
  public String toString() {
    return bytes.toString(UTF_8);
  }

  /** Waits until something was logged, doing some work again and again; returns all of it. */
  public String await(String wanted, Runnable work) {
    long end = System.nanoTime() + Duration.ofSeconds(30).toNanos();
    while (!toString().contains(wanted)) {
      if (System.nanoTime() > end) {
        throw new AssertionError("expected in the log: " + wanted + ", found: " + this);
      }
      work.run();
    }
    return toString();
  }

  @Override
  public void close() {
    System.setErr(before);
  }
}
