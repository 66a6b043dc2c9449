// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.maintenance;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Measures for how long next to nothing has been written to a database. One thread samples it
 * periodically; any thread may query it.
 */
public final class WriteLull {
  /** Cells written in a second at which a lull ends. */
  private static final long CELLS_PER_SECOND = 1000;

  /** The same for their bytes: a few large values are no lull either. */
  private static final long BYTES_PER_SECOND = 1 << 20;

  private final LongSupplier cellsWritten;
  private final LongSupplier bytesWritten;
  private final LongSupplier nanoClock;
  private long lastCells;
  private long lastBytes;
  private volatile long lastNanos;
  private volatile long begunNanos;

  /** Starts measuring now; neither cells nor bytes may ever decrease. */
  public WriteLull(LongSupplier cellsWritten, LongSupplier bytesWritten, LongSupplier nanoClock) {
    this.cellsWritten = cellsWritten;
    this.bytesWritten = bytesWritten;
    this.nanoClock = nanoClock;
    lastCells = cellsWritten.getAsLong();
    lastBytes = bytesWritten.getAsLong();
    lastNanos = nanoClock.getAsLong();
    begunNanos = lastNanos;
  }

  /** Measures how much was written since the last call. */
  void look() {
    long cells = cellsWritten.getAsLong();
    long bytes = bytesWritten.getAsLong();
    long nanos = nanoClock.getAsLong();
    double seconds = Math.max(1, nanos - lastNanos) / (double) TimeUnit.SECONDS.toNanos(1);
    if (cells - lastCells > CELLS_PER_SECOND * seconds
        || bytes - lastBytes > BYTES_PER_SECOND * seconds) {
      begunNanos = nanos;
    }
    lastCells = cells;
    lastBytes = bytes;
    lastNanos = nanos;
  }

  /** Returns how many seconds the lull had lasted at the last {@link #look}; 0 if there is none. */
  double seconds() {
    return (lastNanos - begunNanos) / (double) TimeUnit.SECONDS.toNanos(1);
  }
}
