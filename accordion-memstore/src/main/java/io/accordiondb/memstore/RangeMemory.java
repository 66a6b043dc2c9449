// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore;

import io.accordiondb.chunk.MemoryAccount;
import io.accordiondb.chunk.MemoryKind;
import io.accordiondb.retention.RangeTombstone;
import io.accordiondb.retention.RangeTombstones;
import java.util.function.LongSupplier;

/** The range tombstones of a memory store, and the memory that they use. Thread-safe. */
final class RangeMemory {
  private final CurrentSegments segments;
  private final MemoryAccount account;
  private final LongSupplier smallestReadPoint;

  RangeMemory(CurrentSegments segments, MemoryAccount account, LongSupplier smallestReadPoint) {
    this.segments = segments;
    this.account = account;
    this.smallestReadPoint = smallestReadPoint;
  }

  /** Adds a tombstone to those of active segment and pipeline. */
  void add(RangeTombstone tombstone) {
    long readPoint = smallestReadPoint.getAsLong();
    long[] bytes = new long[1];
    segments.change(
        old -> {
          RangeTombstones next = old.ranges().with(tombstone, readPoint);
          bytes[0] = next.heapBytes() - old.ranges().heapBytes();
          return old.withRanges(next);
        });
    account.charge(MemoryKind.HEAP, bytes[0]);
  }

  /** Credits the memory of tombstones that a change of the segments has removed. */
  void credit(RangeTombstones gone) {
    account.credit(MemoryKind.HEAP, gone.heapBytes());
  }

  /** Returns the bytes of those of active segment and pipeline. */
  long heapBytes() {
    return segments.get().ranges().heapBytes();
  }
}
