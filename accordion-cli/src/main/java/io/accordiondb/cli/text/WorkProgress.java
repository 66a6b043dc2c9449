// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli.text;

import io.accordiondb.bench.Progress;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Shows the progress of a command that takes more than two seconds, with its rate and the remaining
 * time: on a terminal in one line that is overwritten, otherwise in a new line from time to time.
 * Thread-safe. Ends with {@link #close}.
 */
public final class WorkProgress implements AutoCloseable {
  /** System property that says whether standard error is a terminal, which Java 17 cannot tell. */
  private static final String TERMINAL = "accordion.terminal";

  private static final long QUIET_MILLIS = 2000;
  private static final long TERMINAL_MILLIS = 250;
  private static final long LOG_MILLIS = 10_000;
  private static final double NANOS_PER_SECOND = 1e9;
  private static final String ERASE_LINE = "\u001b[K";

  private final PrintWriter out;
  private final String label;
  private final String unit;
  private final boolean isTerminal = Boolean.getBoolean(TERMINAL);
  private final AtomicLong done = new AtomicLong();
  private final AtomicLong total;
  private final long begun = System.nanoTime();
  private final Thread printer = new Thread(this::printAll, "progress");
  private volatile boolean closed;
  private volatile boolean printed;

  /**
   * Begins to watch work.
   *
   * @param label what is done
   * @param unit what is counted, as "cells"; "bytes" are shown with a larger unit
   * @param total how much there is to do; 0 if that is not known
   */
  public WorkProgress(PrintWriter out, String label, String unit, long total) {
    this.out = out;
    this.label = label;
    this.unit = unit;
    this.total = new AtomicLong(total);
    printer.setDaemon(true);
    printer.start();
  }

  /** Begins to watch work of which only the time is known that it takes. */
  public static WorkProgress ofTime(PrintWriter out, String label) {
    return new WorkProgress(out, label, "", 0);
  }

  /** Adds work that was done. */
  public void add(long amount) {
    done.addAndGet(amount);
  }

  /** Says how much was done, of how much. */
  public void set(long amount, long all) {
    total.set(all);
    done.set(amount);
  }

  private void printAll() {
    try {
      Thread.sleep(QUIET_MILLIS);
      while (!closed) {
        print();
        Thread.sleep(isTerminal ? TERMINAL_MILLIS : LOG_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void print() {
    double seconds = (System.nanoTime() - begun) / NANOS_PER_SECOND;
    String line = line(label, unit, done.get(), total.get(), seconds);
    out.print(isTerminal ? Progress.overwriting(line) : line + "\n");
    out.flush();
    printed = true;
  }

  /** Returns a line that says how far work is after some time. */
  static String line(String label, String unit, long done, long total, double seconds) {
    if (unit.isEmpty()) {
      return label + ": " + time(seconds);
    }
    double rate = done / Math.max(seconds, 1e-3);
    StringBuilder line = new StringBuilder(label).append(": ").append(amount(done, unit));
    if (total > 0) {
      line.append(" of ").append(amount(total, unit));
      line.append(String.format(Locale.ROOT, ", %.0f %%", Math.min(100, 100.0 * done / total)));
    }
    line.append(", ").append(amount(Math.round(rate), unit)).append("/s");
    if (total > done && done > 0) {
      line.append(", ").append(time((total - done) / rate)).append(" left");
    }
    return line.toString();
  }

  private static String amount(long amount, String unit) {
    return unit.equals("bytes")
        ? Sizes.bytes(amount)
        : String.format(Locale.ROOT, "%,d %s", amount, unit);
  }

  private static String time(double seconds) {
    long whole = Math.round(seconds);
    return whole < 60
        ? whole + " s"
        : String.format(Locale.ROOT, "%d:%02d min", whole / 60, whole % 60);
  }

  @Override
  public void close() {
    closed = true;
    printer.interrupt();
    if (isTerminal && printed) {
      out.print("\r" + ERASE_LINE);
      out.flush();
    }
  }
}
