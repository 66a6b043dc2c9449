// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli.text;

import java.io.PrintWriter;

/**
 * Prints output of any number of lines. It does not flush after each line, and notices when the
 * reading end of the pipe is closed. Not thread-safe.
 */
public final class LineOutput {
  /** Lines after which a look is taken at whether anybody reads them. */
  private static final int LINES_AT_ONCE = 100;

  private final PrintWriter out;
  private long lines;

  /** Creates an output; the caller keeps the writer. */
  public LineOutput(PrintWriter out) {
    this.out = out;
  }

  /**
   * Prints a line.
   *
   * @throws OutputClosedException if the output was closed
   */
  public void line(String text) throws OutputClosedException {
    out.write(text);
    out.write('\n');
    if (++lines % LINES_AT_ONCE == 0) {
      flush();
    }
  }

  /**
   * Has all that was printed leave the process.
   *
   * @throws OutputClosedException if the output was closed
   */
  public void flush() throws OutputClosedException {
    if (out.checkError()) {
      throw new OutputClosedException();
    }
  }
}
