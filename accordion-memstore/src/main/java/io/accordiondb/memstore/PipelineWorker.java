// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore;

import io.accordiondb.chunk.MemoryAccount;
import io.accordiondb.memstore.segment.FlatSegment;
import io.accordiondb.memstore.segment.Segment;
import io.accordiondb.memstore.segment.SegmentMerger;
import io.accordiondb.memstore.segment.SegmentMerger.Outcome;
import io.accordiondb.memstore.segment.SkipListSegment;
import io.accordiondb.retention.CellFilter;
import java.util.ArrayList;
import java.util.List;
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
  private final MemStore store;
  private final MemStoreEnvironment environment;
  private final MemoryAccount account;

  /** Requests not yet served; the one that makes it 1 starts a run. */
  private final AtomicInteger requests = new AtomicInteger();

  /** Raised to cancel the merge that is running. */
  private final AtomicLong cancellations = new AtomicLong();

  private final LongAdder merges = new LongAdder();
  private final LongAdder compactions = new LongAdder();
  private final LongAdder aborts = new LongAdder();
  private final LongAdder cellsEliminated = new LongAdder();

  // Guarded by itself.
  private final AdaptiveState adaptive = new AdaptiveState();

  PipelineWorker(MemStore store, MemStoreEnvironment environment, MemoryAccount account) {
    this.store = store;
    this.environment = environment;
    this.account = account;
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

  MemStoreStatistics statistics(
      long inMemoryFlushes, int pipelineSegments, long cells, long usedBytes) {
    synchronized (adaptive) {
      return new MemStoreStatistics(
          inMemoryFlushes,
          merges.sum(),
          compactions.sum(),
          aborts.sum(),
          cellsEliminated.sum(),
          pipelineSegments,
          cells,
          usedBytes,
          adaptive.throttle(),
          adaptive.uniqueness());
    }
  }

  private void serve() {
    int served = requests.get();
    try {
      do {
        served = requests.get();
        boolean flattened = flattenAll();
        shorten(flattened);
      } while (requests.addAndGet(-served) > 0);
    } catch (RuntimeException | Error e) {
      requests.set(0);
      environment.listener().onFailure(e);
      throw e;
    }
  }

  /** Flattens what was sealed; returns whether there was anything. */
  private boolean flattenAll() {
    boolean any = false;
    while (true) {
      SegmentList list = store.retainCurrent();
      try {
        SkipListSegment sealed = oldestUnflattened(list);
        if (sealed == null) {
          return any;
        }
        MemStore.awaitQuiescence(sealed);
        FlatSegment flat = sealed.flatten();
        if (!replace(List.of(sealed), flat)) {
          abort();
        }
        store.fitKeyPrefix(flat);
        flat.release();
        any = true;
      } finally {
        list.release();
      }
    }
  }

  private static @Nullable SkipListSegment oldestUnflattened(SegmentList list) {
    for (int i = list.pipeline().size() - 1; i >= 0; i--) {
      if (list.pipeline().get(i) instanceof SkipListSegment sealed) {
        return sealed;
      }
    }
    return null;
  }

  private void shorten(boolean flattened) {
    SegmentList list = store.retainCurrent();
    try {
      List<FlatSegment> sources = flatSuffix(list.pipeline());
      MemStorePolicy policy = store.options().policy();
      Action action = decide(policy, sources.size(), flattened);
      if (action == Action.COMPACT && !hasRoomToCompact(sources)) {
        action = sources.size() > policy.pipelineSegmentsMax() ? Action.MERGE : Action.LEAVE;
      }
      CellFilter filter = action == Action.COMPACT ? store.newCompactionFilter() : null;
      if (action == Action.COMPACT && filter == null) {
        action = sources.size() > policy.pipelineSegmentsMax() ? Action.MERGE : Action.LEAVE;
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

  private enum Action {
    LEAVE,
    MERGE,
    COMPACT
  }

  private Action decide(MemStorePolicy policy, int segments, boolean flattened) {
    boolean tooLong = segments > policy.pipelineSegmentsMax();
    return switch (policy.kind()) {
      case NONE -> Action.LEAVE;
      case BASIC -> tooLong ? Action.MERGE : Action.LEAVE;
      case EAGER -> flattened && segments > 0 ? Action.COMPACT : Action.LEAVE;
      case ADAPTIVE -> {
        if (!tooLong) {
          yield Action.LEAVE;
        }
        double draw = environment.random().nextDouble();
        synchronized (adaptive) {
          yield adaptive.shouldCompact(policy.redundancyThreshold(), draw)
              ? Action.COMPACT
              : Action.MERGE;
        }
      }
    };
  }

  /** A compaction holds sources and survivors at once; it must not exceed the budget. */
  private boolean hasRoomToCompact(List<FlatSegment> sources) {
    double share;
    synchronized (adaptive) {
      share = Double.isNaN(adaptive.uniqueness()) ? 1 : adaptive.uniqueness();
    }
    long held = 0;
    for (FlatSegment source : sources) {
      held += source.heldBytes();
    }
    return environment.budget().availableBytes() >= (long) (share * held);
  }

  /** Returns the flat segments from the oldest on, an unbroken range; newest first. */
  private static List<FlatSegment> flatSuffix(List<Segment> pipeline) {
    List<FlatSegment> suffix = new ArrayList<>();
    for (int i = pipeline.size() - 1; i >= 0 && pipeline.get(i) instanceof FlatSegment flat; i--) {
      suffix.add(0, flat);
    }
    return suffix;
  }

  private void merge(List<FlatSegment> sources) {
    Outcome outcome = merger().merge(sources);
    if (install(sources, outcome) && outcome != null) {
      merges.increment();
      double uniqueness = (double) outcome.columnsRead() / outcome.cellsRead();
      synchronized (adaptive) {
        adaptive.onMerge(uniqueness);
      }
      environment.listener().onMerge(sources.size(), outcome.cellsRead(), uniqueness);
    }
  }

  private void compact(List<FlatSegment> sources, CellFilter filter) {
    Outcome outcome = merger().compact(sources, filter);
    if (install(sources, outcome) && outcome != null) {
      compactions.increment();
      long kept = outcome.segment() == null ? 0 : outcome.segment().cellCount();
      cellsEliminated.add(outcome.cellsRead() - kept);
      synchronized (adaptive) {
        adaptive.onCompaction();
      }
      environment.listener().onCompaction(sources.size(), outcome.cellsRead(), kept);
    }
  }

  private SegmentMerger merger() {
    long begun = cancellations.get();
    return new SegmentMerger(
        environment.pool(), account, store.keyPrefix(), () -> cancellations.get() != begun);
  }

  /** Puts what was made in the place of its sources; returns whether that was possible. */
  private boolean install(List<FlatSegment> sources, @Nullable Outcome outcome) {
    if (outcome == null) {
      abort();
      return false;
    }
    boolean installed = replace(sources, outcome.segment());
    if (outcome.segment() != null) {
      outcome.segment().release();
    }
    if (!installed) {
      abort();
    }
    return installed;
  }

  /** Replaces neighbours in the pipeline, if they still stand there. */
  private boolean replace(List<? extends Segment> sources, @Nullable FlatSegment replacement) {
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
