// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore;

import io.accordiondb.memstore.segment.ImmutableSegment;
import io.accordiondb.memstore.segment.MutableSegment;
import io.accordiondb.retention.CellFilter;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Flattens the sealed segments of a pipeline (section 3.1 of the paper). One thread flattens a
 * segment: the background thread, or the writer that has sealed it.
 */
final class PipelineFlattener {
  private final StoreParts store;
  private final AdaptiveState adaptive;
  private final PipelineCounters counters;

  /** Sealed segments that some thread flattens. */
  private final Set<MutableSegment> flattening = ConcurrentHashMap.newKeySet();

  PipelineFlattener(StoreParts store, AdaptiveState adaptive, PipelineCounters counters) {
    this.store = store;
    this.adaptive = adaptive;
    this.counters = counters;
  }

  /** Flattens a segment in the thread that has sealed it. */
  void help(MutableSegment sealed) {
    SegmentList list = store.segments().retain();
    try {
      if (list.pipeline().contains(sealed)) {
        flattenOnce(sealed);
      }
    } catch (Throwable e) {
      // The cells are in memory, so the writer has succeeded. Only the host must know that the
      // segment was not flattened.
      store.environment().listener().onFailure(e);
    } finally {
      list.release();
    }
  }

  /** Flattens all sealed segments, except those that writers flatten. */
  void flattenAll() {
    boolean more = true;
    while (more) {
      SegmentList list = store.segments().retain();
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
    boolean another = false;
    try {
      // A call that runs out of memory may have added the segment.
      another = !flattening.add(sealed);
      if (!another && store.segments().get().pipeline().contains(sealed)) {
        sealed.awaitQuiescence();
        flatten(sealed);
      }
    } finally {
      if (!another) {
        flattening.remove(sealed);
      }
    }
  }

  /** Flattens a sealed segment, and drops at once the cells that the policy allows to drop. */
  private void flatten(MutableSegment sealed) {
    Policy policy = store.options().get().policy().kind();
    boolean drops = policy != Policy.NONE && policy != Policy.BASIC;
    CellFilter filter = drops ? store.filters().newFilter(List.of(sealed)) : null;
    ImmutableSegment flat = flattened(sealed, policy == Policy.AUTO, filter);
    boolean replaced;
    try {
      store.oldestSequence().noteGone(List.of(sealed));
      replaced = store.segments().replace(List.of(sealed), flat);
      if (flat != null) {
        store.keyPrefix().fit(flat.fittingPrefix());
      }
    } finally {
      if (flat != null) {
        flat.release();
      }
    }
    if (!replaced) {
      counters.aborts.increment();
      store.environment().listener().onAbort();
      return;
    }
    long dropped = sealed.cellCount() - (flat == null ? 0 : flat.cellCount());
    long droppedBytes = sealed.dataBytes() - (flat == null ? 0 : flat.dataBytes());
    counters.cellsEliminated.add(dropped);
    counters.bytesEliminated.add(droppedBytes);
    store.environment().listener().onFlattening(dropped, droppedBytes);
    if (dropped > 0) {
      adaptive.onDropped(dropped);
      store.oldestSequence().check();
    }
  }

  /** Returns a flat copy; null if no cell is kept. If the filter fails, all cells are kept. */
  private @Nullable ImmutableSegment flattened(
      MutableSegment sealed, boolean sketched, @Nullable CellFilter filter) {
    try {
      return sealed.flatten(store.factory().memory(), store.keyPrefix().get(), sketched, filter);
    } catch (RuntimeException e) {
      if (filter == null) {
        throw e;
      }
      store.environment().listener().onFailure(e);
      return flattened(sealed, sketched, null);
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
}
