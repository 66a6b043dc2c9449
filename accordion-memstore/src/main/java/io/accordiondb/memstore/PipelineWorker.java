// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore;

import io.accordiondb.memstore.PipelinePlan.Action;
import io.accordiondb.memstore.segment.ImmutableSegment;
import io.accordiondb.memstore.segment.MutableSegment;
import io.accordiondb.memstore.segment.Segment;
import io.accordiondb.memstore.segment.merge.SegmentMerger;
import io.accordiondb.memstore.segment.merge.SegmentMerger.Outcome;
import io.accordiondb.retention.CellFilter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the pipeline of one memory store short: it flattens sealed segments, then merges or
 * compacts them as the policy says (sections 3.1 and 3.2 of the paper). It runs on the host's
 * executor, one run at a time.
 *
 * <p>It holds no lock while it works. It swaps a result in only if the sources are still in the
 * pipeline; if a disk flush has taken them, it discards the result. If the host's rules fail, it
 * drops nothing, but flattens and merges all the same: readers must not search ever more segments.
 */
final class PipelineWorker {
  /**
   * Copies take one part in this many of the available room, because writers fill it at the same
   * time.
   */
  private static final int ROOM_SHARE = 2;

  /** Fewer delete markers than this do not justify a compaction. */
  static final int DEAD_MARKERS_MIN = 64;

  /**
   * With more cells than this for each dead one, a compaction copies too much for what it drops.
   */
  private static final int CELLS_PER_DEAD_CELL_MAX = 32;

  private final StoreParts store;
  private final MemStoreListener listener;
  private final PipelineCounters counters;
  private final AdaptiveState adaptive = new AdaptiveState();
  private final PipelineFlattener flattener;
  private final PipelinePlanner planner;

  /** Cells under range tombstones that a reader has passed; -1 if none has reported dead cells. */
  private volatile int deadCellsPassed = -1;

  /** Delete markers that the last compaction has kept, and the next one most likely keeps. */
  private volatile long markersKept;

  /** Whether the next run makes one segment of all flat ones. */
  private volatile boolean makesOne;

  /** Requests not yet served; the one that makes it 1 starts a run. */
  private final AtomicInteger requests = new AtomicInteger();

  /** Whether the background thread was busy when the newest segment was sealed. */
  private volatile boolean busyBefore;

  /** Raised to cancel the merge that is running. */
  private final AtomicLong cancellations = new AtomicLong();

  PipelineWorker(StoreParts store, PipelineCounters counters) {
    this.store = store;
    this.listener = store.environment().listener();
    this.counters = counters;
    this.flattener = new PipelineFlattener(store, adaptive, counters);
    this.planner = new PipelinePlanner(store, adaptive);
  }

  void onInMemoryFlush() {
    adaptive.onInMemoryFlush();
    request();
  }

  /** Asks for a run. */
  void request() {
    if (requests.getAndIncrement() == 0) {
      try {
        store.environment().executor().execute(this::serve);
      } catch (RejectedExecutionException e) {
        // The host is closing. The segments stay as they are: correct, but less compact.
        requests.set(0);
      } catch (Throwable e) {
        // There is no memory for the task or its thread. The cells are in memory, so the write has
        // succeeded.
        requests.set(0);
        listener.onFailure(e);
      }
    }
  }

  /** Requests that all flat segments become one; returns whether there are several. */
  boolean makeOne() {
    if (store.segments().get().pipeline().size() < 2) {
      return false;
    }
    makesOne = true;
    request();
    return true;
  }

  /** Cancels a running merge, which ends within one step of {@code SegmentMerger}. */
  void cancel() {
    cancellations.incrementAndGet();
  }

  void onDiskFlush() {
    markersKept = 0;
    adaptive.onDiskFlush();
  }

  /** Returns counters and gauges over a list that the caller holds. */
  MemStoreStatistics statistics(SegmentList list) {
    return counters.statistics(list, store.account(), store.options().get().policy(), adaptive);
  }

  private void serve() {
    int served = requests.get();
    try {
      do {
        served = requests.get();
        flattener.flattenAll();
        shorten();
      } while (requests.addAndGet(-served) > 0);
    } catch (Throwable e) {
      // Report the error instead of throwing it, so that the executor's thread stays alive.
      requests.set(0);
      listener.onFailure(e);
    }
  }

  /**
   * Flattens a segment on the thread that has sealed it, if the background thread is busy and was
   * already busy when the previous segment was sealed. Otherwise fast writers would leave little
   * time for merging and dropping.
   */
  void help(MutableSegment sealed) {
    boolean busy = requests.get() != 0;
    boolean behind = busy && busyBefore;
    busyBefore = busy;
    if (behind) {
      flattener.help(sealed);
    }
  }

  private void shorten() {
    boolean toOne = makesOne;
    makesOne = false;
    SegmentList list = store.segments().retain();
    try {
      List<ImmutableSegment> flat = flatSuffix(list.pipeline());
      MemStorePolicy policy = store.options().get().policy();
      PipelinePlan plan = plan(policy, flat, toOne);
      List<ImmutableSegment> sources = flat.subList(0, plan.segments());
      Action action = plan.action();
      String reason = plan.reason();
      int segmentsMax = toOne ? 1 : policy.pipelineSegmentsMax();
      Action withoutCompaction = flat.size() > segmentsMax ? Action.MERGE : Action.LEAVE;
      if (action == Action.COMPACT && !planner.hasRoomToCompact(sources, plan.survivors())) {
        action = withoutCompaction;
        reason = "no room for what a compaction would copy; " + reason;
      }
      CellFilter filter = action == Action.COMPACT ? store.filters().newFilter(sources) : null;
      if (action == Action.COMPACT && filter == null) {
        action = withoutCompaction;
        reason = "nothing may be dropped now; " + reason;
      }
      counters.decided(action, decision(action, sources.size(), reason));
      if (filter != null && !compact(sources, filter)) {
        action = withoutCompaction;
        counters.decided(
            action, decision(action, sources.size(), "the compaction has failed; " + reason));
      }
      if (action == Action.MERGE) {
        merge(sources);
      }
    } finally {
      list.release();
    }
  }

  /**
   * Allows the next run to compact the whole pipeline, if the policy compacts at all and enough
   * cells are dead: markers and the cells that they hide, or cells that range tombstones cover.
   *
   * @param passed cells under range tombstones that a reader has passed
   */
  void expectDeadCells(int passed) {
    deadCellsPassed = passed;
  }

  private PipelinePlan plan(MemStorePolicy policy, List<ImmutableSegment> flat, boolean toOne) {
    if (dropsDeadCells(policy, flat)) {
      return compactAll(flat);
    }
    return toOne && flat.size() > 1 ? planner.planOne(policy, flat) : planner.plan(policy, flat);
  }

  private boolean dropsDeadCells(MemStorePolicy policy, List<ImmutableSegment> flat) {
    int passed = deadCellsPassed;
    if (passed < 0
        || flat.isEmpty()
        || policy.kind() == Policy.BASIC
        || policy.kind() == Policy.NONE) {
      return false;
    }
    deadCellsPassed = -1;
    long cells = flat.stream().mapToLong(Segment::cellCount).sum();
    long markers = flat.stream().mapToLong(Segment::deleteMarkerCount).sum();
    long deadMin = Math.max(DEAD_MARKERS_MIN, cells / CELLS_PER_DEAD_CELL_MAX);
    return passed >= deadMin || markers >= Math.max(deadMin, 2 * markersKept);
  }

  private static PipelinePlan compactAll(List<ImmutableSegment> flat) {
    return new PipelinePlan(
        Action.COMPACT, flat.size(), 1, "readers pass many rows that have nothing to show");
  }

  private static String decision(Action action, int segments, String reason) {
    return switch (action) {
      case LEAVE -> "left alone: " + reason;
      case MERGE -> "merge of " + segments + ": " + reason;
      case COMPACT -> "compaction of " + segments + ": " + reason;
    };
  }

  /** Returns the flat segments from the oldest on, an unbroken range; newest first. */
  private static List<ImmutableSegment> flatSuffix(List<Segment> pipeline) {
    List<ImmutableSegment> suffix = new ArrayList<>();
    for (int i = pipeline.size() - 1;
        i >= 0 && pipeline.get(i) instanceof ImmutableSegment flat;
        i--) {
      suffix.add(0, flat);
    }
    return suffix;
  }

  private void merge(List<ImmutableSegment> sources) {
    long begun = System.nanoTime();
    Outcome outcome = merger().merge(sources);
    if (install(sources, outcome) && outcome != null) {
      counters.merges.increment();
      adaptive.onMerge(outcome.columnsRead(), outcome.cellsRead());
      listener.onMerge(change(sources, outcome, begun));
    }
  }

  /** Returns false if the filter has failed, and the segments are as they were. */
  private boolean compact(List<ImmutableSegment> sources, CellFilter filter) {
    long begun = System.nanoTime();
    Outcome outcome;
    try {
      outcome = merger().compact(sources, filter, () -> planner.roomBytes() / ROOM_SHARE);
    } catch (RuntimeException e) {
      listener.onFailure(e);
      return false;
    }
    store.oldestSequence().noteGone(sources);
    if (install(sources, outcome) && outcome != null) {
      counters.compactions.increment();
      ImmutableSegment kept = outcome.segment();
      markersKept = kept == null ? 0 : kept.deleteMarkerCount();
      PipelineChange change = change(sources, outcome, begun);
      counters.cellsEliminated.add(change.cellsRead() - change.cellsKept());
      counters.bytesEliminated.add(change.bytesRead() - change.bytesKept());
      adaptive.onMerge(outcome.columnsRead(), outcome.cellsRead());
      listener.onCompaction(change);
      store.oldestSequence().check();
    }
    return true;
  }

  private PipelineChange change(List<ImmutableSegment> sources, Outcome outcome, long begun) {
    ImmutableSegment segment = outcome.segment();
    return new PipelineChange(
        sources.size(),
        outcome.cellsRead(),
        segment == null ? 0 : segment.cellCount(),
        sources.stream().mapToLong(Segment::dataBytes).sum(),
        segment == null ? 0 : segment.dataBytes(),
        System.nanoTime() - begun,
        store.segments().get().pipeline().size(),
        uniquenessOf(outcome),
        adaptive.throttle());
  }

  private static double uniquenessOf(Outcome outcome) {
    return (double) outcome.columnsRead() / outcome.cellsRead();
  }

  private SegmentMerger merger() {
    long begun = cancellations.get();
    return new SegmentMerger(
        store.factory().memory(),
        store.keyPrefix().get(),
        () -> {
          // Segments that were sealed in the meantime do not wait for the end of a long merge.
          flattener.flattenAll();
          return cancellations.get() != begun;
        });
  }

  /** Replaces the sources by the result; returns whether the sources were still there. */
  private boolean install(List<ImmutableSegment> sources, @Nullable Outcome outcome) {
    if (outcome == null) {
      abort();
      return false;
    }
    boolean installed;
    try {
      installed = store.segments().replace(sources, outcome.segment());
    } finally {
      if (outcome.segment() != null) {
        outcome.segment().release();
      }
    }
    if (!installed) {
      abort();
    }
    return installed;
  }

  private void abort() {
    counters.aborts.increment();
    listener.onAbort();
  }
}
