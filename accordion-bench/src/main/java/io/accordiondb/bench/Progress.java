// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.bench;

import java.io.PrintStream;
import java.util.Locale;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/**
 * Shows the progress of a run: on a terminal in one line that is overwritten, otherwise in a new
 * line from time to time. Thread-safe. Ends with {@link #close}.
 */
public final class Progress implements AutoCloseable {
  /** System property that says whether standard error is a terminal, which Java 17 cannot tell. */
  private static final String TERMINAL = "accordion.terminal";

  /** Clears what follows on a line of a terminal. */
  private static final String CLEAR = "\u001b[K";

  /**
   * Cuts a line at the edge of the terminal: its rest would be on a line that is not overwritten.
   */
  private static final String CUT = "\u001b[?7l";

  private static final String WRAP = "\u001b[?7h";

  /** What a line for a terminal has beside its text. */
  private static final Pattern CONTROL = Pattern.compile("\u001b\\[[?0-9]*[A-Za-z]");

  /** A line as {@link #print} has it. */
  private static final Pattern LINE = Pattern.compile(".{10,} +\\d+%  +[\\d,]+ /s  .*");

  private static final long TERMINAL_MILLIS = 250;
  private static final long LOG_MILLIS = 5000;

  private final PrintStream out;
  private final String label;
  private final long total;
  private final Supplier<String> details;
  private final boolean terminal = Boolean.getBoolean(TERMINAL);
  private final LongAdder done = new LongAdder();
  private final Thread printer;
  private final long begun = System.nanoTime();
  private volatile boolean closed;

  /**
   * Begins to show progress.
   *
   * @param total operations to do
   * @param details what else to show
   */
  public Progress(PrintStream out, String label, long total, Supplier<String> details) {
    this.out = out;
    this.label = label;
    this.total = total;
    this.details = details;
    this.printer = new Thread(this::printAll, "progress");
    this.printer.setDaemon(true);
    this.printer.start();
  }

  /** Returns what shows a line of a terminal in the place of the one before. */
  public static String overwriting(String line) {
    return "\r" + CUT + line + CLEAR + WRAP;
  }

  /** Returns the text of a line that another process has printed for a terminal. */
  public static String plain(String line) {
    return CONTROL.matcher(line).replaceAll("");
  }

  /**
   * Returns what shows the progress of another process here, and nothing else of what it says.
   *
   * @return takes each line of its error output
   */
  public static Consumer<String> relay(PrintStream out) {
    boolean terminal = Boolean.getBoolean(TERMINAL);
    return line -> {
      String text = plain(line);
      if (LINE.matcher(text).matches()) {
        show(out, terminal, text);
      } else if (terminal && line.equals(CLEAR)) {
        clear(out);
      }
    };
  }

  private static void show(PrintStream out, boolean terminal, String line) {
    out.print(terminal ? overwriting(line) : line + "\n");
    out.flush();
  }

  private static void clear(PrintStream out) {
    out.print("\r" + CLEAR);
    out.flush();
  }

  /** Adds operations that are done. */
  public void add(long operations) {
    done.add(operations);
  }

  private void printAll() {
    try {
      while (!closed) {
        Thread.sleep(terminal ? TERMINAL_MILLIS : LOG_MILLIS);
        if (!closed) {
          print();
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void print() {
    long count = done.sum();
    double seconds = (System.nanoTime() - begun) / 1e9;
    String line =
        String.format(
            Locale.ROOT,
            "%-10s %3.0f%%  %,10.0f /s  %s%s",
            label,
            Math.min(100, 100.0 * count / Math.max(1, total)),
            count / seconds,
            left(count, seconds),
            details.get());
    show(out, terminal, line);
  }

  private String left(long count, double seconds) {
    return count == 0 || count >= total
        ? ""
        : String.format(Locale.ROOT, "%,.0f s left  ", seconds * (total - count) / count);
  }

  @Override
  public void close() {
    closed = true;
    printer.interrupt();
    if (terminal) {
      clear(out);
    }
  }
}
