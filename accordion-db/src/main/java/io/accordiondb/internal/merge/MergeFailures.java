// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.merge;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts how often flushes and compactions kept operands because the operator failed. Thread-safe.
 */
public final class MergeFailures {
  private static final Logger LOG = LoggerFactory.getLogger(MergeFailures.class);

  private final LongAdder count = new LongAdder();

  /** Operators whose failure was logged. */
  private final Set<String> logged = ConcurrentHashMap.newKeySet();

  /** Counts a failure, and logs the first of each operator. */
  void add(String operator, Throwable cause) {
    count.increment();
    if (logged.add(operator)) {
      LOG.warn(
          "merge operator {} failed; flushes and compactions keep its operands as they are",
          operator,
          cause);
    }
  }

  /** Returns how many failures there were. */
  public long count() {
    return count.sum();
  }
}
