// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli.top;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Uses the whole screen of a terminal and restores its old content at {@link #close}, even if the
 * process is interrupted.
 */
public final class Terminal implements AutoCloseable {
  /** System property that says whether standard output is a terminal, which Java 17 cannot tell. */
  private static final String PROPERTY = "accordion.terminal.output";

  private static final String OTHER_SCREEN = "\u001b[?1049h\u001b[?25l";
  private static final String OLD_SCREEN = "\u001b[?25h\u001b[?1049l";
  private static final String HOME = "\u001b[H";
  private static final String END_OF_LINE = "\u001b[K";
  private static final String END_OF_SCREEN = "\u001b[J";
  private static final int SIZE_MILLIS_MAX = 500;

  private final PrintWriter out;
  private final Thread restorer;

  /** Takes the screen. */
  public Terminal(PrintWriter out) {
    this.out = out;
    this.restorer = new Thread(this::restore, "terminal restorer");
    Runtime.getRuntime().addShutdownHook(restorer);
    out.print(OTHER_SCREEN);
    out.flush();
  }

  /** Tells whether standard output is a terminal. */
  public static boolean isThere() {
    return Boolean.getBoolean(PROPERTY);
  }

  /** The size of a terminal in characters. */
  public record Size(int columns, int lines) {
    /** The size of classic text terminals, for terminals that do not report theirs. */
    public static final Size USUAL = new Size(80, 24);
  }

  /** Asks the terminal for its size, which may have changed. */
  public Size size() {
    try {
      Process process =
          new ProcessBuilder("stty", "size")
              .redirectInput(ProcessBuilder.Redirect.INHERIT)
              .redirectErrorStream(true)
              .start();
      String answer =
          new String(process.getInputStream().readAllBytes(), StandardCharsets.US_ASCII).trim();
      if (process.waitFor(SIZE_MILLIS_MAX, TimeUnit.MILLISECONDS)
          && answer.matches("[1-9][0-9]{0,3} [1-9][0-9]{0,3}")) {
        String[] parts = answer.split(" ");
        return new Size(Integer.parseInt(parts[1]), Integer.parseInt(parts[0]));
      }
    } catch (IOException e) {
      // A system without stty: the usual size serves.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return Size.USUAL;
  }

  /** Shows lines in place of the old ones. */
  public void show(List<String> lines) {
    StringBuilder screen = new StringBuilder(HOME);
    for (int i = 0; i < lines.size(); i++) {
      screen.append(i == 0 ? "" : "\r\n").append(printable(lines.get(i))).append(END_OF_LINE);
    }
    out.print(screen.append(END_OF_SCREEN));
    out.flush();
  }

  /** Keeps names of tables from steering the terminal. */
  private static String printable(String line) {
    return line.replaceAll("\\p{Cntrl}", "?");
  }

  private void restore() {
    out.print(OLD_SCREEN);
    out.flush();
  }

  @Override
  public void close() {
    restore();
    try {
      Runtime.getRuntime().removeShutdownHook(restorer);
    } catch (IllegalStateException ending) {
      // The hooks run already, and restore once more.
    }
  }
}
