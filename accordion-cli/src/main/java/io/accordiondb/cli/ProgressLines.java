// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli;

import java.io.PrintWriter;

/** Prints, at most once a second, how far the copying of files has come. */
final class ProgressLines {
  private static final long INTERVAL_NANOS = 1_000_000_000;

  private final PrintWriter out;
  private long last = System.nanoTime();

  ProgressLines(PrintWriter out) {
    this.out = out;
  }

  void print(int filesDone, int filesAll, long bytesDone, long bytesAll) {
    long now = System.nanoTime();
    if (now - last >= INTERVAL_NANOS) {
      last = now;
      out.printf(
          "%d of %d files, %d of %d MB%n", filesDone, filesAll, bytesDone >> 20, bytesAll >> 20);
      out.flush();
    }
  }
}
