// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.backup;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.util.concurrent.locks.LockSupport;

/** Limits the bytes that all streams together read in a second. Belongs to one thread. */
final class Throttle {
  private static final double NANOS_PER_SECOND = 1e9;

  private final double nanosPerByte;
  private long due = System.nanoTime();

  /** Creates a limit; 0 for none. */
  Throttle(long bytesPerSecondMax) {
    this.nanosPerByte = bytesPerSecondMax == 0 ? 0 : NANOS_PER_SECOND / bytesPerSecondMax;
  }

  /** Returns a stream that waits after each read for as long as it was too fast. */
  InputStream limit(InputStream in) {
    if (nanosPerByte == 0) {
      return in;
    }
    return new FilterInputStream(in) {
      @Override
      public int read() throws IOException {
        int read = super.read();
        waitFor(1);
        return read;
      }

      @Override
      public int read(byte[] bytes, int offset, int length) throws IOException {
        int read = super.read(bytes, offset, length);
        waitFor(read);
        return read;
      }
    };
  }

  private void waitFor(int bytes) throws IOException {
    long now = System.nanoTime();
    // Time in which nothing was read is not made up for.
    due = Math.max(due, now) + (long) (bytes * nanosPerByte);
    while (due - System.nanoTime() > 0) {
      if (Thread.currentThread().isInterrupted()) {
        throw new InterruptedIOException("interrupted while a backup waits for its turn");
      }
      LockSupport.parkNanos(due - System.nanoTime());
    }
  }
}
