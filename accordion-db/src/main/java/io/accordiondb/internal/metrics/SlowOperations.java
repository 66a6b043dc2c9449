// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.metrics;

import io.accordiondb.statistics.OperationKind;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports operations that take longer than a threshold, with what they waited for: each one to JFR,
 * and at most one line a second to the log. Thread-safe.
 */
public final class SlowOperations {
  private static final Logger LOG = LoggerFactory.getLogger(SlowOperations.class);
  private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final String database;
  private final LongAdder silent = new LongAdder();
  private final AtomicLong quietUntil = new AtomicLong(System.nanoTime());
  private volatile long thresholdNanos = Long.MAX_VALUE;

  SlowOperations(String database) {
    this.database = database;
  }

  /** Sets the threshold in nanoseconds; 0 to look for none. */
  public void setThreshold(long nanos) {
    thresholdNanos = nanos == 0 ? Long.MAX_VALUE : nanos;
  }

  boolean isOn() {
    return thresholdNanos != Long.MAX_VALUE;
  }

  long thresholdNanos() {
    return thresholdNanos;
  }

  void report(
      OperationKind kind,
      long nanos,
      @Nullable String table,
      byte @Nullable [] row,
      String causes) {
    String rowText = row == null ? "" : PrintableBytes.of(row);
    DatabaseJfrEvent.SlowOperation.write(database, kind, nanos, table, rowText, causes);
    long until = quietUntil.get();
    long now = System.nanoTime();
    if (now - until < 0 || !quietUntil.compareAndSet(until, now + PAUSE_NANOS)) {
      silent.increment();
      return;
    }
    long others = silent.sumThenReset();
    LOG.warn(
        "slow operation: {}{}{} took {} us{}{}",
        kind.label(),
        table == null ? "" : " of table " + table,
        row == null ? "" : ", row " + rowText,
        nanos / 1000,
        causes,
        others == 0 ? "" : "; " + others + " others since the last such line");
  }
}
