// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.accordiondb.fixtures.Await;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;

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
    return Await.await(
        wanted + " in the log",
        () -> {
          work.run();
          return toString();
        },
        logged -> logged.contains(wanted));
  }

  @Override
  public void close() {
    System.setErr(before);
  }
}
