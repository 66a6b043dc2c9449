// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore;

import io.accordiondb.chunk.MemoryAccount;
import io.accordiondb.chunk.MemoryKind;
import io.accordiondb.memstore.PipelinePlan.Action;
import io.accordiondb.memstore.layout.IndexKind;
import io.accordiondb.memstore.segment.ImmutableSegment;
import io.accordiondb.memstore.segment.MutableSegment;
import io.accordiondb.memstore.segment.Segment;
import io.accordiondb.memstore.segment.merge.SegmentMerger;
import io.accordiondb.memstore.segment.merge.SegmentMerger.Outcome;
import io.accordiondb.retention.CellFilter;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the pipeline of one memory store short: flattens sealed segments, then merges or compacts
 * them as the policy says (sections 3.1 and 3.2 of the paper). One run at a time, on the host's
 * executor.
 *
 * <p>Nothing is locked while it works. A result is swapped in only if its sources still stand in
 * the pipeline; if a disk flush has taken them, the result is given back.
 */
final class PipelineWorker {
  /** Of the room that there is, copies take one part in this many; writers fill it meanwhile. */
  private static final int ROOM_SHARE = 2;

  /** A compaction that could copy less than one part in this many is not begun. */
  private static final int COPIED_PART_MIN = 16;

  private final MemStore store;
  private final MemStoreEnvironment environment;

  /** Requests not yet served; the one that makes it 1 starts a run. */
  private final AtomicInteger requests = new AtomicInteger();

  /** Raised to cancel the merge that is running. */
  private final AtomicLong cancellations = new AtomicLong();

  /** Sealed segments that some thread flattens. */
  private final Set<MutableSegment> flattening = ConcurrentHashMap.newKeySet();

  private final LongAdder merges = new LongAdder();
  private final LongAdder compactions = new LongAdder();
  private final LongAdder aborts = new LongAdder();
  private final LongAdder cellsEliminated = new LongAdder();

  // Guarded by itself.
  private final AdaptiveState adaptive = new AdaptiveState();

  PipelineWorker(MemStore store, MemStoreEnvironment environment) {
    this.store = store;
    this.environment = environment;
  }

  /** Asks for a run after an in-memory flush. */
  void request() {
    synchronized (adaptive) {
      adaptive.onInMemoryFlush();
    }
    if (requests.getAndIncrement() == 0) {
      try {
        environment.executor().execute(this::serve);
      } catch (RejectedExecutionException e) {
        // The host is closing; segments stay as they are, which is correct, only less compact.
        requests.set(0);
      } catch (RuntimeException | Error e) {
        // No memory for the task or its thread. The cells are in, so the writer has not failed.
        requests.set(0);
        environment.listener().onFailure(e);
      }
    }
  }

  /** Ends a running merge within {@code SegmentMerger}'s step. */
  void cancel() {
    cancellations.incrementAndGet();
  }

  void onDiskFlush() {
    synchronized (adaptive) {
      adaptive.onDiskFlush();
    }
  }

  /** Returns counters, with gauges that the store knows. */
  MemStoreStatistics statistics(long inMemoryFlushes, SegmentList list, MemoryAccount account) {
    long cells = list.all().stream().mapToLong(Segment::cellCount).sum();
    synchronized (adaptive) {
      return new MemStoreStatistics(
          inMemoryFlushes,
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

  private void serve() {
    int served = requests.get();
    try {
      do {
        served = requests.get();
        flattenAll();
        shorten();
      } while (requests.addAndGet(-served) > 0);
    } catch (RuntimeException | Error e) {
      // Reported and not thrown: the executor's thread stays alive for the next run.
      requests.set(0);
      environment.listener().onFailure(e);
    }
  }

  /**
   * Flattens a segment in the thread that has sealed it, if the background still works on what was
   * sealed before: the faster the writers, the less would otherwise be merged and dropped.
   */
  void help(MutableSegment sealed) {
    if (requests.get() == 0) {
      return;
    }
    SegmentList list = store.retainCurrent();
    try {
      if (list.pipeline().contains(sealed)) {
        flattenOnce(sealed);
      }
    } catch (RuntimeException | Error e) {
      // The cells are in; that the segment stays as it is, is for the host to know, not the writer.
      environment.listener().onFailure(e);
    } finally {
      list.release();
    }
  }

  /** Flattens what was sealed, except what writers flatten themselves. */
  private void flattenAll() {
    boolean more = true;
    while (more) {
      SegmentList list = store.retainCurrent();
      try {
        MutableSegment sealed = oldestUnflattened(list);
        more = sealed != null;
        if (sealed != null) {
          flattenOnce(sealed);
        }
      } finally {
        list.release();
      }
    }
  }

  /** Flattens a segment that the caller holds, unless another thread does or has done so. */
  private void flattenOnce(MutableSegment sealed) {
    if (!flattening.add(sealed)) {
      return;
    }
    try {
      if (store.isInPipeline(sealed)) {
        MemStore.awaitQuiescence(sealed);
        flatten(sealed);
      }
    } finally {
      flattening.remove(sealed);
    }
  }

  /** Flattens a sealed segment; what the policy allows to drop goes at once. */
  private void flatten(MutableSegment sealed) {
    Policy policy = store.options().policy().kind();
    boolean drops = policy != Policy.NONE && policy != Policy.BASIC;
    CellFilter filter = drops ? store.newCompactionFilter(List.of(sealed)) : null;
    ImmutableSegment flat =
        sealed.flatten(store.segmentMemory(), store.keyPrefix(), policy == Policy.AUTO, filter);
    boolean replaced;
    try {
      replaced = replace(List.of(sealed), flat);
      if (flat != null) {
        store.fitKeyPrefix(flat.fittingPrefix());
      }
    } finally {
      if (flat != null) {
        flat.release();
      }
    }
    if (!replaced) {
      abort();
      return;
    }
    long dropped = sealed.cellCount() - (flat == null ? 0 : flat.cellCount());
    if (dropped > 0) {
      cellsEliminated.add(dropped);
      synchronized (adaptive) {
        adaptive.onDropped(dropped);
      }
      store.noteGone(List.of(sealed));
      store.checkOldestSequence();
    }
  }

  private @Nullable MutableSegment oldestUnflattened(SegmentList list) {
    for (int i = list.pipeline().size() - 1; i >= 0; i--) {
      if (list.pipeline().get(i) instanceof MutableSegment sealed && !flattening.contains(sealed)) {
        return sealed;
      }
    }
    return null;
  }

  private void shorten() {
    SegmentList list = store.retainCurrent();
    try {
      List<ImmutableSegment> flat = flatSuffix(list.pipeline());
      MemStorePolicy policy = store.options().policy();
      PipelinePlan plan = plan(policy, flat);
      List<ImmutableSegment> sources = flat.subList(0, plan.segments());
      Action action = plan.action();
      if (action == Action.COMPACT && !hasRoomToCompact(sources, plan.survivors())) {
        action = flat.size() > policy.pipelineSegmentsMax() ? Action.MERGE : Action.LEAVE;
      }
      CellFilter filter = action == Action.COMPACT ? store.newCompactionFilter(sources) : null;
      if (action == Action.COMPACT && filter == null) {
        action = flat.size() > policy.pipelineSegmentsMax() ? Action.MERGE : Action.LEAVE;
      }
      if (filter != null) {
        compact(sources, filter);
      } else if (action == Action.MERGE) {
        merge(sources);
      }
    } finally {
      list.release();
    }
  }

  private PipelinePlan plan(MemStorePolicy policy, List<ImmutableSegment> segments) {
    int all = segments.size();
    boolean tooLong = all > policy.pipelineSegmentsMax();
    switch (policy.kind()) {
      case BASIC -> {
        return tooLong
            ? new PipelinePlan(Action.MERGE, policy.mergeSchedule().segmentsToMerge(segments), 1)
            : PipelinePlan.LEAVE;
      }
      case EAGER -> {
        return all > 1 ? new PipelinePlan(Action.COMPACT, all, 1) : PipelinePlan.LEAVE;
      }
      case ADAPTIVE -> {
        if (!tooLong) {
          return PipelinePlan.LEAVE;
        }
        double draw = environment.random().nextDouble();
        synchronized (adaptive) {
          return adaptive.shouldCompact(policy.redundancyThreshold(), draw)
              ? new PipelinePlan(Action.COMPACT, all, adaptive.uniqueness())
              : new PipelinePlan(Action.MERGE, policy.mergeSchedule().segmentsToMerge(segments), 1);
        }
      }
      case AUTO -> {
        return tooLong
            ? new AutoPlanner(
                    store.versionRules().maxVersions(), environment.smallestReadPoint().getAsLong())
                .plan(segments)
            : PipelinePlan.LEAVE;
      }
      default -> {
        return PipelinePlan.LEAVE;
      }
    }
  }

  /**
   * Returns whether a compaction pays: where it copies all survivors, which it holds beside the
   * sources, there must be room for them; else for a part of them, or no memory would come back.
   */
  private boolean hasRoomToCompact(List<ImmutableSegment> sources, double survivors) {
    long held = 0;
    for (ImmutableSegment source : sources) {
      held += source.heldBytes();
    }
    return store.options().layout().index() == IndexKind.CHUNK
        ? roomBytes() >= held / COPIED_PART_MIN
        : roomBytes() >= (long) (survivors * held);
  }

  /**
   * Returns what copies may take without exceeding the budget, and, as long as the store is within
   * its share, without reaching the end of it, where a flush to disk would be due.
   */
  private long roomBytes() {
    long room = environment.budget().availableBytes();
    long shareLeft = store.options().flushBytes() - store.usedBytes();
    return shareLeft > 0 ? Math.min(room, shareLeft) : room;
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
      merges.increment();
      synchronized (adaptive) {
        adaptive.onMerge(outcome.columnsRead(), outcome.cellsRead());
      }
      environment.listener().onMerge(change(sources, outcome, begun));
    }
  }

  private void compact(List<ImmutableSegment> sources, CellFilter filter) {
    long begun = System.nanoTime();
    Outcome outcome = merger().compact(sources, filter, () -> roomBytes() / ROOM_SHARE);
    if (install(sources, outcome) && outcome != null) {
      compactions.increment();
      PipelineChange change = change(sources, outcome, begun);
      cellsEliminated.add(change.cellsRead() - change.cellsKept());
      synchronized (adaptive) {
        adaptive.onMerge(outcome.columnsRead(), outcome.cellsRead());
      }
      environment.listener().onCompaction(change);
      store.noteGone(sources);
      store.checkOldestSequence();
    }
  }

  private PipelineChange change(List<ImmutableSegment> sources, Outcome outcome, long begun) {
    ImmutableSegment segment = outcome.segment();
    double throttle;
    synchronized (adaptive) {
      throttle = adaptive.throttle();
    }
    return new PipelineChange(
        sources.size(),
        outcome.cellsRead(),
        segment == null ? 0 : segment.cellCount(),
        sources.stream().mapToLong(Segment::dataBytes).sum(),
        segment == null ? 0 : segment.dataBytes(),
        System.nanoTime() - begun,
        store.pipelineSegments(),
        uniquenessOf(outcome),
        throttle);
  }

  private static double uniquenessOf(Outcome outcome) {
    return (double) outcome.columnsRead() / outcome.cellsRead();
  }

  private SegmentMerger merger() {
    long begun = cancellations.get();
    return new SegmentMerger(
        store.segmentMemory(),
        store.keyPrefix(),
        () -> {
          // What was sealed meanwhile does not wait for the end of a long merge.
          flattenAll();
          return cancellations.get() != begun;
        });
  }

  /** Puts what was made in the place of its sources; returns whether that was possible. */
  private boolean install(List<ImmutableSegment> sources, @Nullable Outcome outcome) {
    if (outcome == null) {
      abort();
      return false;
    }
    boolean installed;
    try {
      installed = replace(sources, outcome.segment());
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

  /** Replaces neighbours in the pipeline, if they still stand there. */
  private boolean replace(List<? extends Segment> sources, @Nullable ImmutableSegment replacement) {
    return store.change(
        old -> {
          int at = old.pipeline().indexOf(sources.get(0));
          if (at < 0) {
            return old;
          }
          List<Segment> pipeline = new ArrayList<>(old.pipeline());
          List<Segment> replaced = pipeline.subList(at, at + sources.size());
          assert replaced.equals(sources);
          replaced.clear();
          if (replacement != null) {
            pipeline.add(at, replacement);
          }
          return new SegmentList(old.active(), pipeline, old.snapshot());
        });
  }

  private void abort() {
    aborts.increment();
    environment.listener().onAbort();
  }
}
