// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.kafka.streams.internal.store;

import java.util.function.LongSupplier;

/**
 * Estimates the number of entries of a store. Stores share their files, so no file holds the
 * number: the keys are counted, and counted again once enough was written to change the number by a
 * sixteenth. Thread-safe.
 */
final class EntryCount {
  private static final int TOLERATED_SHARE = 16;

  private volatile long writes;
  private long counted = -1;
  private long writesWhenCounted;

  /** Counts writes. The caller must order the calls. */
  @SuppressWarnings("NonAtomicVolatileUpdate")
  void noteWrites(int number) {
    writes += number;
  }

  /** Returns the number, and counts the keys if necessary. */
  synchronized long get(LongSupplier count) {
    long written = writes;
    if (counted < 0 || (written - writesWhenCounted) * TOLERATED_SHARE > counted) {
      counted = count.getAsLong();
      writesWhenCounted = written;
    }
    return counted;
  }
}
