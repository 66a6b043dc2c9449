// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.metrics;

import io.accordiondb.statistics.LatencyHistogram;
import io.accordiondb.statistics.OperationKind;
import io.accordiondb.statistics.OperationStatistics;
import io.accordiondb.statistics.OperationStatistics.Operation;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Counts operations and times some of them: one in {@value Tally#SAMPLE_MEAN} of the short ones, at
 * random, or all of them while slow operations are looked for. Thread-safe.
 *
 * <p>An operation that fails is neither counted nor timed.
 */
public final class Operations {
  /** Stands for the beginning of an operation that is not timed. */
  public static final long NOT_TIMED = Long.MIN_VALUE;

  /** Rows of a scan are timed more rarely than other operations, because they take less time. */
  private static final int ROWS_AN_OPERATION = 8;

  private final Tallies tallies;
  private final SlowOperations slow;
  private final Map<OperationKind, LatencyRecorder> latencies = new EnumMap<>(OperationKind.class);

  Operations(Tallies tallies, SlowOperations slow) {
    this.tallies = tallies;
    this.slow = slow;
    for (OperationKind kind : OperationKind.values()) {
      latencies.put(kind, new LatencyRecorder());
    }
  }

  /** Returns the tally of the current thread. */
  public Tally tally() {
    return tallies.mine();
  }

  /** Begins an operation; returns when it began, or {@link #NOT_TIMED}. */
  public long begin(Tally tally) {
    return tally.isDue() || slow.isOn() ? beginTimed(tally) : NOT_TIMED;
  }

  /** Begins an operation that takes long enough to be timed each time. */
  public long beginTimed(Tally tally) {
    tally.beginTiming();
    return System.nanoTime();
  }

  /**
   * Ends an operation.
   *
   * @param begun the result of {@link #begin}
   * @param table the table that it was done on, or null
   * @param row the row that it was done on, or null
   */
  public void end(
      Tally tally, OperationKind kind, long begun, @Nullable String table, byte @Nullable [] row) {
    tally.count(kind, 1);
    if (begun != NOT_TIMED) {
      endTimed(tally, kind, begun, table, row);
    }
  }

  /**
   * Ends an operation that was timed and that is counted elsewhere.
   *
   * @param tally that of the thread that has waited for it; null if none has
   */
  public void endTimed(
      @Nullable Tally tally,
      OperationKind kind,
      long begun,
      @Nullable String table,
      byte @Nullable [] row) {
    long nanos = System.nanoTime() - begun;
    time(kind, nanos);
    if (nanos >= slow.thresholdNanos()) {
      report(tally, kind, nanos, table, row);
    }
  }

  /** Ends an operation that another thread has begun. */
  public void endElsewhere(
      OperationKind kind, long begun, @Nullable String table, byte @Nullable [] row) {
    tally().count(kind, 1);
    if (begun != NOT_TIMED) {
      endTimed(null, kind, begun, table, row);
    }
  }

  private void report(
      @Nullable Tally tally,
      OperationKind kind,
      long nanos,
      @Nullable String table,
      byte @Nullable [] row) {
    try {
      slow.report(kind, nanos, table, row, tally == null ? Tally.NO_CAUSES : tally.causes());
    } catch (OutOfMemoryError e) {
      // A failure to record it must not change the outcome of the operation.
    }
  }

  /**
   * Records the duration of an operation that is counted elsewhere. Never throws, because a thread
   * that has logged a write must finish it.
   */
  public void time(OperationKind kind, long nanos) {
    try {
      Objects.requireNonNull(latencies.get(kind)).record(nanos);
    } catch (OutOfMemoryError e) {
      // The time is lost.
    }
  }

  /** Counts and times an operation. */
  public void record(OperationKind kind, long nanos) {
    tally().count(kind, 1);
    time(kind, nanos);
  }

  /** Returns the number of cells committed. */
  public long cellsCommitted() {
    return tallies.cells();
  }

  /** Returns how many rows a scan moves to before one is timed. */
  public int rowsUntilTimed(Tally tally) {
    return slow.isOn() ? 0 : tally.nextSample() * ROWS_AN_OPERATION;
  }

  /** Returns all figures. */
  public OperationStatistics statistics() {
    Map<OperationKind, Operation> byKind = new EnumMap<>(OperationKind.class);
    latencies.forEach(
        (kind, recorder) -> {
          // Read the histogram first: operations are counted before they are timed, so it never has
          // more of them.
          LatencyHistogram histogram = recorder.histogram();
          byKind.put(kind, new Operation(tallies.count(kind), histogram));
        });
    return new OperationStatistics(byKind);
  }
}
