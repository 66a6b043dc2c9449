// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli;

import java.io.IOException;
import java.io.OutputStream;

/** Standard output whose reader goes away after a number of bytes, as {@code head} does. */
final class BrokenPipe extends OutputStream {
  private int left = 10_000;

  @Override
  public void write(int b) throws IOException {
    if (left-- <= 0) {
      throw new IOException("Broken pipe");
    }
  }
}
