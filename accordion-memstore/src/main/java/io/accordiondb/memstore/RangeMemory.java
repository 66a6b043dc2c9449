// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore;

import io.accordiondb.chunk.MemoryAccount;
import io.accordiondb.chunk.MemoryKind;
import io.accordiondb.retention.RangeTombstone;
import io.accordiondb.retention.RangeTombstones;
import io.accordiondb.retention.Readers;

/** The range tombstones of a memory store, and the memory that they use. Thread-safe. */
final class RangeMemory {
  private final CurrentSegments segments;
  private final MemoryAccount account;
  private final Readers readers;

  RangeMemory(CurrentSegments segments, MemoryAccount account, Readers readers) {
    this.segments = segments;
    this.account = account;
    this.readers = readers;
  }

  /** Adds a tombstone to those of active segment and pipeline. */
  void add(RangeTombstone tombstone) {
    long readPoint = readers.smallestReadPoint();
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
