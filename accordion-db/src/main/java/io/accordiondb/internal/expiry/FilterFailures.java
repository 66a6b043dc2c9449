// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.expiry;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Counts how often flushes and compactions kept cells because a filter failed. Thread-safe. */
public final class FilterFailures {
  private static final Logger LOG = LoggerFactory.getLogger(FilterFailures.class);

  private final LongAdder count = new LongAdder();

  /** Filters whose failure or absence was logged. */
  private final Set<String> logged = ConcurrentHashMap.newKeySet();

  /** Counts a failure, and logs the first of each filter. */
  void add(String filter, Throwable cause) {
    count.increment();
    if (logged.add(filter)) {
      LOG.warn("compaction filter {} failed; what it was asked about is kept", filter, cause);
    }
  }

  /** Logs, once for each filter, that a family names a filter that does not exist. */
  void noteMissing(String filter, String table, String family) {
    if (logged.add(filter)) {
      LOG.warn(
          "family {} of table {} names compaction filter {}, which is not among those of the"
              + " database; its cells are kept",
          family,
          table,
          filter);
    }
  }

  /** Returns how many failures there were. */
  public long count() {
    return count.sum();
  }
}
