// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.bench.engine;

/**
 * The amounts that an engine has written. A figure that the engine does not report is 0; HBase's
 * engines do not report the log.
 *
 * @param flushes flushes of memory to disk
 * @param compactions compactions of files
 * @param bytesFlushed bytes written by flushes
 * @param bytesCompacted bytes written by compactions
 * @param bytesLogged bytes appended to the log
 */
public record EngineFigures(
    long flushes, long compactions, long bytesFlushed, long bytesCompacted, long bytesLogged) {
  /** The figures of an engine that reports none. */
  public static final EngineFigures UNKNOWN = new EngineFigures(0, 0, 0, 0, 0);

  /** Returns the bytes written by the log, flushes and compactions together. */
  public long bytesWritten() {
    return bytesLogged + bytesFlushed + bytesCompacted;
  }

  /** Returns what was written since an earlier moment. */
  public EngineFigures minus(EngineFigures earlier) {
    return new EngineFigures(
        flushes - earlier.flushes,
        compactions - earlier.compactions,
        bytesFlushed - earlier.bytesFlushed,
        bytesCompacted - earlier.bytesCompacted,
        bytesLogged - earlier.bytesLogged);
  }
}
