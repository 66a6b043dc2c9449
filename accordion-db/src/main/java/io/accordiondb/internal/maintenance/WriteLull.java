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

  private final LongSupplier cellsWritten;
  private final LongSupplier nanoClock;
  private long lastCells;
  private volatile long lastNanos;
  private volatile long begunNanos;

  /** Starts measuring now; {@code cellsWritten} must never decrease. */
  public WriteLull(LongSupplier cellsWritten, LongSupplier nanoClock) {
    this.cellsWritten = cellsWritten;
    this.nanoClock = nanoClock;
    lastCells = cellsWritten.getAsLong();
    lastNanos = nanoClock.getAsLong();
    begunNanos = lastNanos;
  }

  /** Measures how much was written since the last call. */
  void look() {
    long cells = cellsWritten.getAsLong();
    long nanos = nanoClock.getAsLong();
    double seconds = Math.max(1, nanos - lastNanos) / (double) TimeUnit.SECONDS.toNanos(1);
    if (cells - lastCells > CELLS_PER_SECOND * seconds) {
      begunNanos = nanos;
    }
    lastCells = cells;
    lastNanos = nanos;
  }

  /** Returns how many seconds the lull had lasted at the last {@link #look}; 0 if there is none. */
  double seconds() {
    return (lastNanos - begunNanos) / (double) TimeUnit.SECONDS.toNanos(1);
  }
}
