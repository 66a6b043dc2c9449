// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.client.catalog;

import java.util.Arrays;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * Lets a thread that disables a table wait for the mutations that have begun: a mutation may have
 * found the table enabled and then wait for its row, or for memory. A mutation holds the lock of
 * its thread, and within it looks again whether the table is enabled. Thread-safe; mutations do not
 * wait for each other.
 */
final class WriteGate {
  /** Enough that threads seldom write to the same lock. */
  private static final int STRIPES = 16;

  private final ReentrantReadWriteLock[] stripes = new ReentrantReadWriteLock[STRIPES];

  WriteGate() {
    Arrays.setAll(stripes, i -> new ReentrantReadWriteLock());
  }

  /** Returns the lock that a mutation holds from its beginning to its end. */
  Lock ofThread() {
    return stripes[(int) (Thread.currentThread().getId() & (STRIPES - 1))].readLock();
  }

  /**
   * Waits for the mutations that have begun. The caller must have disabled the table, so that later
   * mutations are refused.
   */
  void awaitEndOfWrites() {
    for (ReentrantReadWriteLock stripe : stripes) {
      stripe.writeLock().lock();
      stripe.writeLock().unlock();
    }
  }
}
