// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore;

import io.accordiondb.chunk.MemoryAccount;
import io.accordiondb.chunk.MemoryKind;
import io.accordiondb.memstore.segment.Segment;
import java.util.concurrent.atomic.LongAdder;

/** What in-memory work has done since the store was opened. Safe for use by many threads. */
final class PipelineCounters {
  final LongAdder inMemoryFlushes = new LongAdder();
  final LongAdder merges = new LongAdder();
  final LongAdder compactions = new LongAdder();
  final LongAdder aborts = new LongAdder();
  final LongAdder cellsEliminated = new LongAdder();

  /** Returns the counters, with gauges. */
  MemStoreStatistics statistics(SegmentList list, MemoryAccount account, AdaptiveState adaptive) {
    long cells = list.all().stream().mapToLong(Segment::cellCount).sum();
    // Both figures of the policy belong to one moment.
    synchronized (adaptive) {
      return new MemStoreStatistics(
          inMemoryFlushes.sum(),
          merges.sum(),
          compactions.sum(),
          aborts.sum(),
          cellsEliminated.sum(),
          list.pipeline().size(),
          cells,
          account.usedBytes(MemoryKind.HEAP),
          account.usedBytes(MemoryKind.OFF_HEAP),
          adaptive.throttle(),
          adaptive.uniqueness());
    }
  }
}
