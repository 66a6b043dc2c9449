// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;

/**
 * Delays writers while their region holds much more than a flush size, and longer the closer it is
 * to the size at which HBase refuses writes. This lets a flush overtake the writers, and clients
 * see slow writes instead of a {@code RegionTooBusyException}. Thread-safe.
 *
 * <p>All writers of a store share one rate, in bytes per time. They hold locks of HBase during a
 * pause, and a flush needs these locks to start, so every pause is short. At the limit there is
 * none: HBase has let these writers in before, and refuses others.
 */
final class WriteBrake {
  /** The pace half-way to the limit; it falls to nothing at the limit. */
  private static final long NANOS_BY_BYTE = 20;

  private static final long PAUSE_NANOS_MAX = 20_000_000;

  private final double slowBytes;
  private final long limitBytes;
  private final LongSupplier heldBytes;

  /** The time at which all bytes written since writers were first delayed are paid for. */
  private final AtomicLong paidNanos = new AtomicLong(System.nanoTime());

  private final LongAdder pauses = new LongAdder();
  private final LongAdder pausedNanos = new LongAdder();

  /**
   * Creates a brake.
   *
   * @param from the share of the limit, 0 to 1, above which writers are delayed; 1 for never
   * @param limitBytes the bytes at which HBase refuses writes to the region
   * @param heldBytes supplies the bytes that the region holds
   */
  WriteBrake(double from, long limitBytes, LongSupplier heldBytes) {
    this.slowBytes = from < 1 ? from * limitBytes : Double.POSITIVE_INFINITY;
    this.limitBytes = limitBytes;
    this.heldBytes = heldBytes;
  }

  /**
   * Creates the brake of a store.
   *
   * @param flushBytes the region's flush size
   * @param heldBytes supplies the bytes that the region holds
   */
  static WriteBrake of(
      StoreSettings settings,
      Configuration configuration,
      long flushBytes,
      LongSupplier heldBytes) {
    long multiplier =
        configuration.getLong(
            HConstants.HREGION_MEMSTORE_BLOCK_MULTIPLIER,
            HConstants.DEFAULT_HREGION_MEMSTORE_BLOCK_MULTIPLIER);
    return new WriteBrake(settings.slowdownFrom(), flushBytes * multiplier, heldBytes);
  }

  /** Returns how often writers were delayed. */
  long pauses() {
    return pauses.sum();
  }

  long pausedNanos() {
    return pausedNanos.sum();
  }

  /** Waits as long as a writer of that many bytes must be delayed. */
  void hold(long bytes) {
    long now = System.nanoTime();
    long pause = pauseNanos(bytes, now);
    if (pause > 0) {
      LockSupport.parkNanos(pause);
      pauses.increment();
      pausedNanos.add(System.nanoTime() - now);
    }
  }

  long pauseNanos(long bytes, long now) {
    long held = heldBytes.getAsLong();
    double beyond = held - slowBytes;
    if (beyond <= 0 || held >= limitBytes) {
      return 0;
    }
    double left = limitBytes - held;
    long cost = (long) Math.min(PAUSE_NANOS_MAX, bytes * NANOS_BY_BYTE * (beyond / left));
    long paid =
        paidNanos.updateAndGet(
            before -> now + Math.min(PAUSE_NANOS_MAX, Math.max(0, before - now) + cost));
    return paid - now;
  }
}
