// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli.shell;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.jline.terminal.Attributes;
import org.jline.terminal.Terminal;

/** Shows output page by page on a terminal that has a height. Belongs to one thread. */
final class TerminalPager implements ShellOutput.Pager {
  /** Below this height pages make no sense. */
  private static final int HEIGHT_MIN = 4;

  private static final String QUESTION = "-- Enter: a line, space: a page, a: all, q: stop --";
  private static final String ERASE_LINE = "\r\u001b[K";

  private final Terminal terminal;
  private int linesLeft;
  private boolean showsAll;

  TerminalPager(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public void begin() {
    linesLeft = pageLines();
    showsAll = terminal.getHeight() < HEIGHT_MIN;
  }

  private int pageLines() {
    return terminal.getHeight() - 1;
  }

  @Override
  public boolean mayPrint(String line) {
    if (showsAll) {
      return true;
    }
    int lines = 1 + Math.max(0, line.length() - 1) / Math.max(1, terminal.getWidth());
    if (lines > linesLeft && !ask()) {
      return false;
    }
    linesLeft -= lines;
    return true;
  }

  /** Waits for an answer; returns whether to go on. */
  private boolean ask() {
    terminal.writer().print(QUESTION);
    terminal.writer().flush();
    Attributes before = terminal.enterRawMode();
    try {
      while (true) {
        int key = terminal.reader().read();
        switch (key) {
          case ' ' -> linesLeft = pageLines();
          case '\r', '\n' -> linesLeft = 1;
          case 'a' -> showsAll = true;
          case 'q', -1, 3 -> {
            return false;
          }
          default -> {
            continue;
          }
        }
        return true;
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      terminal.setAttributes(before);
      terminal.writer().print(ERASE_LINE);
    }
  }
}
