// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore;

import io.accordiondb.chunk.MemoryAccount;
import io.accordiondb.chunk.MemoryKind;
import io.accordiondb.memstore.PipelinePlan.Action;
import java.util.concurrent.atomic.LongAdder;

/** Counts the in-memory work of a store since it was opened. Thread-safe. */
final class PipelineCounters {
  final LongAdder inMemoryFlushes = new LongAdder();
  final LongAdder merges = new LongAdder();
  final LongAdder compactions = new LongAdder();
  final LongAdder aborts = new LongAdder();
  final LongAdder cellsEliminated = new LongAdder();
  final LongAdder bytesEliminated = new LongAdder();

  private volatile String lastDecision = "";

  /** Whether the last decision was to do something. */
  private volatile boolean acted;

  /**
   * Records a decision. A decision to leave the segments alone does not replace an earlier one to
   * act.
   */
  void decided(Action action, String decision) {
    if (action != Action.LEAVE || !acted) {
      acted = action != Action.LEAVE;
      lastDecision = decision;
    }
  }

  /** Returns the counters, with gauges. The caller holds the list. */
  MemStoreStatistics statistics(
      SegmentList list, MemoryAccount account, MemStorePolicy policy, AdaptiveState adaptive) {
    // Read both figures of the policy at the same moment.
    synchronized (adaptive) {
      return new MemStoreStatistics(
          inMemoryFlushes.sum(),
          merges.sum(),
          compactions.sum(),
          aborts.sum(),
          cellsEliminated.sum(),
          bytesEliminated.sum(),
          SegmentStatistics.of(list.active(), SegmentKind.ACTIVE),
          list.pipeline().stream().map(SegmentStatistics::ofSealed).toList(),
          list.snapshot().stream().map(SegmentStatistics::ofSealed).toList(),
          account.usedBytes(MemoryKind.HEAP),
          account.usedBytes(MemoryKind.OFF_HEAP),
          policy,
          adaptive.throttle(),
          adaptive.uniqueness(),
          lastDecision);
    }
  }
}
