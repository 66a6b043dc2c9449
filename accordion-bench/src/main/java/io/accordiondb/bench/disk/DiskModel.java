// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.bench.disk;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.concurrent.TimeUnit;

/**
 * Computes until when a simulated disk is busy with a request, in nanoseconds of the caller's
 * clock. Thread-safe; it never waits.
 */
final class DiskModel {
  /** The size of the write buffer, as the time that the disk takes to empty it. */
  static final long BUFFER_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  private final double nanosPerByte;
  private final long seekNanos;

  /** When the disk is done with all reads. */
  @GuardedBy("this")
  private long readsDone = Long.MIN_VALUE;

  /** When the disk is done with all that is buffered. */
  @GuardedBy("this")
  private long writesDone = Long.MIN_VALUE;

  DiskModel(SimulatedDisk disk) {
    this.nanosPerByte = (double) TimeUnit.SECONDS.toNanos(1) / disk.bytesPerSecond();
    this.seekNanos = disk.seek().toNanos();
  }

  /** Returns when a read that begins now is done; it takes its time from the buffer's emptying. */
  synchronized long read(long now, long bytes, boolean seeks) {
    long cost = transferNanos(bytes) + (seeks ? seekNanos : 0);
    readsDone = Math.max(readsDone, now) + cost;
    writesDone = Math.max(writesDone, now) + cost;
    return readsDone;
  }

  /** Returns when the buffer has taken bytes that are written now. */
  synchronized long write(long now, long bytes) {
    writesDone = Math.max(writesDone, now) + transferNanos(bytes);
    return writesDone - BUFFER_NANOS;
  }

  /** Returns when all that was written before is on the disk. */
  synchronized long sync(long now) {
    writesDone = Math.max(writesDone, now) + seekNanos;
    return writesDone;
  }

  private long transferNanos(long bytes) {
    return (long) (bytes * nanosPerByte);
  }
}
