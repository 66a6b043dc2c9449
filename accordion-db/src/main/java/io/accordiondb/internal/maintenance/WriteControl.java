// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.maintenance;

import io.accordiondb.DatabaseOptions;
import io.accordiondb.ValueTooLargeException;
import io.accordiondb.WriteStalledException;
import io.accordiondb.chunk.MemoryBudget;
import io.accordiondb.internal.commit.Batch;
import io.accordiondb.internal.commit.FailureState;
import io.accordiondb.internal.region.Store;
import java.io.IOException;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Slows writers down, and stops them, when the disk cannot follow. Thread-safe.
 *
 * <p>Three things are watched: the memory budget, and, of the stores written, the number of sorted
 * tables and their bytes that wait for a compaction. From a first mark on, each batch waits a
 * little, more the nearer the second mark; from the second mark on it waits until a flush or a
 * compaction has brought relief. Waiting is counted, timed and explained.
 */
public final class WriteControl {
  /** Share of the budget from which writers are slowed down. */
  private static final double MEMORY_SLOW = 0.9;

  /** Sorted tables of one store from which its writers are slowed down, and stopped. */
  private static final int FILES_SLOW = 20;

  private static final int FILES_STOP = 40;

  /** Share of the greatest compaction debt from which writers are slowed down. */
  private static final double DEBT_SLOW = 0.5;

  /** Longest delay of one batch that is only slowed down. */
  private static final long DELAY_NANOS_MAX = 2_000_000;

  private static final long POLL_NANOS = 1_000_000;

  /**
   * What one poll counts for at the most. A process that stood still meanwhile, as on a machine
   * that slept, has given flushes no time either.
   */
  private static final long POLL_COUNTED_NANOS_MAX = 1_000_000_000;

  private static final Logger LOG = LoggerFactory.getLogger(WriteControl.class);

  private final MemoryBudget budget;
  private final FailureState failure;
  private final LongSupplier nanoClock;
  private final Supplier<DatabaseOptions> options;
  private final LongConsumer onPressure;
  private final Supplier<String> memoryState;
  private final LongAdder stalls = new LongAdder();
  private final LongAdder stallNanos = new LongAdder();

  /** Told only when somebody asks: a writer that is slowed down has no time for words. */
  private volatile @Nullable Supplier<String> lastReason;

  /**
   * Creates a control.
   *
   * @param options say how long a batch may be stopped before it fails, not counting time for which
   *     the process stood still, and at which compaction debt of a store its writers are stopped
   * @param onPressure asks for flushes that make room for so many bytes; called by every writer
   *     that is slowed down by memory
   * @param memoryState tells what holds the memory
   */
  public WriteControl(
      MemoryBudget budget,
      FailureState failure,
      LongSupplier nanoClock,
      Supplier<DatabaseOptions> options,
      LongConsumer onPressure,
      Supplier<String> memoryState) {
    this.budget = budget;
    this.failure = failure;
    this.nanoClock = nanoClock;
    this.options = options;
    this.onPressure = onPressure;
    this.memoryState = memoryState;
  }

  public long stalls() {
    return stalls.sum();
  }

  public long stallNanos() {
    return stallNanos.sum();
  }

  public @Nullable String lastReason() {
    Supplier<String> reason = lastReason;
    return reason == null ? null : reason.get();
  }

  /**
   * Waits as long as a batch must wait before it may be committed.
   *
   * @throws ValueTooLargeException at once, if no flush could make room for the batch
   */
  public void admit(Batch batch) throws IOException {
    double pressure = pressure(batch);
    if (pressure <= 0) {
      return;
    }
    if (batch.payload().limit() >= budget.limitBytes()) {
      throw new ValueTooLargeException("the batch", batch.payload().limit(), budget.limitBytes());
    }
    long begun = nanoClock.getAsLong();
    stalls.increment();
    if (pressure < 1) {
      LockSupport.parkNanos((long) (DELAY_NANOS_MAX * pressure));
    } else {
      awaitRelief(batch, begun);
    }
    stallNanos.add(nanoClock.getAsLong() - begun);
  }

  private void awaitRelief(Batch batch, long begun) throws IOException {
    LOG.debug("writes stopped: {}", lastReason());
    boolean interrupted = Thread.interrupted();
    long waited = 0;
    long polled = begun;
    try {
      while (pressure(batch) >= 1) {
        failure.check();
        for (Batch.Group group : batch.groups()) {
          group.store().checkOpen();
        }
        if (waited > options.get().stallMax().toNanos()) {
          boolean shortOfMemory = memoryPressure(batch) >= 1;
          String reason = lastReason() + (shortOfMemory ? "; " + memoryState.get() : "");
          lastReason = () -> reason;
          throw new WriteStalledException(reason);
        }
        LockSupport.parkNanos(POLL_NANOS);
        interrupted |= Thread.interrupted();
        long now = nanoClock.getAsLong();
        waited += Math.min(now - polled, POLL_COUNTED_NANOS_MAX);
        polled = now;
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /**
   * Returns 0 when writers may go on, 1 when they must stop, and between how much they must slow.
   */
  private double pressure(Batch batch) {
    return Math.max(memoryPressure(batch), filePressure(batch));
  }

  private double memoryPressure(Batch batch) {
    long limit = budget.limitBytes();
    long used = budget.usedBytes() + batch.payload().limit();
    double slow = MEMORY_SLOW * limit;
    if (used <= slow) {
      return 0;
    }
    boolean lowered = budget.isLowered();
    lastReason = () -> memoryReason(used, limit, lowered);
    onPressure.accept(batch.payload().limit());
    return used >= limit ? 1 : (used - slow) / (limit - slow);
  }

  private static String memoryReason(long used, long limit, boolean lowered) {
    return "the memory stores use "
        + used
        + " of "
        + limit
        + " bytes until flushes have written them"
        + (lowered ? "; direct memory has run out, raise -XX:MaxDirectMemorySize" : "");
  }

  private double filePressure(Batch batch) {
    long debtBytesMax = options.get().compactionDebtBytesMax();
    double highest = 0;
    for (Batch.Group group : batch.groups()) {
      Store store = group.store();
      int files = store.sortedRuns();
      if (files > FILES_SLOW) {
        lastReason =
            () ->
                store.id()
                    + " has "
                    + files
                    + " sorted tables, which compactions have yet to merge";
        highest = Math.max(highest, (double) (files - FILES_SLOW) / (FILES_STOP - FILES_SLOW));
      }
      long debt = store.compactionDebtBytes();
      double debtSlow = DEBT_SLOW * debtBytesMax;
      // What no compaction is due for would hold writers up for ever.
      if (debt > debtSlow && store.isCompactionRequested()) {
        lastReason =
            () ->
                store.id() + " has " + debt + " bytes of sorted tables that wait for a compaction";
        highest = Math.max(highest, (debt - debtSlow) / (debtBytesMax - debtSlow));
      }
    }
    return Math.min(1, highest);
  }
}
