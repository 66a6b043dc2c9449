// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.statistics;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Writes that were slowed down or stopped because flushes or compactions could not keep up.
 *
 * <p>Times include those of the writes that wait now, so they grow while writes are stopped.
 *
 * @param byCause figures by cause; has all causes
 * @param elapsedNanos the time in which at least one write waited, in nanoseconds; unlike {@link
 *     #nanos()}, it does not grow faster if several wait
 * @param lastReason why writes last stalled, in words; null if they never did
 */
public record StallStatistics(
    Map<StallCause, Stalls> byCause, long elapsedNanos, @Nullable String lastReason) {
  /**
   * Stalls of one cause.
   *
   * @param count writes that waited
   * @param nanos how long they waited together, in nanoseconds
   * @param waiting writes that wait now
   */
  public record Stalls(long count, long nanos, int waiting) {
    static final Stalls NONE = new Stalls(0, 0, 0);
  }

  /**
   * Copies the collections, so that the record is immutable.
   *
   * @param byCause the figures of each cause
   * @param elapsedNanos the time in which at least one write waited, in nanoseconds
   * @param lastReason why writes last stalled, in words; null if they never did
   */
  public StallStatistics {
    Map<StallCause, Stalls> all = new EnumMap<>(StallCause.class);
    for (StallCause cause : StallCause.values()) {
      all.put(cause, byCause.getOrDefault(cause, Stalls.NONE));
    }
    byCause = Collections.unmodifiableMap(all);
  }

  /**
   * {@return the figures of one cause}
   *
   * @param cause the cause of the stalls
   */
  public Stalls of(StallCause cause) {
    return Objects.requireNonNull(byCause.get(cause));
  }

  /** {@return how many writes waited, for any cause} */
  public long count() {
    return byCause.values().stream().mapToLong(Stalls::count).sum();
  }

  /** {@return how long writes waited together, in nanoseconds} */
  public long nanos() {
    return byCause.values().stream().mapToLong(Stalls::nanos).sum();
  }

  /** {@return how many writes wait now} */
  public int waiting() {
    return byCause.values().stream().mapToInt(Stalls::waiting).sum();
  }
}
