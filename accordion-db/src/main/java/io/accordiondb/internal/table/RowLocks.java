// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.table;

import io.accordiondb.internal.commit.Batch;
import java.util.Arrays;
import java.util.Collection;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Locks that serialize the read-modify-writes of one row. Thread-safe. Blind writes take no lock:
 * the commit pipeline detects one that comes between the read and the write.
 */
final class RowLocks {
  private static final int STRIPES = 256;

  private final ReentrantLock[] stripes = new ReentrantLock[STRIPES];

  RowLocks() {
    Arrays.setAll(stripes, i -> new ReentrantLock());
  }

  /** Locks rows until the returned claim is closed. */
  Claim lock(Collection<byte[]> rows) {
    // All threads use one order, so there is no deadlock.
    int[] order =
        rows.stream()
            .mapToInt(row -> Batch.hashOf(row) & (STRIPES - 1))
            .sorted()
            .distinct()
            .toArray();
    for (int stripe : order) {
      stripes[stripe].lock();
    }
    return () -> {
      for (int stripe : order) {
        stripes[stripe].unlock();
      }
    };
  }

  /** Locked rows. */
  interface Claim extends AutoCloseable {
    @Override
    void close();
  }
}
