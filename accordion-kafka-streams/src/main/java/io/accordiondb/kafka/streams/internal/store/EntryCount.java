// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.kafka.streams.internal.store;

import java.util.function.LongSupplier;

/**
 * About how many entries a store has. Stores share their files, so no file says it: the keys are
 * counted, and again only once so much was written that the number may be off by a sixteenth.
 * Thread-safe.
 */
final class EntryCount {
  private static final int TOLERATED_SHARE = 16;

  private volatile long writes;
  private long counted = -1;
  private long writesWhenCounted;

  /** Notes writes; by the thread that writes the store. */
  @SuppressWarnings("NonAtomicVolatileUpdate")
  void noteWrites(int number) {
    writes += number;
  }

  /** Returns the number, counting if need be. */
  synchronized long get(LongSupplier count) {
    long written = writes;
    if (counted < 0 || (written - writesWhenCounted) * TOLERATED_SHARE > counted) {
      counted = count.getAsLong();
      writesWhenCounted = written;
    }
    return counted;
  }
}
